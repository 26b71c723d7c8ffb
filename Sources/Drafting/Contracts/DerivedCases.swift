import UnderstudyContractModel
package import UnderstudyJSON

/// Cases that no response shows, derived from the default case: cut short, slow, broken.
package enum DerivedCases {
  private static let cutBytesMax = 1 << 20

  /// - Parameters:
  ///   - model: the name of the default case.
  ///   - kind: of its body, if that is JSON.
  ///   - byteCount: of its body, as it is sent.
  package static func members(
    of model: String, body kind: JSONValue.Kind?, byteCount: Int
  ) -> [(key: String, value: JSONText?)] {
    var members: [(key: String, value: JSONText?)] = []
    if kind == .object || kind == .array {
      // A cut body is kept beside the whole one.
      let offset = min(byteCount / 2, cutBytesMax)
      members.append(
        (
          "cut-short",
          .object([
            ("like", .string(model)), ("malform", .object([("truncateAt", .int(offset))])),
          ])
        ))
    }
    return members + [
      (
        "slow",
        .object([("like", .string(model)), ("delay", .object([("fixed", .string("2s"))]))])
      ),
      ("reset", .object([("fault", .string(Fault.connectionResetByPeer.rawValue))])),
    ]
  }
}
