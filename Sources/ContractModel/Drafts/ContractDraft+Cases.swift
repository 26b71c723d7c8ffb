package import UnderstudyJSON

extension ContractDraft {
  /// A contract without cases, written in Swift.
  package init(_ name: String, _ method: String, _ path: String) {
    self.init(
      named: name,
      [
        "summary": .string(name), "request": ["method": .string(method), "path": .string(path)],
      ], cases: [])
  }

  /// Adds a case by its most common members. `body` is JSON, `text` is not.
  package func `case`(
    _ name: String, like other: String? = nil, status: Int? = nil, headers: [String: String] = [:],
    body: String? = nil, text: String? = nil, delay: Duration? = nil, fault: Fault? = nil
  ) -> Self {
    let fields = headers.sorted { $0.key < $1.key }
    return adding(
      name, status,
      [
        "like": other.map { .string($0) }, "status": status.map { .int($0) },
        "headers": headers.isEmpty ? nil : .object(fields.map { ($0.key, .string($0.value)) }),
        "body": body.map { JSONText(unchecked: $0) }, "text": text.map { .string($0) },
        "delay": delay.map { ["fixed": "\($0 / .milliseconds(1))ms"] },
        "fault": fault.map { .string($0.rawValue) },
      ])
  }

  /// Adds a case by the members that a file has of it.
  package func `case`(_ name: String, _ members: JSONObject) -> Self { adding(name, nil, members) }

  private func adding(_ name: String, _ status: Int?, _ members: JSONObject) -> Self {
    var copy = self
    copy.cases.append(CaseDraft(name, status: status, members))
    return copy
  }

  private static let cutBytesMax = 1 << 20

  /// Adds cases that no response shows, derived from the first: empty, cut short, slow, broken.
  ///
  /// - Parameters:
  ///   - kind: of its body, if that is JSON.
  ///   - byteCount: of its body, as it is sent.
  ///   - empty: its body without elements, if it may be so.
  package mutating func addDerivedCases(
    body kind: JSONValue.Kind?, byteCount: Int, empty: JSONText? = nil
  ) {
    guard let model = cases.first else { return }
    let taken = Set(cases.map(\.name))
    func derive(_ name: String, _ members: JSONObject) {
      let isFault = members["like"] == nil
      cases.append(
        CaseDraft(
          taken.contains(name) ? "\(name)-again" : name, status: isFault ? nil : model.status,
          members))
    }
    let like = JSONText.string(model.name)
    if let empty { derive("empty", ["like": like, "body": empty]) }
    if kind == .object || kind == .array {
      // A cut body is kept in memory beside the whole one.
      let count = min(byteCount / 2, Self.cutBytesMax)
      derive("cut-short", ["like": like, "malform": ["truncateAt": .int(count)]])
    }
    derive("slow", ["like": like, "delay": ["fixed": "2s"]])
    derive("reset", ["fault": .string(Fault.connectionResetByPeer.rawValue)])
  }
}
