import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema
import UnderstudySecrets

/// The edits of one body's schema and examples in a contract's document.
struct BodyEdit {
  /// The body of another case with the same schema.
  struct SharedBody {
    let pointer: JSONPointer
    /// Whether it has its own answer.
    let isLive: Bool
  }

  var document: JSONDocument
  let found: JSONValue
  let body: JSONPointer
  let schema: JSONPointer?
  let isTemplated: Bool
  let now: Moment
  var sharedBodies: [SharedBody] = []
  /// Whether there is no time for more.
  let isOver: () -> Bool
  /// Why a difference at a path could not be applied.
  private(set) var reasons: [[BodyStep]: String] = [:]

  init(
    document: JSONDocument, found: JSONValue, body: JSONPointer, schema: JSONPointer?,
    isTemplated: Bool, now: Moment, isOver: @escaping () -> Bool
  ) {
    self.isOver = isOver
    self.document = document
    self.found = found
    self.body = body
    self.schema = schema
    self.isTemplated = isTemplated
    self.now = now
  }

  /// The remaining differences.
  var differences: [AnswerDifference] { comparison()?.differences ?? [] }

  /// - Parameter addedMax: how many added fields of one object are reported individually.
  private func comparison(addedMax: Int = 20) -> BodyComparison? {
    guard let example = document.root.value(at: body) else { return nil }
    let source = schema.flatMap(document.root.value(at:))
    let view = SchemaView(source)
    return BodyComparison(
      of: found, to: Shape(view, of: example, isTemplated: isTemplated), view, schema: source,
      compiled: source.flatMap { BodySchema.compiled($0, now: now) }, now: now, addedMax: addedMax)
  }

  private func complaints(about body: JSONValue, _ now: Moment) -> [SchemaComplaint] {
    guard let source = schema.flatMap(document.root.value(at:)) else { return [] }
    return BodySchema.compiled(source, now: now)?
      .complaints(about: body, max: BodySchema.complaintsMax) ?? []
  }

  /// Applies each path as a whole or not at all: all at once, and if that fails, each half by
  /// itself, down to the failing path. So the work grows with the number of failing paths.
  mutating func run(_ chosen: [AnswerDifference], roundsMax: Int) {
    guard var comparison = comparison(addedMax: .max) else { return }
    var isWanted: Set<[BodyStep]> = []
    var wanted: [Wanted] = []
    for difference in chosen {
      for path in (difference.path.map { [$0] } ?? []) + difference.others
      where isWanted.insert(path).inserted {
        wanted.append(Wanted(path: path, isAdded: difference.type == .schemaFieldAdded))
      }
    }
    run(wanted[...], &comparison, roundsMax)
  }

  private struct Wanted {
    let path: [BodyStep]
    /// Whether everything below it belongs to it.
    let isAdded: Bool
  }

  /// The halves bound the recursion.
  private mutating func run(
    _ wanted: ArraySlice<Wanted>, _ comparison: inout BodyComparison, _ roundsMax: Int
  ) {
    guard !wanted.isEmpty else { return }
    let start = (document: document, comparison: comparison)
    guard let reason = isOver() ? Self.late : take(wanted, &comparison, roundsMax) else { return }
    (document, comparison) = start
    if wanted.count == 1 || isOver() {
      for one in wanted { reasons[one.path] = reason }
    } else {
      let middle = wanted.startIndex + wanted.count / 2
      run(wanted[..<middle], &comparison, roundsMax)
      run(wanted[middle...], &comparison, roundsMax)
    }
  }

  /// Returns the reason if the differences at these paths cannot be applied together.
  private mutating func take(
    _ wanted: ArraySlice<Wanted>, _ comparison: inout BodyComparison, _ roundsMax: Int
  ) -> String? {
    let known = Set(comparison.differences.map(Site.init))
    let brokenCount = brokenSharedCount
    let paths = Set(wanted.map(\.path))
    let added = Set(wanted.filter(\.isAdded).map(\.path))
    for _ in 0..<roundsMax {
      let open = comparison.differences.filter { difference in
        guard let path = difference.path else { return false }
        return paths.contains(path)
          || !added.isEmpty && path.indices.contains { added.contains(Array(path[..<$0])) }
      }
      if open.isEmpty {
        if brokenSharedCount > brokenCount {
          return "it would break the example of another case with the same schema"
        }
        let new = comparison.differences.first { !known.contains(Site($0)) }
        return new.map { "it would cause another difference: \($0.message)" }
      }
      for difference in open {
        if isOver() { return Self.late }
        guard let path = difference.path else { continue }
        if difference.pointers.contains(where: { found.value(at: $0)?.holdsUnknown ?? false }) {
          return Self.secret
        }
        do throws(JSONEditError) {
          let reason =
            if let refusal = refusal(of: difference, path, comparison) {
              refusal
            } else if difference.schemaPointer == nil {
              try editExample(difference, path, comparison)
            } else {
              try editSchema(difference, path, comparison)
            }
          if let reason { return reason }
        } catch {
          return "\(error)"
        }
      }
      conform(to: comparison.foundShape)
      guard let next = self.comparison(addedMax: .max) else { break }
      comparison = next
    }
    return "no edit makes the contract match this answer"
  }

