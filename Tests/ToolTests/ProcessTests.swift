import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// Runs the built tool: what only a process of its own can show.
@Suite struct ProcessTests {
  @Test("prints the version", arguments: ["--version", "-v"])
  func version(word: String) throws {
    let run = try ProcessRun(Checkout.tool.path, [word])
    #expect(run.output == "understudy \(Understudy.version)\n")
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test("without a command shows help and fails, so that a missing word does not pass")
  func noCommand() throws {
    let run = try ProcessRun(Checkout.tool.path, [])
    #expect(run.output == HelpPage(Understudy.command).text)
    #expect(
      run.errors == """
        understudy: error: no command given
          fix: name one: init, record, lint, list, explain, serve, use, call, ca, test, run, merge, reads, drift, history, import, export, wiremock, completions, help

        """)
    #expect(run.code == 2)
  }

  @Test("ends quietly when the reader has left")
  func brokenPipe() throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let process = Process()
    let errors = Pipe()
    process.executableURL = Checkout.tool
    process.arguments = ["--help"]
    (process.standardOutput, process.standardError) = (pipe, errors)
    try process.run()
    process.waitUntilExit()
    #expect(errors.fileHandleForReading.readOn().isEmpty)
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
  }

  @Test("says so when the output cannot be written")
  func fullDisk() throws {
    let run = try Self.shell("understudy --version > /dev/full")
    #expect(
      run.errors == """
        understudy: error: cannot write the output: no space left on device
          fix: write it to a place with free space

        """)
    #expect(run.code == 2)
  }

  @Test(
    "says so when its arguments cannot be read",
    .enabled(
      if: WrittenFileTests.mayMount, "this machine lets no user make a name space of mounts"))
  func noProc() throws {
    let run = try ProcessRun(
      "/usr/bin/env",
      [
        "unshare", "-rm", "sh", "-c", "mount -t tmpfs none /proc && exec \"$0\" lint",
        Checkout.tool.path,
      ])
    #expect(
      run.errors == """
        understudy: error: no arguments, not even the program's name: /proc cannot be read
          fix: mount it: mount -t proc proc /proc

        """)
    #expect(run.code == 2)
  }

  @Test("prints no colour into a pipe, whatever the terminal is")
  func plain() throws {
    let run = try ProcessRun(
      Checkout.tool.path, ["lnt"], environment: ["TERM": "xterm-256color"])
    #expect(!run.errors.contains("\u{1B}"))
  }

  @Test(
    "without libcurl, a command that would send requests says what to install",
    arguments: [
      "call dog-ceo/random-images", "record http://127.0.0.1:9/dogs", "serve --record", "drift",
    ])
  func noLibrary(line: String) throws {
    let run = try Self.withoutLibrary(line)
    #expect(
      run.errors == """
        understudy: error: cannot load libcurl, which sends requests: libraries/libcurl.so.4: file too short
          fix: install it: apt-get install libcurl4

        """)
    #expect(run.output == "")
    #expect(run.code == 2)
  }

  @Test("other commands need no libcurl", arguments: ["lint", "list", "run -- true", "help"])
  func needsNoLibrary(line: String) throws {
    let run = try Self.withoutLibrary(line)
    #expect(!run.errors.contains("libcurl"))
    #expect(run.code != 2)
  }

  /// Runs a command where the system finds a broken file in place of libcurl.
  private static func withoutLibrary(_ line: String) throws -> ProcessRun {
    let samples = try SampleContracts(["libraries/libcurl.so.4": ""])
    return try ProcessRun(
      Checkout.tool.path, line.split(separator: " ").map { String($0) },
      directory: samples.folder, environment: ["LD_LIBRARY_PATH": "libraries"])
  }

  private static func shell(_ script: String) throws -> ProcessRun {
    try ProcessRun(
      "/bin/sh", ["-c", script], directory: Checkout.root,
      environment: ["PATH": "\(Checkout.products.path):/usr/bin:/bin"])
  }
}
