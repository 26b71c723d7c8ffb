import Foundation
import Testing

@testable import UnderstudyTool

/// `understudy serve --open`.
@Suite struct PageOpeningTests {
  @Test("it opens the dashboard by xdg-open")
  func opens() throws {
    let samples = try SampleContracts()
    let program = samples.folder.appending(path: "xdg-open")
    try Data("#!/bin/sh\necho \"opened $1\"\n".utf8).write(to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    let end = try Self.errors(["--open"], in: samples.folder, path: samples.folder.path)
    #expect(end == "opened http://127.0.0.1:PORT/__understudy/\n")
  }

  @Test("without xdg-open it says so, and serves")
  func opensNothing() throws {
    let samples = try SampleContracts()
    let end = try Self.errors(["--open"], in: samples.folder, path: "/nowhere")
    #expect(
      end == """
        understudy: error: cannot open a browser: no xdg-open on the PATH
          fix: open http://127.0.0.1:PORT/__understudy/ yourself

        """)
  }

  /// What a server prints to standard error, which ends with whatever it has started.
  private static func errors(
    _ arguments: [String], in folder: URL, path: String
  ) throws -> String {
    let server = try RunningServer(arguments, in: folder, environment: ["PATH": path])
    _ = server.lines { $0.hasPrefix("dashboard") }
    server.interrupt()
    let end = server.end()
    #expect(end.code == 0)
    return end.errors.replacing("\(server.port)", with: "PORT")
  }
}
