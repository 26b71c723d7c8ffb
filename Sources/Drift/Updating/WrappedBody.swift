import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// A body that the API now sends inside another value: `{ "data": … }`, or `[…]`.
///
/// The edits move the contract's bodies of this kind, their schema and the places that malformed
/// cases change to where they are now; all else that differs is the business of the patch that
/// follows.
struct WrappedBody {
  private static let levelsMax = 3
  /// What is longer beside the body is left out of the examples of other cases.
  private static let siblingBytesMax = 2000

  private let contract: Contract
  private let served: Case
  private let example: JSONValue
  private let schema: JSONValue?
  private let found: JSONValue
  /// Whether a text of the response could be taken for a template.
  private let isTemplated: Bool
  /// Where the body is in the response.
  private let place: JSONPointer

  /// `nil` if the response does not have the case's body inside another value, or in more than one place.
  init?(of name: String, in contract: Contract, _ live: LiveResponse, now: Moment) {
    guard let served = contract.case(named: name), let response = served.response,
      case .json(let example) = response.body, example.count > 0,
      let found = JSONDocument(valid: live.body)?.root, !example.shares(a: found)
    else { return nil }
    self.contract = contract
    self.served = served
    self.example = example
    self.found = found
    isTemplated = response.templatedParts.contains(.body)
    schema = response.schema?.source
    if let schema, !schema.canMove { return nil }
    let form = Form(
      shape: Shape(SchemaView(schema), of: example, isTemplated: isTemplated),
      schema: schema.flatMap { BodySchema.compiled($0, now: now) })
    guard let place = Self.place(of: form, of: example.kind, in: found) else { return nil }
    self.place = place
  }

  // MARK: - Finding it

  private struct Form {
    let shape: Shape
    let schema: Schema?

    func fits(_ value: JSONValue) -> Bool {
      if let schema, !schema.accepts(value) { return false }
      var comparison = ShapeComparison(reported: [], addedMax: .max, place: nil)
      comparison.compare(shape, Shape(shape.view, of: value, isTemplated: false))
      return comparison.differences.allSatisfy { $0.type == .schemaFieldAdded }
    }
  }

  private static func place(
    of form: Form, of kind: JSONValue.Kind, in found: JSONValue
  ) -> JSONPointer? {
    var level = [found]
    for _ in 0..<levelsMax {
      level = level.flatMap(\.inside)
      let fitting = level.filter { $0.kind == kind && form.fits($0) }
      if !fitting.isEmpty { return fitting.count == 1 ? fitting[0].pointer : nil }
    }
    return nil
  }

  // MARK: - Edits

  func document() throws(JSONEditError) -> JSONDocument {
    var document = contract.source.document
    var offsets: [JSONPointer: Int] = [:]
    for other in contract.cases where isOfThisKind(other) {
      guard case .json(let body)? = other.response?.body else { continue }
      if offsets[body.pointer] == nil,
        let new = JSONDocument(valid: Array(wrapped(body.text, in: found).utf8)),
        let compact = JSONDocument(valid: new.root.compact)?.root.value(at: place)
      {
        document = try document.changing(body.pointer, to: new.root)
        offsets[body.pointer] = compact.byteRange.lowerBound
      }
      guard let offset = offsets[body.pointer] else { continue }
      if let malform = other.source["malform"] { try move(malform, in: &document) }
      document = try document.movingOffsets(of: other, by: offset)
    }
    if let schema {
      document = try document.changing(schema.pointer, toText: wrapped(schema: schema))
    }
    return document
  }

  private func isOfThisKind(_ other: Case) -> Bool {
    guard case .json(let body)? = other.response?.body else { return false }
    if body.pointer == example.pointer { return true }
    guard let schema else {
      return other.response?.schema == nil && other.response?.status == served.response?.status
        && ExpectedResponse(of: other, in: contract, now: .epoch).sources.contains {
          $0["body"]?.pointer == example.pointer
        }
    }
    return other.response?.schema?.source.pointer == schema.pointer
  }

