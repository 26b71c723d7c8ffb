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

/// Makes one difference of all elements that violate a schema in the same way.
struct SchemaComparison {
  private(set) var differences: [Difference] = []
  /// Whether there may be more complaints than requested.
  private var isCut = false
  private var places: BodyPlaces
  private let exampleShape: Shape

  private struct Group {
    var difference: Difference
    /// The number of values at such places, or of objects that could have the member.
    let total: Int
    let isRepeated: Bool
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
    // Each complaint of a `required` lists all missing names.
    var seen: Set<[JSONPointer]> = []
    for complaint in complaints {
      let place = places.place(at: complaint.instancePointer)
      let keyword = contract.value(at: complaint.schemaPointer)
      let type = FindingType(complaint, of: place?.value, keyword, schema)
      for name in Self.missing(complaint, in: place?.value, keyword) {
        let pointer = name.map(complaint.instancePointer.appending) ?? complaint.instancePointer
        guard seen.insert([pointer, complaint.schemaPointer]).inserted else { continue }
        let key = Key(
          path: Self.path(to: name, complaint, place?.shape), schema: complaint.schemaPointer,
          type: type, kind: name == nil ? place?.value.kind : nil)
        if let index = indexes[key] {
          groups[index].difference.pointers.append(pointer)
          continue
        }
        if type == .schemaFieldAdded {
          let known = added[key.ofObject] ?? []
          if known.count >= addedMax, let last = known.last {
            groups[last].difference.others.append(key.path)
            continue
          }
          added[key.ofObject] = known + [groups.count]
        }
        indexes[key] = groups.count
        groups.append(group(key, complaint, missing: name, at: pointer, place))
      }
    }
    differences = groups.map(worded)
  }

  /// The names of the members that a complaint misses; `nil` for one about the value itself.
  private static func missing(
    _ complaint: SchemaComplaint, in value: JSONValue?, _ keyword: JSONValue?
  ) -> [String?] {
    guard complaint.keyword == "required", let value, let keyword else { return [nil] }
    return keyword.elements.compactMap(\.string).filter { value[$0] == nil }
  }

  private static func path(
    to name: String?, _ complaint: SchemaComplaint, _ shape: Shape?
  ) -> [BodyStep] {
    (shape?.path ?? complaint.instancePointer.tokens.map { .member($0) })
      + (name.map { [.member($0)] } ?? [])
  }

  private func group(
    _ key: Key, _ complaint: SchemaComplaint, missing name: String?, at pointer: JSONPointer,
    _ place: BodyPlaces.Place?
  ) -> Group {
    let isMissing = key.type == .schemaFieldRemoved
    let shape = place?.shape
    let example = shape.flatMap { exampleShape.shape(atPath: $0.path) }
    let token = pointer.tokens.last
    let expected = isMissing ? token.flatMap { example?.member($0) } : example
    return Group(
      difference: Difference(
        type: key.type, subject: "\(key.schema) \(key.kind?.rawValue ?? "missing")",
        message: name.map { "missing \($0.shown)" } ?? Self.shown(complaint, of: place?.value),
        position: complaint.schemaPlace.position, path: key.path, schemaPointer: key.schema,
        pointers: [pointer],
        diff: Difference.diff(
          expected?.first, name == nil ? place?.value : nil, key: token)),
      total: (isMissing ? shape?.count(.object) : shape?.count) ?? 1,
      isRepeated: shape?.isRepeated ?? false)
  }

  /// The schema's message, unless it would show a secret.
  private static func shown(_ complaint: SchemaComplaint, of value: JSONValue?) -> String {
    let isSecret = complaint.instancePointer.tokens.contains(where: SecretNames.standard.hides)
    guard isSecret, let value else { return complaint.message }
    return "this \(value.kind.rawValue) violates \(complaint.keyword.quoted)"
  }

  /// The difference with how often it was found.
  private func worded(_ group: Group) -> Difference {
    var difference = group.difference
    let least = isCut ? "at least " : ""
    if group.isRepeated {
      let count = min(difference.pointers.count, group.total)
      difference.message += difference.type == .schemaFieldRemoved ? " " : ", "
      difference.message += "in \(least)\(count) of \(group.total.of("element"))"
    }
    if !difference.others.isEmpty {
      difference.message += ", and \(least)\(Set(difference.others).count) more"
    }
    return difference
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
