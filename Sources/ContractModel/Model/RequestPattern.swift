import UnderstudyCore
package import UnderstudyJSON
package import UnderstudySchema

/// The requests that a contract answers.
package final class RequestPattern: Sendable {
  package let method: String
  /// Relative to the upstream's base URL; never empty. `path` comes first, then `also`.
  package let paths: [PathTemplate]
  /// Conditions on path, query and headers.
  package let parameters: [Condition]
  package let body: BodyCondition?
  /// The names in all paths; empty where there are few, which are searched.
  private let manyPathParameters: Set<String>

  init(
    method: String, paths: [PathTemplate], parameters: [Condition], body: BodyCondition?
  ) {
    self.method = method
    self.paths = paths
    let names = paths.flatMap(\.parameterNames)
    manyPathParameters = names.count > 16 ? Set(names) : []
    self.parameters = parameters
    self.body = body
  }

  /// Whether one of the paths has a parameter of this name.
  func hasPathParameter(_ name: String) -> Bool {
    manyPathParameters.isEmpty
      ? paths.contains { $0.has(name) } : manyPathParameters.contains(name)
  }

  package var path: String { paths.first?.text ?? "/" }

  /// The number of conditions beyond method and path. Of two contracts for one path, the one with
  /// more wins.
  package var conditionCount: Int {
    parameters.count { $0.isAsking } + (body?.tests.count ?? 0)
  }
}

/// A path of literal segments and parameters: `/orgs/{org}/repos`.
package struct PathTemplate: Hashable, Sendable {
  package enum Segment: Hashable, Sendable {
    /// After percent-decoding.
    case literal(String)
    case parameter(String)

    package static func == (left: Self, right: Self) -> Bool {
      switch (left, right) {
      case (.literal(let left), .literal(let right)): ExactText(left) == ExactText(right)
      case (.parameter(let left), .parameter(let right)): left == right
      case (.literal, .parameter), (.parameter, .literal): false
      }
    }

    package func hash(into hasher: inout Hasher) {
      switch self {
      case .literal(let text): hasher.combine(ExactText(text))
      case .parameter(let name): hasher.combine(name)
      }
    }
  }

  package let text: String
  package let segments: [Segment]

  func has(_ parameter: String) -> Bool {
    segments.contains { if case .parameter(parameter) = $0 { true } else { false } }
  }

  package var parameterNames: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}

/// A condition on one part of a request.
///
/// A class, since it never changes and requests compare with many.
package final class Condition: Sendable {
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case path, query, header

    /// The name in a key of this part: `page` in `query.page`.
    func name(in key: String) -> String? {
      let (bytes, own) = (key.utf8, rawValue.utf8)
      guard bytes.count > own.count, bytes.starts(with: own) else { return nil }
      let dot = bytes.index(bytes.startIndex, offsetBy: own.count)
      return bytes[dot] == UInt8(ascii: ".") ? String(Substring(bytes[dot...].dropFirst())) : nil
    }
  }

  package enum Test: Sendable {
    /// Any value, but not absent.
    case present
    case equals(String)
    /// All values of a query parameter, in this order.
    case values([String])
    case oneOf([String])
    case matches(Pattern)
    case absent
  }

  package let part: Part
  package let name: String
  /// `query.page`
  package let key: String
  /// The name used to search requests: lower case for a header.
  package let lookupName: String
  package let test: Test
  package let isOptional: Bool
  /// What is sent when the contract's own request is made. A repeated query parameter has several
  /// values.
  package let example: [String]?
  package let source: JSONValue

  init(
    _ part: Part, _ name: String, _ test: Test, isOptional: Bool = false, example: [String]? = nil,
    source: JSONValue
  ) {
    self.part = part
    self.name = name
    key = part.rawValue + "." + name
    lookupName = part == .header ? name.lowercased() : name
    self.test = test
    self.isOptional = isOptional
    self.example = example
    self.source = source
  }

  private init(playing other: Condition) {
    part = other.part
    name = other.name
    key = other.key
    lookupName = other.lookupName
    test = other.test
    isOptional = other.isOptional
    example = other.example
    source = .null
  }

  /// The same without its place in the file.
  func forPlaying() -> Condition { Condition(playing: self) }

  /// The same for two spellings of one header.
  var lookupKey: String { part == .header ? part.rawValue + "." + lookupName : key }

  /// Whether some requests to the path do not meet it.
  package var isAsking: Bool {
    if case .present = test { part != .path && !isOptional } else { true }
  }

  /// Whether the value meets the condition; `nil` stands for a missing one.
  package func accepts(_ value: String?) -> Bool {
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
    case .absent: false
    }
  }

  /// Whether a request's values meet the condition: one of them is enough, unless the condition
  /// names all values.
  func accepts(all values: [String]) -> Bool {
    guard case .values(let expected) = test else {
      return values.isEmpty ? accepts(nil) : values.contains { accepts($0) }
    }
    return values.isEmpty ? isOptional : values.map(ExactText.init) == expected.map(ExactText.init)
  }
}

/// Conditions on a request's body; all must hold.
package struct BodyCondition: Sendable {
  package enum Test: Sendable {
    case equals(JSONValue)
    /// At least this: the named members, and array elements at their indices.
    case contains(JSONValue)
    case schema(Schema)
    case text(String)
    case matches(Pattern)
  }

  package let tests: [Test]
  /// The JSON sent when the contract's own request is made.
  package let example: JSONValue?
  package let source: JSONValue
}
