import UnderstudyCore
package import UnderstudyJSON
package import UnderstudySchema

/// Which requests a contract answers.
package struct RequestPattern: Sendable {
  package let method: String
  /// Relative to the upstream's base URL; never empty, the first is `path`, then `also`.
  package let paths: [PathTemplate]
  /// What is asked of path, query and headers.
  package let parameters: [Condition]
  package let body: BodyCondition?

  package var path: String { paths.first?.text ?? "/" }

  /// How much is asked beyond method and path: of two contracts for one path the more wins.
  package var conditionCount: Int {
    parameters.count { $0.isAsking } + (body?.tests.count ?? 0)
  }
}

/// A path whose segments are literal or parameters: `/orgs/{org}/repos`.
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

  package var parameterNames: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}

/// What is asked of one part of a request.
package struct Condition: Sendable {
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case path, query, header
  }

  package enum Test: Sendable {
    /// It must be there, whatever it is.
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
  /// As requests are searched for it: of a header in lower case.
  package let lookupName: String
  package let test: Test
  package let isOptional: Bool
  /// What is sent when the contract's own request is made: several values of a query parameter that
  /// is repeated.
  package let example: [String]?
  package let source: JSONValue

  init(
    _ part: Part, _ name: String, _ test: Test, isOptional: Bool = false, example: [String]? = nil,
    source: JSONValue
  ) {
    self.part = part
    self.name = name
    lookupName = part == .header ? name.lowercased() : name
    self.test = test
    self.isOptional = isOptional
    self.example = example
    self.source = source
  }

  /// `query.page`
  package var key: String { "\(part.rawValue).\(name)" }

  /// The same for two spellings of one header.
  var lookupKey: String { "\(part.rawValue).\(lookupName)" }

  /// Whether some requests to the path fail it.
  package var isAsking: Bool {
    if case .present = test { part != .path && !isOptional } else { true }
  }

  /// Whether the value, or `nil` for a missing one, is as asked.
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

  /// Whether all values that a request has are as asked: of several one is enough, unless all are
  /// named.
  func accepts(all values: [String]) -> Bool {
    guard case .values(let expected) = test else {
      return values.isEmpty ? accepts(nil) : values.contains { accepts($0) }
    }
    return values.isEmpty ? isOptional : values.map(ExactText.init) == expected.map(ExactText.init)
  }
}

/// What is asked of a request's body; all tests must hold.
package struct BodyCondition: Sendable {
  package enum Test: Sendable {
    case equals(JSONValue)
    /// At least this: members named, array elements at their places.
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
