import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema
import UnderstudySecrets

/// The edits of a schema in a contract's document that make it match a body.
///
/// An edit may reveal another difference, such as a member of another type that was not allowed at
/// all, so it compares again until the schema matches.
struct BodyEdit {
  private static let roundsMax = 40

  var document: JSONDocument
  let found: JSONValue
  /// The example.
  let body: JSONPointer
  let schema: JSONPointer?
  let isTemplated: Bool
  /// Whether other responses to the same request had the members that this one lacks.
  let isIntermittent: Bool
  /// The bodies of other cases with the same schema.
  let sharedBodies: [SharedBody]
  let now: Moment
  let isOver: () -> Bool
  /// The lists of members that may have become empty.
  var emptied: Set<JSONPointer> = []

  /// The body of another case with the same schema.
  struct SharedBody {
    let pointer: JSONPointer
    let isLive: Bool
  }

  mutating func run() throws(Refusal) {
    for _ in 0..<Self.roundsMax {
      guard let comparison else { return }
      var hasChanged = false
      for difference in comparison.differences {
        if isOver() { throw .late }
        if try edit(difference, comparison) { hasChanged = true }
      }
      if !hasChanged { return removeEmptied() }
    }
    throw Refusal("no edit makes the schema match this response")
  }

  private mutating func removeEmptied() {
    for pointer in emptied where document.root.value(at: pointer)?.count == 0 {
      document = (try? document.removing(pointer)) ?? document
    }
  }

  /// The comparison with the example as it was, so that a member is new if neither schema nor
  /// example has it.
  private var comparison: BodyComparison? {
    guard let example = document.root.value(at: body) else { return nil }
    let source = schema.flatMap(document.root.value(at:))
    let view = SchemaView(source)
    return BodyComparison(
      of: found, to: Shape(view, of: example, isTemplated: isTemplated), view, schema: source,
      compiled: source.flatMap { BodySchema.compiled($0, now: now) }, now: now, addedMax: .max)
  }

  /// Returns whether the schema has changed.
  private mutating func edit(
    _ difference: Difference, _ comparison: BodyComparison
  ) throws(Refusal) -> Bool {
    guard let path = difference.path else { return false }
    var reason: String?
    do throws(JSONEditError) {
      if let pointer = difference.schemaPointer {
        reason = try edit(pointer, difference, path, comparison)
      } else if difference.type == .schemaFieldAdded {
        return try list(path, comparison)
      } else {
        return difference.type == .schemaTypeChanged ? try forget(path, comparison) : false
      }
    } catch {
      reason = "\(error)"
    }
    if let reason { throw Refusal(reason, at: difference.pointers.first) }
    return true
  }

  /// Returns the reason if the violated keyword cannot be changed.
  private mutating func edit(
    _ pointer: JSONPointer, _ difference: Difference, _ path: [BodyStep],
    _ comparison: BodyComparison
  ) throws(JSONEditError) -> String? {
    if difference.pointers.contains(where: { found.value(at: $0)?.holdsUnknown ?? false }) {
      return Refusal.secret
    }
    return isOfOtherKind(pointer, path, comparison.differences)
      ? "it is a new kind: add an alternative" : try editSchema(difference, path, comparison)
  }

  /// Adds a member where the schema lists the others.
  private mutating func list(
    _ path: [BodyStep], _ comparison: BodyComparison
  ) throws(JSONEditError) -> Bool {
    guard let name = path.last?.name, let shape = comparison.foundShape.shape(atPath: path),
      let object = shape.first?.pointer.parent.flatMap(found.value(at:)),
      let properties = properties(at: Array(path.dropLast()), of: object),
      document.root.value(at: properties)?[name] == nil
    else { return false }
    try set(properties.appending(name), to: shape.schemaOfKinds)
    return true
  }

  /// Removes what a schema without a type says about kinds of value that are gone.
  private mutating func forget(
    _ path: [BodyStep], _ comparison: BodyComparison
  ) throws(JSONEditError) -> Bool {
    let kinds = comparison.foundShape.shape(atPath: path)?.kinds.map(\.first.schemaType) ?? []
    guard kinds.contains(where: { $0 != "null" }) else { return false }
    let start = document.bytes.count
    for part in view(at: path).parts where !isShared(part.pointer) {
      try keepKeywords(of: Set(kinds), in: part.pointer)
    }
    return document.bytes.count != start
  }

  mutating func set(_ pointer: JSONPointer, to json: String) throws(JSONEditError) {
    document = try document.setting(pointer, to: json)
  }

  mutating func remove(_ pointer: JSONPointer) throws(JSONEditError) {
    document = try document.removing(pointer)
  }

  /// The current schema at a path of the body.
  func view(at path: [BodyStep]) -> SchemaView {
    path.reduce(SchemaView(schema.flatMap(document.root.value(at:)))) { $0.view(at: $1) }
  }
}

/// Why a case cannot be updated.
struct Refusal: Error {
  let reason: String
  /// Where in the response.
  let pointer: JSONPointer?
  /// The difference that cannot be applied, if it is one.
  let difference: Difference?

  init(_ reason: String, at pointer: JSONPointer? = nil, _ difference: Difference? = nil) {
    self.reason = reason
    self.pointer = pointer
    self.difference = difference
  }

  static let late = Refusal("the deadline left no time for it")
  static let secret = "it contains a secret"
  static let unseen = "this response does not show it"
}

extension Shape {
  /// A schema that only lists the kinds of value found.
  var schemaOfKinds: String {
    let types = Set(kinds.map(\.first.schemaType)).sorted().map(\.quoted)
    if kinds.allSatisfy({ $0.kind == .null }) { return "{}" }
    return types.count == 1
      ? "{ \"type\": \(types[0]) }" : "{ \"type\": [\(types.joined(separator: ", "))] }"
  }
}

extension JSONValue {
  /// Whether it contains a masked secret.
  var holdsMask: Bool { compact.contains(bytes: SecretMask.mark.utf8) }

  /// Whether it contains a masked value of unknown type. A member with a secret name held a text,
  /// which a mask can replace in a contract.
  var holdsUnknown: Bool {
    guard holdsMask else { return false }
    switch kind {
    case .object: return members.contains { $0.value.holdsUnknown }
    case .array: return elements.contains(where: \.holdsUnknown)
    default:
      return string != SecretMask.mark
        || !pointer.tokens.contains(where: SecretNames.standard.hides)
    }
  }

  /// The value without white space between tokens.
  var text: String { String(decoding: compact, as: UTF8.self) }

  /// The value on one line, with spaces. The nesting limit bounds the recursion.
  var lineText: String {
    switch kind {
    case .object where count > 0:
      let members = members.map { "\($0.key.quoted): \($0.value.lineText)" }
      return "{ \(members.joined(separator: ", ")) }"
    case .array where count > 0: return "[\(elements.map(\.lineText).joined(separator: ", "))]"
    default: return text.escapingUnseen
    }
  }

  /// Whether a template body would serve this text differently.
  var isTemplate: Bool {
    guard let text = string else { return false }
    let template = Template(text)
    return !template.expressions.isEmpty || !template.mistakes.isEmpty
  }
}
