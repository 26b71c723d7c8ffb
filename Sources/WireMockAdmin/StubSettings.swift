import UnderstudyInterchange
import UnderstudyJSON

/// What holds for all stubs of a session.
struct StubSettings {
  private static let keys = ["fixedDelay", "delayDistribution", "extended", "proxyPassThrough"]

  private(set) var fixedDelay: Int?
  private(set) var delayDistribution: JSONText?
  private(set) var extended: JSONText?

  init() {}

  /// Reads `{ "fixedDelay": 500 }`, or the same within `settings`.
  init(_ root: JSONValue) throws(AdminRefusal) {
    if root.isNull { return }
    try FieldCheck(root).object()
    let root = root.count == 1 ? root["settings"] ?? root : root
    try FieldCheck(root).keys(Self.keys)
    if let value = root["fixedDelay"], !value.isNull {
      fixedDelay = try FieldCheck(value, at: "/fixedDelay").int()
    }
    if let value = root["delayDistribution"], !value.isNull {
      try FieldCheck(value, at: "/delayDistribution").distribution()
      delayDistribution = .value(value)
    }
    if let value = root["extended"], !value.isNull { extended = .value(value) }
  }

  mutating func extend(with members: JSONValue) throws(AdminRefusal) {
    try FieldCheck(members).object()
    let given = members["extended"] ?? members
    let old = (extended?.root ?? .null).members.filter { given[$0.key] == nil }
    let all =
      old.map { ($0.key, JSONText.value($0.value) as JSONText?) }
      + given.members.map { ($0.key, .value($0.value)) }
    extended = .object(all)
  }

  var json: JSONText {
    [
      "fixedDelay": fixedDelay.map { .int($0) }, "delayDistribution": delayDistribution,
      "extended": extended,
    ]
  }
}
