import ContractModel
import Diagnostics
import Findings
import JSON
import JSONSchema

extension BodySchema {
  /// The place of each costs a search through the body.
  static let complaintsMax = 1000

  /// What the schema has against a body when dates are held against the clock.
  func complaints(about body: JSONValue, now: Double) -> [SchemaComplaint] {
    let today = Self.compiled(source, now: now) ?? schema
    return today.complaints(about: body, max: Self.complaintsMax)
  }

  /// `nil` when it is no schema.
  static func compiled(_ source: JSONValue, now: Double) -> Schema? {
    var options = Schema.Options()
    options.now = Int(exactly: now.rounded(.down)) ?? options.now
    return try? Schema(compiling: source, options: options)
  }
}

/// One thing a schema says that is not so, at one place of a body.
struct SchemaBreach: Hashable {
  let complaint: SchemaComplaint
  /// Of the value, or of the member that is missing.
  let pointer: JSONPointer
  let type: FindingType
  let message: String

  /// A complaint of several missing members is one breach for each.
  static func breaches(
    of complaint: SchemaComplaint, in body: JSONValue, schema root: JSONValue
  ) -> [SchemaBreach] {
    let value = body.value(at: complaint.instancePointer)
    guard complaint.keyword == "required", let value,
      let names = root.value(at: complaint.schemaPointer)
    else {
      let keyword = root.value(at: complaint.schemaPointer)
      return [
        SchemaBreach(
          complaint: complaint, pointer: complaint.instancePointer,
          type: FindingType(complaint, of: value, keyword),
          message: shown(complaint, of: value))
      ]
    }
    return names.elements.compactMap(\.string).filter { value[$0] == nil }.map { name in
      SchemaBreach(
        complaint: complaint, pointer: complaint.instancePointer.appending(name),
        type: .schemaFieldRemoved, message: "missing \(name.shown)")
    }
  }

  /// The schema's own words, unless they would show what must not be shown.
  private static func shown(_ complaint: SchemaComplaint, of value: JSONValue?) -> String {
    let isSecret = complaint.instancePointer.tokens.contains(where: Redaction.ofAnswers.hides)
    guard isSecret, let value else { return complaint.message }
    return "found \(value.kind.rawValue) that breaks \(complaint.keyword.quoted)"
  }
}

extension FindingType {
  /// The most exact type for what a schema says.
  fileprivate init(_ complaint: SchemaComplaint, of value: JSONValue?, _ keyword: JSONValue?) {
    let isNull = value?.isNull ?? false
    switch complaint.keyword {
    case "required": self = .schemaFieldRemoved
    case "type": self = isNull ? .schemaNullabilityChanged : .schemaTypeChanged
    case "enum", "const":
      let allowed =
        complaint.keyword == "enum" ? keyword?.elements.map(\.kind) : keyword.map { [$0.kind] }
      if isNull {
        self = .schemaNullabilityChanged
      } else if let value, let allowed, !allowed.contains(value.kind) {
        self = .schemaTypeChanged
      } else {
        self = .schemaEnumWidened
      }
    case "format", "pattern": self = .schemaFormatChanged
    case "x-time": self = .schemaMagnitudeChanged
    case "additionalProperties", "unevaluatedProperties": self = .schemaFieldAdded
    case "minItems" where value?.count == 0: self = .arrayEmptied
    default: self = .schemaViolated
    }
  }
}

/// Makes one difference of all elements that break a schema in the same way.
struct SchemaComparison {
  private(set) var differences: [Difference] = []
  /// Whether there may be more complaints than were asked for.
  private var isCut = false
  private let found: JSONValue
  private let foundShape: Shape
  private let exampleShape: Shape

  private struct Group {
    let first: SchemaBreach
    let key: Key
    var pointers: [JSONPointer]
    /// How many values there are at such places, or objects that could have the member.
    let total: Int
    let isRepeated: Bool
    let example: JSONValue?
  }

  private struct Key: Hashable {
    let path: [String]
    let schema: JSONPointer
  }

  /// Complaints of one `required` each bring all names that are missing.
  private struct Site: Hashable {
    let pointer: JSONPointer
    let schema: JSONPointer

    init(_ breach: SchemaBreach) {
      pointer = breach.pointer
      schema = breach.complaint.schemaPointer
    }
  }

  init(of found: JSONValue, _ foundShape: Shape, _ exampleShape: Shape) {
    self.found = found
    self.foundShape = foundShape
    self.exampleShape = exampleShape
  }

  /// - Parameter contract: what the schema's places are places in.
  mutating func take(_ complaints: [SchemaComplaint], of contract: JSONValue) {
    isCut = complaints.count >= BodySchema.complaintsMax
    var groups: [Group] = []
    var indexes: [Key: Int] = [:]
    var seen: Set<Site> = []
    for complaint in complaints {
      let breaches = SchemaBreach.breaches(of: complaint, in: found, schema: contract)
      for breach in breaches where seen.insert(Site(breach)).inserted {
        let key = Key(
          path: Self.path(of: breach, in: foundShape, found),
          schema: breach.complaint.schemaPointer)
        if let index = indexes[key] {
          groups[index].pointers.append(breach.pointer)
        } else {
          indexes[key] = groups.count
          groups.append(group(breach, key))
        }
      }
    }
    differences = groups.map(difference)
  }

  static func path(of breach: SchemaBreach, in shape: Shape, _ root: JSONValue) -> [String] {
    let container = breach.complaint.instancePointer
    let steps = shape.shape(at: container, in: root)?.path ?? container.tokens
    return steps + breach.pointer.tokens.dropFirst(container.tokens.count)
  }

  private func group(_ breach: SchemaBreach, _ key: Key) -> Group {
    let shape = foundShape.shape(at: breach.complaint.instancePointer, in: found)
    let isMissing = breach.type == .schemaFieldRemoved
    let example = shape.flatMap { exampleShape.shape(atPath: $0.path) }
    let named = breach.pointer.tokens.last.flatMap { example?.member($0)?.shape }
    return Group(
      first: breach, key: key, pointers: [breach.pointer],
      total: (isMissing ? shape?.count(.object) : shape?.count) ?? 1,
      isRepeated: shape?.isRepeated ?? false,
      example: (isMissing ? named : example)?.first)
  }

  private func difference(_ group: Group) -> Difference {
    let breach = group.first
    let isMissing = breach.type == .schemaFieldRemoved
    let count = min(group.pointers.count, group.total)
    let least = isCut ? "at least " : ""
    let note = group.isRepeated ? "in \(least)\(count) of \(group.total.of("element"))" : ""
    return Difference(
      type: breach.type, subject: group.key.schema.description,
      message: note.isEmpty ? breach.message : breach.message + (isMissing ? " " : ", ") + note,
      position: breach.complaint.schemaPlace.position, path: group.key.path,
      schemaPointer: group.key.schema,
      pointers: group.pointers,
      diff: Difference.diff(
        group.example, isMissing ? nil : found.value(at: breach.pointer),
        key: breach.pointer.tokens.last))
  }
}

extension Shape {
  /// Whichever value came first.
  var first: JSONValue? {
    kinds.values.map(\.first).min { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
  }

  func shape(atPath path: [String]) -> Shape? {
    var shape = self
    for step in path {
      let next =
        step == Shape.any
        ? shape.element ?? shape.entry ?? shape.member(step)?.shape : shape.member(step)?.shape
      guard let next else { return nil }
      shape = next
    }
    return shape
  }
}
