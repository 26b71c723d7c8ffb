package import UnderstudyCore
package import UnderstudyJSON
package import UnderstudySchema

/// A condition on one part of a request.
///
/// A class, since it never changes and requests compare with many.
package final class Condition: Sendable {
  /// Where in a request the value is, as the first word of a key in a contract: `query` in
  /// `query.page`.
  package enum Part: String, Hashable, Sendable {
    case path, query, header
    /// A field of a form, or a part of one in several parts.
    case form, multipart
    /// A named string of the upstream's state.
    case state

    /// The parts that a request has beside its body.
    static let ofParameters = [Self.path, .query, .header]

    /// The name in a key of this part: `page` in `query.page`.
    func name(in key: String) -> String? {
      let (bytes, own) = (key.utf8, rawValue.utf8)
      guard bytes.count > own.count, bytes.starts(with: own) else { return nil }
      let dot = bytes.index(bytes.startIndex, offsetBy: own.count)
      return bytes[dot] == UInt8(ascii: ".") ? String(Substring(bytes[dot...].dropFirst())) : nil
    }
  }

  /// What a value is compared with.
  package enum Test: Sendable {
    /// Any value, but not absent.
    case present
    case equals(String)
    /// All values of a query parameter, in this order.
    case values([String])
    case oneOf([String])
    case matches(Pattern)
    case date(DateCondition)
    case absent
    /// No value has a name that is not among these.
    case noOthers([String])
  }

  /// The name that stands for all parameters without a condition of their own.
  static let otherNames = "*"

  package let part: Part
  package let name: String
  /// `query.page`
  package let key: String
  /// The name used to search requests: lower case for a header.
  package let lookupName: String
  package let test: Test
  /// What must not hold beside the test.
  package let exclusion: Condition?
  package let isOptional: Bool
  /// What is sent when the contract's own request is made. A repeated query parameter has several
  /// values.
  package let example: [String]?
  package let source: JSONValue
  /// Whether some requests to the path do not meet it.
  package let isAsking: Bool

  init(
    _ part: Part, _ name: String, _ test: Test, except exclusion: Condition? = nil,
    isOptional: Bool = false, example: [String]? = nil, source: JSONValue
  ) {
    self.part = part
    self.name = name
    key = part.rawValue + "." + name
    lookupName = part == .header ? name.lowercased() : name
    self.test = test
    self.exclusion = exclusion
    self.isOptional = isOptional
    self.example = example
    self.source = source
    isAsking =
      if exclusion != nil {
        true
      } else if case .present = test {
        part != .path && !isOptional
      } else {
        true
      }
  }

  private init(serving other: Condition) {
    part = other.part
    name = other.name
    key = other.key
    lookupName = other.lookupName
    test = other.test
    exclusion = other.exclusion?.forServing()
    isOptional = other.isOptional
    example = other.example
    source = .null
    isAsking = other.isAsking
  }

  /// This condition without its place in the file.
  func forServing() -> Condition { Condition(serving: self) }

  /// The key to find the value by: equal for two spellings of one header.
  var lookupKey: String { part == .header ? part.rawValue + "." + lookupName : key }

  /// Whether no value meets the condition.
  package var acceptsAbsence: Bool { accepts(nil, at: .epoch) }

  /// Whether the value meets the condition now; `nil` stands for a missing one.
  package func accepts(_ value: String?, at now: Moment) -> Bool {
    meetsTest(value, now) && exclusion?.accepts(value, at: now) != true
  }

  private func meetsTest(_ value: String?, _ now: Moment) -> Bool {
    guard let value else {
      if case .absent = test { return true }
      return isOptional
    }
    return switch test {
    case .present: true
    case .equals(let expected): ExactText(value) == ExactText(expected)
    case .values(let expected): expected.count == 1 && ExactText(value) == ExactText(expected[0])
    case .oneOf(let expected): expected.contains { ExactText(value) == ExactText($0) }
    case .matches(let pattern): pattern.matches(value)
    case .date(let date): date.accepts(value, at: now)
    case .absent: false
    case .noOthers(let names): names.contains { ExactText(value) == ExactText($0) }
    }
  }

  /// Whether a request's values meet the condition: one of them is enough, unless the condition
  /// names all values.
  func accepts(all values: [String], at now: Moment) -> Bool {
    meetsTest(all: values, now) && exclusion?.accepts(all: values, at: now) != true
  }

  private func meetsTest(all values: [String], _ now: Moment) -> Bool {
    switch test {
    case .values(let expected):
      values.isEmpty ? isOptional : values.map(ExactText.init) == expected.map(ExactText.init)
    case .noOthers: values.allSatisfy { meetsTest($0, now) }
    default: values.isEmpty ? meetsTest(nil, now) : values.contains { meetsTest($0, now) }
    }
  }
}
