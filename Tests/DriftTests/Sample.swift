import UnderstudyJSON

/// JSON to be changed.
indirect enum Sample: Sendable {
  case null
  case bool(Bool)
  /// As it is spelled.
  case number(String)
  case string(String)
  case array([Sample])
  case object([(String, Sample)])

  static func number(_ value: Int) -> Sample { .number("\(value)") }

  init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .boolean: self = .bool(value.bool ?? false)
    case .number: self = .number(String(decoding: value.compact, as: UTF8.self))
    case .string: self = .string(value.string ?? "")
    case .array: self = .array(value.elements.map(Sample.init))
    case .object: self = .object(value.members.map { ($0.key, Sample($0.value)) })
    }
  }

  var json: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text
    case .string(let text): text.quoted
    case .array(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\($0.quoted):\($1.json)" }.joined(separator: ","))}"
    }
  }

  /// Its values that hold no other, changed.
  func mapLeaves(_ change: (Sample) -> Sample) -> Sample {
    switch self {
    case .array(let elements): .array(elements.map { $0.mapLeaves(change) })
    case .object(let members): .object(members.map { ($0, $1.mapLeaves(change)) })
    default: change(self)
    }
  }

  func mapTexts(_ change: (String) -> String) -> Sample {
    mapLeaves { if case .string(let text) = $0 { .string(change(text)) } else { $0 } }
  }

  func mapIntegers(_ change: (Int) -> Sample) -> Sample {
    mapLeaves { if case .number(let text) = $0, let n = Int(text) { change(n) } else { $0 } }
  }

  func mapKeys(_ change: (String) -> String) -> Sample {
    switch self {
    case .array(let elements): .array(elements.map { $0.mapKeys(change) })
    case .object(let members): .object(members.map { (change($0), $1.mapKeys(change)) })
    default: self
    }
  }

  /// The object, or each object of the list, with its members changed.
  func mapMembers(_ change: ([(String, Sample)]) -> [(String, Sample)]) -> Sample {
    switch self {
    case .object(let members): .object(change(members))
    case .array(let elements):
      .array(
        elements.map { element in
          guard case .object(let members) = element else { return element }
          return .object(change(members))
        })
    default: self
    }
  }

  /// What is inside of the objects and lists in it, changed.
  func mapInner(_ change: (Sample) -> Sample) -> Sample {
    mapMembers { members in
      members.map { name, value in
        switch value {
        case .array(let elements) where !elements.isEmpty: (name, change(value))
        case .object(let inner) where !inner.isEmpty: (name, change(value))
        default: (name, value)
        }
      }
    }
  }

  /// A value of another type.
  var retyped: Sample {
    switch self {
    case .null: .string("was null")
    case .bool(let value): .string("\(value)")
    case .number(let text): .string(text)
    case .string: .number("7")
    case .array: .object([("items", self)])
    case .object(let members): .array(members.map(\.1))
    }
  }

  /// Nothing of the same type.
  var emptied: Sample {
    switch self {
    case .string: .string("")
    case .array: .array([])
    case .object: .object([])
    default: self
    }
  }
}
