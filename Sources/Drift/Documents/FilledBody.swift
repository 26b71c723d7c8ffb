import UnderstudyJSON
import UnderstudySchema

/// A made body with the values of an example wherever a schema allows them, so that consumers get
/// values that mean something, and only what the schema is about differs.
struct FilledBody {
  private static let attemptsMax = 20
  private static let complaintsMax = 50

  private let schema: Schema
  private let view: SchemaView
  private let example: JSONValue
  /// Where the made values stay.
  private var fixed: Set<[String]> = []

  /// - Parameters:
  ///   - root: the schema, and the same compiled.
  ///   - example: of the contract.
  init(_ root: JSONValue, _ schema: Schema, like example: JSONValue) {
    self.schema = schema
    self.example = example
    view = SchemaView(root)
  }

  /// - Parameter plain: another made body; values that differ from those in it stay.
  func filled(_ made: JSONText, unlike plain: JSONText? = nil) -> JSONText {
    guard let root = made.root else { return made }
    let plain = plain?.root
    var attempt = self
    for _ in 0..<Self.attemptsMax {
      let text = attempt.merged(root, example, plain, view, at: [])
      guard let value = text.root else { return made }
      let complaints = schema.complaints(about: value, max: Self.complaintsMax)
      if complaints.isEmpty { return text }
      for complaint in complaints { attempt.fix(complaint.instancePointer.tokens) }
    }
    return made
  }

  /// Keeps what is made at a place, or around it if that was kept before.
  private mutating func fix(_ tokens: [String]) {
    var tokens = tokens
    while !fixed.insert(tokens).inserted, !tokens.isEmpty { tokens.removeLast() }
  }

  /// The nesting of the made body bounds the recursion.
  private func merged(
    _ made: JSONValue, _ example: JSONValue, _ plain: JSONValue?, _ view: SchemaView,
    at path: [String]
  ) -> JSONText {
    guard !fixed.contains(path) else { return .value(made) }
    // Where the schema says nothing of a value, the example does.
    let isOpen = !view.isTyped && made.kind != .object && made.kind != .array
    if isOpen { return .value(example) }
    switch (made.kind, example.kind) {
    case (.object, .object):
      if view.isMap, example.count > 0, let entry = made.members.first(where: { _ in true }) {
        let entries = view.entries
        return .object(
          example.members.map { member in
            let path = path + [member.key]
            return (member.key, merged(entry.value, member.value, nil, entries, at: path))
          })
      }
      return .object(
        made.members.map { member in
          guard let own = example[member.key] else { return (member.key, .value(member.value)) }
          return (
            member.key,
            merged(
              member.value, own, plain?[member.key], view.member(member.key),
              at: path + [member.key])
          )
        })
    case (.array, .array):
      let own = Array(example.elements)
      let plain = plain.map { Array($0.elements) } ?? []
      guard let last = own.last else { return .value(made) }
      return .array(
        made.elements.enumerated().map { index, element in
          merged(
            element, index < own.count ? own[index] : last,
            index < plain.count ? plain[index] : nil,
            index < view.slotCount ? view.slot(index) : view.elements, at: path + [String(index)])
        })
    default: return scalar(made, example, plain)
    }
  }

  private func scalar(
    _ made: JSONValue, _ example: JSONValue, _ plain: JSONValue?
  ) -> JSONText {
    guard made.kind == example.kind, plain.map(made.isEqual) ?? true else { return .value(made) }
    // A number that need not be whole is shown as one that is not.
    let isBroken = made.number.map { !$0.isInteger } ?? false
    if isBroken, example.number?.isInteger ?? false { return .value(made) }
    return .value(example)
  }
}
