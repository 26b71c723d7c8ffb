import Foundation
import Testing

@testable import UnderstudyTool

/// The built tool where it may not finish what it writes, or not begin.
@Suite struct KilledWriterTests {
  private static func names(_ suite: SmallSuite) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: suite.folder.path)
      .filter { $0.contains(".tmp") || $0.contains("json") }.sorted()
  }

  /// The kernel kills a process in the call by which it would write more than it may.
  @Test("leaves the old file when it is killed in the middle, and nothing that lasts")
  func killed() async throws {
    let suite = try SmallSuite()
    try suite.write("report.json", "old")
    let folder = suite.folder
    // What starts the tests may ignore the signal, and so would all that they start.
    let command =
      "ulimit -c 0; ulimit -f 1; exec env --default-signal=XFSZ '\(SmallSuite.tool.path)' test"
    let killed = try await offPool {
      try ProcessRun(
        "/bin/sh", ["-c", "\(command) --report json=report.json"], directory: folder)
    }
    #expect(killed.code == SIGXFSZ, "\(killed.output)\(killed.errors)")
    #expect(try suite.read("report.json") == "old")
    let names = try Self.names(suite)
    #expect(names.count == 2)
    #expect(names.first?.hasPrefix(".understudy-") == true)

    let run = try await suite.run(["test", "--report", "json=report.json"])
    #expect(run.code == 0)
    #expect(try Self.names(suite) == ["report.json"])
  }

  @Test("says which files it must not read or write")
  func closed() async throws {
    let suite = try SmallSuite()
    let contract = suite.folder.appendingPathComponent("Contracts/joke/random.json").path
    let closed = suite.folder.appendingPathComponent("closed")
    try FileManager.default.createDirectory(at: closed, withIntermediateDirectories: true)
    for path in [contract, closed.path] {
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    }
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed.path)
    }
    // Nothing is closed to the superuser but what these rights are taken for.
    let words =
      getuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
    let folder = suite.folder
    let run = { (more: [String]) in
      try await offPool {
        try ProcessRun(
          "/usr/bin/env", words + [SmallSuite.tool.path] + more, directory: folder)
      }
    }
    let lint = try await run(["lint"])
    #expect(
      lint.output.hasPrefix(
        """
        Contracts/joke/random.json: error: cannot read Contracts/joke/random.json: permission denied \
        [unreadable-file]
          fix: allow reading it with chmod: r for the file, r and x for the folders around it
        """))
    #expect(lint.code == 1)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: contract)
    let test = try await run(["test", "--report", "json=closed/report.json"])
    #expect(
      test.errors == """
        understudy: error: cannot write closed/report.json: permission denied
          fix: allow it with chmod: w for the file, w and x for the folder it is in

        """)
    #expect(test.code == 2)
  }
}
