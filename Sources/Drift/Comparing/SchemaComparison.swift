import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema
import UnderstudySecrets

extension BodySchema {
  /// Finding each place searches the body.
  static let complaintsMax = 1000

  /// `nil` when it is not a schema.
  static func compiled(_ source: JSONValue, now: Moment) -> Schema? {
    var options = Schema.Options()
    options.now = now
    return try? Schema(compiling: source, options: options)
  }
}

/// One violation of a schema, at one place of a body.
struct SchemaBreach {
  let complaint: SchemaComplaint
  /// Of the value, or of the member that is missing.
  let pointer: JSONPointer
  let type: FindingType
  let message: String
  /// The value there; `nil` when it is missing.
  let value: JSONValue?

  /// A complaint about several missing members becomes one breach for each.
  ///
  /// - Parameters:
  ///   - value: the value of the complaint.
  ///   - schema: of the body; the part of `root` with the complaint's keyword.
  static func breaches(
    of complaint: SchemaComplaint, about value: JSONValue?, schema: JSONValue?, in root: JSONValue
  ) -> [SchemaBreach] {
    let keyword = root.value(at: complaint.schemaPointer)
    guard complaint.keyword == "required", let value, let keyword else {
      return [
        SchemaBreach(
          complaint: complaint, pointer: complaint.instancePointer,
          type: FindingType(complaint, of: value, keyword, schema),
          message: shown(complaint, of: value), value: value)
      ]
    }
    return keyword.elements.compactMap(\.string).filter { value[$0] == nil }.map { name in
      SchemaBreach(
        complaint: complaint, pointer: complaint.instancePointer.appending(name),
        type: .schemaFieldRemoved, message: "missing \(name.shown)", value: nil)
    }
  }

  /// The schema's message, unless it would show a secret.
  private static func shown(_ complaint: SchemaComplaint, of value: JSONValue?) -> String {
    let isSecret = complaint.instancePointer.tokens.contains(where: SecretNames.standard.hides)
    guard isSecret, let value else { return complaint.message }
    return "this \(value.kind.rawValue) violates \(complaint.keyword.quoted)"
  }
}

