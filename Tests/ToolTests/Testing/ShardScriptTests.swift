import Foundation
import Testing

@testable import UnderstudyTool

/// Runs the lines of the workflow and of the manifest as their systems would, on machines that are
/// folders here.
@Suite struct ShardScriptTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
  }

  // MARK: - GitHub

  private static func job(_ name: String) throws -> Substring {
    let workflow = try text(".github/workflows/shards.yml")
    let job = try #require(workflow.components(separatedBy: "\n  \(name):\n").dropFirst().first)
    return job[..<(job.firstMatch(of: /\n  \w+:\n/)?.range.lowerBound ?? job.endIndex)]
  }

  /// The lines that a job of the workflow runs.
  private static func lines(ofJob name: String) throws -> [String] {
    try job(name).matches(of: /- run: (.+)/).map { String($0.1) }
  }

  /// The variables of a job that come from expressions, with what those mean.
  private static func variables(
    ofJob name: String, _ meanings: [String: String]
  ) throws -> [String: String] {
    try job(name).matches(of: /\n +([A-Z]+): \$\{\{ (.+) \}\}/).reduce(into: [:]) {
      $0[String($1.1)] = meanings[String($1.2)]
    }
  }

  /// The shards of the workflow's matrix.
  private static func matrix() throws -> [String] {
    let list = try text(".github/workflows/shards.yml").firstMatch(of: /shard: \[([\d, ]+)\]/)
    return try #require(list).1.split(separator: ",").map { String($0.replacing(" ", with: "")) }
  }

  private static func workflow(
    _ suite: SmallSuite, shards: [String]? = nil
  ) async throws -> ProcessRun {
    try suite.write("tool/README", "")
    try FileManager.default.createSymbolicLink(
      at: suite.folder.appendingPathComponent("tool/showcase"),
      withDestinationURL: SmallSuite.tool)
    let matrix = try matrix()
    for shard in shards ?? matrix {
      let variables = try variables(
        ofJob: "shard", ["matrix.shard": shard, "strategy.job-total": "\(matrix.count)"])
      for line in try lines(ofJob: "shard") {
        let run = try await shell(line, suite, variables)
        #expect(run.errors == "" && run.code == 0, "\(line)\n\(run.errors)")
      }
    }
    var last: ProcessRun?
    for line in try lines(ofJob: "result") { last = try await shell(line, suite) }
    return try #require(last)
  }

  private static func shell(
    _ line: String, _ suite: SmallSuite, _ variables: [String: String] = [:]
  ) async throws -> ProcessRun {
    let script = suite.folder.appendingPathComponent("ci/deploy/shard")
    if !FileManager.default.fileExists(atPath: script.path) {
      try suite.write("ci/deploy/README", "")
      try FileManager.default.copyItem(
        at: Checkout.root.appendingPathComponent("ci/deploy/shard"), to: script)
    }
    let folder = suite.folder
    let own = [
      "UNDERSTUDY": "tool/showcase", "UNDERSTUDY_DURATIONS": "tool/durations.json",
      "GITHUB_STEP_SUMMARY": "summary.md", "UNDERSTUDY_SHARD": "",
    ]
    return try await offPool {
      try ProcessRun(
        "/bin/sh", ["-e", "-c", line], directory: folder,
        environment: own.merging(variables) { $1 })
    }
  }

  @Test("the workflow's shards give a result, and the durations for the next run")
  func github() async throws {
    #expect(try Self.lines(ofJob: "shard").count == 2)
    let suite = try SmallSuite()
    let first = try await Self.workflow(suite)
    #expect(first.output.contains("\n6 checks: 6 passed\n"), "\(first.output)\(first.errors)")
    #expect(first.code == 0)
    #expect(try suite.read("summary.md").contains("6 passed"))
    #expect(try suite.read("tool/durations.json").contains(#""plannedCount": 6"#))
    try FileManager.default.removeItem(at: suite.folder.appendingPathComponent("tool/showcase"))
    #expect(try await Self.workflow(suite).code == 0)
  }

  @Test("a failure and a lost machine are the workflow's result")
  func githubFailures() async throws {
    let failed = try await Self.workflow(SmallSuite(wrong: "four"))
    #expect(failed.output.contains("::error file=Contracts/joke/random.json"))
    #expect(failed.code == 1)
    let lost = try await Self.workflow(SmallSuite(), shards: ["1", "3"])
    #expect(lost.output.contains("no report of shard 2/3"))
    #expect(lost.code == 1)
  }

  // MARK: - Kubernetes

  /// What the containers of the manifest run, in their order.
  private static func commands(reports: String) throws -> [[String]] {
    try text("ci/deploy/kubernetes/shards.yaml").matches(of: /command: (\[.+\])/).map { match in
      let words = try JSONSerialization.jsonObject(with: Data(match.1.utf8)) as? [String]
      return try #require(words).map { $0.replacing("/reports", with: reports) }
    }
  }

  @Test("the pods of the manifest give a result")
  func kubernetes() async throws {
    let manifest = try Self.text("ci/deploy/kubernetes/shards.yaml")
    let counts = [/completions: (\d+)/, /parallelism: (\d+)/, /value: "(\d+)"/, /shard wait (\d+)/]
      .map { manifest.firstMatch(of: $0).map { String($0.1) } }
    #expect(counts == ["3", "3", "3", "3"])
    let suite = try SmallSuite()
    try suite.write("reports/README", "")
    let commands = try Self.commands(reports: "reports")
    #expect(commands.count == 2)
    for index in ["0", "1", "2"] {
      let run = try await Self.shell(
        commands[0][2], suite,
        [
          "UNDERSTUDY": SmallSuite.tool.path, "JOB_COMPLETION_INDEX": index,
          "UNDERSTUDY_SHARD_COUNT": "3", "GITLAB_CI": "", "CIRCLE_NODE_INDEX": "",
          "CIRCLE_NODE_TOTAL": "", "BUILDKITE_PARALLEL_JOB": "", "BUILDKITE_PARALLEL_JOB_COUNT": "",
        ])
      #expect(run.output.hasSuffix("\n2 checks: 2 passed\n"))
      #expect(run.errors.hasSuffix("UNDERSTUDY_SHARD_COUNT=3\n"))
      #expect(run.code == 0)
    }
    let result = try await Self.shell(
      commands[1][2], suite, ["UNDERSTUDY": SmallSuite.tool.path])
    #expect(result.output.contains("\n6 checks: 6 passed\n"), "\(result.output)")
    #expect(result.errors == "")
    #expect(result.code == 0)
  }

  @Test("waits no longer than the limit, and then says so")
  func wait() async throws {
    let suite = try SmallSuite()
    try suite.write("reports/1.json", "{}")
    let run = try await Self.shell("ci/deploy/shard wait 3 0 reports", suite)
    #expect(
      run.errors == "ci/deploy/shard: found 1 of 3 reports in reports within the time limit\n")
    #expect(run.code == 0)
  }

  @Test("a machine that could not run fails, and leaves no earlier report")
  func cannotRun() async throws {
    let suite = try SmallSuite()
    try suite.write("1.json", "{}")
    let run = try await Self.shell(
      "ci/deploy/shard run 1/3 1.json nothing", suite, ["UNDERSTUDY": SmallSuite.tool.path])
    #expect(run.errors.contains("nothing matches \"nothing\""))
    #expect(run.code == 2)
    #expect(throws: (any Error).self) { try suite.read("1.json") }
  }

  @Test("says how it is to be used", arguments: ["", "run 1/3", "wait 3", "merge", "rum 1/3 a"])
  func usage(words: String) async throws {
    let run = try await Self.shell("ci/deploy/shard \(words)", SmallSuite())
    #expect(run.errors.hasPrefix("usage: ci/deploy/shard run SHARD FILE [ARGUMENT...]"))
    #expect(run.errors.split(separator: "\n").count == 3)
    #expect(run.code == 2)
  }
}
