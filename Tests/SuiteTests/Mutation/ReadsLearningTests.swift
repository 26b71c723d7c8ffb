import Foundation
import Synchronization
import Testing
import UnderstudyConsumers
import UnderstudyContractModel

@testable import UnderstudySuite

/// What commands read is learned by what they do without it.
@Suite struct ReadsLearningTests {
  /// What is learned of a script in a folder of its own, where it may leave notes for its next run.
  private static func paths(of script: String, body: String) async throws -> [String] {
    let results = try await results(of: "echo ok\n\(script)", body: body)
    #expect(results.failures.map(\.reason) == [])
    return try #require(results.entries.first).paths.sorted()
  }

  private static func results(
    of script: String, body: String, within limit: Duration? = nil,
    learned: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> ReadsLearning.Results {
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
    #expect(plan.checks.map(ReadsLearning.canLearn) == [true])
    return await ReadsLearning(library, programs: ["cli": "p1"]).results(
      of: plan.checks, within: limit, learned: learned)
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

  @Test(
    "what shows nothing of what it reads is said, and why",
    arguments: [
      ("exit 0", "{}", "it prints nothing, so what it reads does not show"),
      (
        "echo $$", #"{ "a": 1 }"#, "it prints something else for the same response"
      ),
      (
        "exit 3", #"{ "a": 1 }"#,
        "the original response does not give the expected exit code and output"
      ),
      (
        "kill -9 $$", #"{ "a": 1 }"#,
        "the original response does not give the expected exit code and output"
      ),
      (
        "echo ok", "{ \((0...500).map { "\"m\($0)\": 1" }.joined(separator: ", ")) }",
        "its response has more than 500 parts"
      ),
    ])
  func failures(script: String, body: String, reason: String) async throws {
    let counts = Mutex<[Int]>([])
    let results = try await Self.results(of: script, body: body) { count in
      counts.withLock { $0.append(count) }
    }
    #expect(
      results.failures.map { "\($0.check): \($0.reason)" } == ["api/thing#ok, cli: \(reason)"])
    #expect(results.entries == [])
    #expect(counts.withLock { $0 } == [1])
  }

  @Test("an entry says of which contract, command and program it is")
  func entry() async throws {
    let counts = Mutex<[Int]>([])
    let results = try await Self.results(of: "echo \"$body\"", body: #"{ "*": [{ "a/b": 1 }, 2] }"#)
    {
      count in counts.withLock { $0.append(count) }
    }
    let entry = try #require(results.entries.first)
    #expect(
      [entry.contract, entry.caseName, entry.consumer, entry.program] == [
        "api/thing", "ok", "cli", "p1",
      ])
    #expect(entry.paths == ["/*", "/*/*", "/*/*/a~1b"])
    #expect(results.entries.count == 1 && results.failures.isEmpty)
    #expect(counts.withLock { $0 } == [1])
  }

  @Test("when the time is over, what was not learned is neither an entry nor a failure")
  func timeLimit() async throws {
    let results = try await Self.results(
      of: "exec sleep 1000", body: #"{ "a": 1 }"#, within: .zero)
    #expect(results.entries == [] && results.failures.isEmpty)
    let whole = try await Self.results(
      of: "echo \"$body\"", body: #"{ "a": 1 }"#, within: .seconds(300))
    #expect(whole.entries.map(\.paths) == [["/a"]])
  }
}
