import Testing
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

extension SecureServer {
  /// Expects that curl shows this of a request through the server as its proxy, and the status.
  func curl(
    _ arguments: String, shows expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let shown = try await curl(arguments)
    #expect(shown.hasSuffix(expected), "\(shown)", sourceLocation: sourceLocation)
  }

  /// What curl shows of a request through the server as its proxy, and the status.
  func curl(_ arguments: String) async throws -> String {
    try await Program.output(
      of: "no_proxy= curl -sS -x http://127.0.0.1:\(port) --cacert \(trustFile)"
        + " -w ' %{http_code}' \(arguments) 2>&1 || true")
  }
}
