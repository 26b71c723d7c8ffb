import Synchronization
import Testing
import UnderstudyTesting

/// The issues that code records, in place of failing the test.
final class Failures: Sendable {
  private let found = Mutex<[(text: String, line: Int)]>([])

  var texts: [String] { found.withLock { $0.map(\.text) } }

  var lines: [Int] { found.withLock { $0.map(\.line) } }

  func collect(_ body: @escaping @Sendable () async throws -> Void) async {
    // What it throws is an issue, too.
    try? await withKnownIssue {
      try await body()
    } matching: { [self] issue in
      let text = issue.comments.first?.rawValue ?? issue.error.map { "\($0)" } ?? "\(issue)"
      found.withLock { $0.append((text, issue.sourceLocation?.line ?? 0)) }
      return true
    }
  }

  /// As if the test that runs had the trait and this body.
  static func run(
    _ trait: FakeTrait, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    let test = try #require(Test.current)
    try await trait.provideScope(for: test, testCase: nil, performing: body)
  }
}