  /// A body where the response has this one, beside what else the response has there.
  private func wrapped(_ body: String, in container: JSONValue) -> String {
    let level = container.pointer.tokens.count
    guard level < place.tokens.count else { return body }
    if container.kind == .array { return "[\(container[0].map { wrapped(body, in: $0) } ?? body)]" }
    let members = container.members.compactMap { member -> String? in
      if member.key == place.tokens[level] {
        return "\(member.key.quoted): \(wrapped(body, in: member.value))"
      }
      let isLeftOut =
        isTemplated || member.value.holdsUnknown
        || member.value.byteRange.count > Self.siblingBytesMax
      return isLeftOut ? nil : "\(member.key.quoted): \(member.value.lineText)"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// Definitions stay outside, where references look for them.
  private func wrapped(schema: JSONValue) -> String {
    let isDefinition = { (member: JSONMember) in JSONValue.definitions.contains(member.key) }
    let inner = schema.members.filter { !isDefinition($0) }.map(\.text)
    var text = "{\(inner.joined(separator: ", "))}"
    for length in (0..<place.tokens.count).reversed() {
      let outer = found.value(at: JSONPointer(Array(place.tokens.prefix(length))))
      let definitions =
        length > 0 ? [] : schema.members.filter(isDefinition).map { ", \($0.text)" }
      let key = place.tokens[length].quoted
      text =
        outer?.kind == .array
        ? #"{"type": "array", "items": \#(text)\#(definitions.joined())}"#
        : #"{"type": "object", "required": [\#(key)], "properties": {\#(key): \#(text)}"#
          + "\(definitions.joined())}"
    }
    return text
  }

  /// Moves the places that a malformed case changes.
  private func move(_ malform: JSONValue, in document: inout JSONDocument) throws(JSONEditError) {
    if let changes = malform["set"] {
      let members = changes.members.map { "\("\(place)\($0.key)".quoted): \($0.value.lineText)" }
      document = try document.changing(
        changes.pointer, toText: "{\(members.joined(separator: ", "))}")
    }
    if let removed = malform["remove"] {
      let pointers = removed.elements.compactMap(\.string).map { "\(place)\($0)".quoted }
      document = try document.changing(
        removed.pointer, toText: "[\(pointers.joined(separator: ", "))]")
    }
  }
}

extension JSONValue {
  fileprivate static let definitions: Set = ["$defs", "definitions"]

  /// Whether both are of one kind and, as objects, have a member in common.
  fileprivate func shares(a other: JSONValue) -> Bool {
    kind == other.kind && (kind != .object || members.contains { other[$0.key] != nil })
  }

  /// What may be the whole of something that is inside this value.
  fileprivate var inside: [JSONValue] {
    kind == .array ? Array(elements.prefix(1)) : members.map(\.value)
  }

  /// Whether a schema means the same inside another one.
  fileprivate var canMove: Bool {
    guard kind == .object else { return false }
    return members.allSatisfy { member in
      if member.key.hasPrefix("$"),
        !Self.definitions.union(["$ref", "$comment"]).contains(member.key)
      {
        return false
      }
      return member.value.refersToDefinitions
    } && refersToDefinitions
  }

  /// Whether all references in a schema are to definitions of its root.
  private var refersToDefinitions: Bool {
    if let target = self["$ref"]?.string,
      !Self.definitions.contains(where: { target.hasPrefix("#/\($0)/") })
    {
      return false
    }
    return (kind == .array ? Array(elements) : members.map(\.value))
      .allSatisfy(\.refersToDefinitions)
  }
}

extension JSONMember {
  fileprivate var text: String { "\(key.quoted): \(value.text)" }
}

extension JSONDocument {
  fileprivate func changing(
    _ pointer: JSONPointer, toText text: String
  ) throws(JSONEditError) -> JSONDocument {
    guard let new = JSONDocument(valid: Array(text.utf8)) else {
      return try setting(pointer, to: text)
    }
    return try changing(pointer, to: new.root)
  }
}