extension FindingType {
  /// The most specific finding type for a violation.
  fileprivate init(
    _ complaint: SchemaComplaint, of value: JSONValue?, _ keyword: JSONValue?, _ schema: JSONValue?
  ) {
    let isNull = value?.isNull ?? false
    switch complaint.keyword {
    case "required": self = .schemaFieldRemoved
    case "type": self = isNull ? .schemaNullabilityChanged : .schemaTypeChanged
    case "anyOf", "oneOf":
      guard let value, let keyword, let schema,
        keyword.elements.allSatisfy({ SchemaView.refusesType(of: value, $0, root: schema) })
      else {
        self = .schemaViolated
        return
      }
      self = isNull ? .schemaNullabilityChanged : .schemaTypeChanged
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

/// Groups all elements that violate a schema in the same way into one difference.
struct SchemaComparison {
  private(set) var differences: [ResponseDifference] = []
  /// Whether there may be more complaints than requested.
  private var isCut = false
  private var places: BodyPlaces
  private let exampleShape: Shape

  private struct Group {
    let first: SchemaBreach
    let key: Key
    var pointers: [JSONPointer]
    /// The number of values at such places, or of objects that could have the member.
    let total: Int
    let isRepeated: Bool
    let example: JSONValue?
    /// The names of more members of the same object that the same keyword disallows.
    var others: [[BodyStep]] = []
  }

  /// A value of another kind is a separate change.
  private struct Key: Hashable {
    let path: [BodyStep]
    let schema: JSONPointer
    let type: FindingType
    let kind: JSONValue.Kind?

    /// Equal for all members that a keyword disallows in objects at one path.
    var ofObject: Key {
      Key(path: Array(path.dropLast()), schema: schema, type: type, kind: nil)
    }
  }

  /// Each complaint of a `required` lists all missing names.
  private struct Site: Hashable {
    let pointer: JSONPointer
    let schema: JSONPointer

    init(_ breach: SchemaBreach) {
      pointer = breach.pointer
      schema = breach.complaint.schemaPointer
    }
  }

  init(of found: JSONValue, _ foundShape: Shape, _ exampleShape: Shape) {
    places = BodyPlaces(of: found, foundShape)
    self.exampleShape = exampleShape
  }

  /// - Parameters:
  ///   - schema: of the body, in its contract.
  ///   - addedMax: more disallowed members of one object are reported together.
  mutating func take(_ complaints: [SchemaComplaint], of schema: JSONValue, addedMax: Int) {
    let contract = schema.document.root
    isCut = complaints.count >= BodySchema.complaintsMax
    var groups: [Group] = []
    var indexes: [Key: Int] = [:]
    var added: [Key: [Int]] = [:]
    var seen: Set<Site> = []
    for complaint in complaints {
      let place = places.place(at: complaint.instancePointer)
      let breaches = SchemaBreach.breaches(
        of: complaint, about: place?.value, schema: schema, in: contract)
      for breach in breaches where seen.insert(Site(breach)).inserted {
        let key = Key(
          path: Self.path(of: breach, place?.shape), schema: complaint.schemaPointer,
          type: breach.type, kind: breach.value?.kind)
        if let index = indexes[key] {
          groups[index].pointers.append(breach.pointer)
          continue
        }
        if breach.type == .schemaFieldAdded {
          let known = added[key.ofObject] ?? []
          if known.count >= addedMax, let last = known.last {
            groups[last].others.append(key.path)
            continue
          }
          added[key.ofObject] = known + [groups.count]
        }
        indexes[key] = groups.count
        groups.append(group(breach, key, place?.shape))
      }
    }
    differences = groups.map(difference)
  }

  private static func path(of breach: SchemaBreach, _ shape: Shape?) -> [BodyStep] {
    let container = breach.complaint.instancePointer
    let steps = shape?.path ?? container.tokens.map { .member($0) }
    return steps
      + breach.pointer.tokens.dropFirst(container.tokens.count).map { .member($0) }
  }

  private func group(_ breach: SchemaBreach, _ key: Key, _ shape: Shape?) -> Group {
    let isMissing = breach.type == .schemaFieldRemoved
    let example = shape.flatMap { exampleShape.shape(atPath: $0.path) }
    let named = breach.pointer.tokens.last.flatMap { example?.member($0) }
    return Group(
      first: breach, key: key, pointers: [breach.pointer],
      total: (isMissing ? shape?.count(.object) : shape?.count) ?? 1,
      isRepeated: shape?.isRepeated ?? false,
      example: (isMissing ? named : example)?.first)
  }

  private func difference(_ group: Group) -> ResponseDifference {
    let breach = group.first
    let isMissing = breach.type == .schemaFieldRemoved
    let count = min(group.pointers.count, group.total)
    let least = isCut ? "at least " : ""
    let note = group.isRepeated ? "in \(least)\(count) of \(group.total.of("element"))" : ""
    let more =
      group.others.isEmpty ? "" : ", and \(least)\(Set(group.others).count) more"
    return ResponseDifference(
      type: breach.type,
      subject: "\(group.key.schema) \(group.key.kind?.rawValue ?? "missing")",
      message: breach.message + (note.isEmpty ? "" : (isMissing ? " " : ", ") + note) + more,
      position: breach.complaint.schemaPlace.position, path: group.key.path,
      others: group.others, schemaPointer: group.key.schema,
      pointers: group.pointers,
      diff: ResponseDifference.diff(
        group.example, breach.value, key: breach.pointer.tokens.last))
  }
}

/// Finds the values at places of a body; looking up neighbours together is cheap.
private struct BodyPlaces {
  typealias Place = (value: JSONValue, shape: Shape?)
  private let root: Place
  private var container: (pointer: JSONPointer, place: Place?)?
  /// An index of the container, if it is large.
  private var children: [ExactText: JSONValue] = [:]

  init(of found: JSONValue, _ shape: Shape) { root = (found, shape) }

  mutating func place(at pointer: JSONPointer) -> Place? {
    guard let parent = pointer.parent, let token = pointer.tokens.last else { return root }
    if container?.pointer != parent { enter(parent) }
    guard let place = container?.place else { return nil }
    let value = children.isEmpty ? place.value.value(at: [token]) : children[ExactText(token)]
    return value.map { ($0, place.shape?.shape(at: token, of: place.value.kind)) }
  }

  private mutating func enter(_ pointer: JSONPointer) {
    var place: Place? = root
    for token in pointer.tokens {
      place = place.flatMap { place in
        place.value.value(at: [token]).map {
          ($0, place.shape?.shape(at: token, of: place.value.kind))
        }
      }
    }
    container = (pointer, place)
    children = [:]
    guard let value = place?.value, value.count > 16 else { return }
    if value.kind == .array {
      for (index, element) in value.elements.enumerated() {
        children[ExactText("\(index)")] = element
      }
    } else {
      // The last of duplicate keys counts.
      for member in value.members { children[ExactText(member.key)] = member.value }
    }
  }
}
