import Foundation
import Testing
import UnderstudyConsumers
import UnderstudyContractModel

@testable import UnderstudySuite

/// What commands read is learned by what they do without it.
@Suite struct ReadsLearningTests {
  /// What is learned of a script in a folder of its own, where it may leave notes for its next run.
  private static func paths(of script: String, body: String) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reads \(UUID().uuidString)")
    let contracts = folder.appendingPathComponent("Contracts")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (path, text) in [
      "consumers.json": """
      { "cli": { "upstreams": ["api"], "command": ["/bin/sh", "script.sh"] } }
      """,
      "api/upstream.json": #"{ "baseURL": "https://api.example.com" }"#,
      "api/thing.json": """
      { "request": { "method": "GET", "path": "/thing" },
        "cases": { "ok": { "status": 200, "body": \(body), "expect": { "cli": { "exitCode": 0 } } } } }
      """,
      "../script.sh": """
      body=$(curl -sS "$UNDERSTUDY_URL_API/thing") || exit 9
      echo ok
      \(script)
      """,
    ] {
      let file = contracts.appendingPathComponent(path).standardizedFileURL
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let library = try ContractLibrary.load([contracts.path])
    #expect(library.findings.filter { $0.severity == .error } == [])
    let plan = SuitePlan(library, ConsumerRegistry([]))
    #expect(plan.checks.count == 1)
    let results = await ReadsLearning(library, programs: [:]).results(of: plan.checks) { _ in }
    #expect(results.failures.map(\.reason) == [])
    return try #require(results.entries.first).paths.sorted()
  }

  @Test("a part without which it ends in another way is read, and so are the parts in it")
  func parts() async throws {
    let paths = try await Self.paths(
      of: #"case $body in *'"x":'*) ;; *) exit 1;; esac"#,
      body: #"{ "a": { "x": 1, "y": 2 }, "b": [1] }"#)
    #expect(paths == ["/a", "/a/x"])
  }

  @Test("a part without which it prints something else is read")
  func output() async throws {
    let paths = try await Self.paths(
      of: #"echo "$body" | grep -o '"b":[0-9]*' || true"#, body: #"{ "a": 1, "b": 2 }"#)
    #expect(paths == ["/b"])
  }

  @Test("one flaky ending says nothing: a part must be missed twice")
  func flaky() async throws {
    let paths = try await Self.paths(
      of: """
        case $body in *'"a":'*) ;; *) exit 1;; esac
        # Fails once without b, and not again.
        case $body in *'"b":'*) ;; *) mkdir flaked 2>/dev/null && exit 2;; esac
        exit 0
        """, body: #"{ "a": 1, "b": 2, "c": 3 }"#)
    #expect(paths == ["/a"])
  }
}