  private struct Site: Hashable {
    let path: [BodyStep]?
    let type: FindingType

    init(_ difference: AnswerDifference) {
      path = difference.path
      type = difference.type
    }
  }

  private var brokenSharedCount: Int {
    let today = BodySchema.moment
    return Set(sharedBodies.map(\.pointer)).count { pointer in
      pointer != body
        && document.root.value(at: pointer).map { !complaints(about: $0, today).isEmpty } ?? false
    }
  }

  /// Why a difference can never be applied.
  private func refusal(
    of difference: AnswerDifference, _ path: [BodyStep], _ comparison: BodyComparison
  ) -> String? {
    if let pointer = difference.schemaPointer,
      isOfOtherKind(pointer, path, comparison.differences)
    {
      return "it is a new kind: add an alternative"
    }
    guard isTemplated, difference.type != .schemaFieldRemoved else { return nil }
    let values =
      difference.pointers.compactMap(found.value(at:))
      + (comparison.foundShape.shape(atPath: path)?.kinds.map(\.first) ?? [])
    return values.contains(where: \.holdsTemplate)
      ? "its text would be taken for a template" : nil
  }

  static let secret = "it contains a secret"
  static let late = "the deadline left no time for it"

  mutating func set(_ pointer: JSONPointer, to json: String) throws(JSONEditError) {
    document = try document.setting(pointer, to: json)
  }

  mutating func remove(_ pointer: JSONPointer) throws(JSONEditError) {
    document = try document.removing(pointer)
  }

  /// Puts values of the answer where the example breaks the schema as it is now.
  private mutating func conform(to shape: Shape) {
    for _ in 0..<10 {
      guard let example = document.root.value(at: body) else { return }
      let complaints = complaints(about: example, BodySchema.moment)
      var hasChanged = false
      for complaint in complaints {
        let pointer = complaint.instancePointer
        let counterpart = JSONPointer(Array(pointer.tokens.dropFirst(body.tokens.count)))
        guard let place = steps(to: pointer, along: shape),
          let value = found.value(at: counterpart) ?? place.first,
          !(isTemplated && value.holdsTemplate), !value.holdsUnknown,
          let old = document.root.value(at: pointer), !old.isEqual(to: value)
        else { continue }
        let json = value.lineText
        guard let edited = try? document.setting(pointer, to: json) else { continue }
        document = edited
        hasChanged = true
      }
      if !hasChanged { return }
    }
  }

  /// The values found where the example has one.
  private func steps(to pointer: JSONPointer, along shape: Shape) -> Shape? {
    guard var value = document.root.value(at: body) else { return nil }
    var shape = shape
    for token in pointer.tokens.dropFirst(body.tokens.count) {
      guard let following = shape.shape(at: token, of: value.kind),
        let next = value.value(at: [token])
      else { return nil }
      (shape, value) = (following, next)
    }
    return shape
  }

  /// The places of an example at a path, each by itself.
  func examplePointers(at path: [BodyStep]) -> [JSONPointer] {
    guard let example = document.root.value(at: body) else { return [] }
    var places: [(pointer: JSONPointer, value: JSONValue)] = [(body, example)]
    for step in path {
      places = places.flatMap { place -> [(pointer: JSONPointer, value: JSONValue)] in
        switch step {
        case .member(let name):
          return place.value[name].map { [(place.pointer.appending(name), $0)] } ?? []
        case .slot(let index):
          return place.value[index].map { [(place.pointer.appending(index), $0)] } ?? []
        case .each where place.value.kind == .array:
          return place.value.elements.enumerated().map { (place.pointer.appending($0), $1) }
        case .each:
          return place.value.members.map { (place.pointer.appending($0.key), $0.value) }
        }
      }
    }
    return places.map(\.pointer)
  }

  /// The current schema at a path of the body.
  func view(at path: [BodyStep]) -> SchemaView {
    path.reduce(SchemaView(schema.flatMap(document.root.value(at:)))) { $0.view(at: $1) }
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

  /// On one line, with spaces. The nesting limit bounds the recursion.
  var lineText: String {
    switch kind {
    case .object where count > 0:
      let members = members.map { "\($0.key.quoted): \($0.value.lineText)" }
      return "{ \(members.joined(separator: ", ")) }"
    case .array where count > 0: return "[\(elements.map(\.lineText).joined(separator: ", "))]"
    default: return String(decoding: compact, as: UTF8.self).escapingUnseen
    }
  }

  /// Whether a template body would play a text here differently.
  var holdsTemplate: Bool {
    switch kind {
    case .object: members.contains { $0.value.holdsTemplate }
    case .array: elements.contains(where: \.holdsTemplate)
    case .string:
      string.map { text in
        let template = Template(text)
        return !template.expressions.isEmpty || !template.mistakes.isEmpty
      } ?? false
    default: false
    }
  }

  /// The name of its kind in a schema.
  var schemaType: String {
    kind == .number ? (number?.isInteger == true ? "integer" : "number") : kind.rawValue
  }
}
