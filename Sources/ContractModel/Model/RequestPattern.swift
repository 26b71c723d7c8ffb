import UnderstudyCore

/// The requests that a contract responds to.
package final class RequestPattern: Sendable {
  /// Those that a contract may have.
  package static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

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

  /// The names of the query parameters that it has conditions on.
  var queryNames: [String] { parameters.filter { $0.part == .query }.map(\.name) }

  package var path: String { paths.first?.text ?? "/" }

  /// The number of conditions beyond method and path. Of two contracts for one path, the one with
  /// more wins.
  package var conditionCount: Int {
    parameters.count { $0.isAsking } + (body?.conditionCount ?? 0)
  }
}

/// A path of literal segments and parameters, `/orgs/{org}/repos`, and whatever may follow them:
/// `/files/{rest...}`.
package struct PathTemplate: Hashable, Sendable {
  /// What stands between two slashes of a template.
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
  /// Without the tail.
  package let segments: [Segment]
  /// The parameter that takes all further segments, if there are any.
  package let tail: String?

  func has(_ parameter: String) -> Bool {
    tail == parameter
      || segments.contains { if case .parameter(parameter) = $0 { true } else { false } }
  }

  package var parameterNames: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
      + (tail.map { [$0] } ?? [])
  }
}
