import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyCore
@testable import UnderstudyTool

/// What commands leave behind, and how.
@Suite struct WrittenFileTests {
  private let samples: SampleContracts

  init() throws { samples = try SampleContracts() }

  private func path(_ name: String) -> String { samples.folder.appendingPathComponent(name).path }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path("out")).sorted() }
  }

  @Test("replaces a whole file, with its mode, and leaves nothing beside it")
  func replaced() throws {
    try FileRoot(around: path("out/report")).write(Array("old".utf8), to: path("out/report"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: path("out/report"))
    // Whoever reads the old one goes on reading it.
    let reader = try #require(FileHandle(forReadingAtPath: path("out/report")))
    try FileRoot(around: path("out/report")).write(Array("new".utf8), to: path("out/report"))
    #expect(String(decoding: reader.readOn(), as: UTF8.self) == "old")
    #expect(try text("out/report") == "new")
    let mode = try FileManager.default.attributesOfItem(atPath: path("out/report"))
    #expect(mode[.posixPermissions] as? Int == 0o640)
    #expect(try names == ["report"])
  }

  @Test("writes where a link leads", arguments: [true, false])
  func link(isThere: Bool) throws {
    try FileRoot(around: path("out/other")).write(Array("old".utf8), to: path("out/other"))
    if isThere {
      try FileRoot(around: path("out/file")).write(Array("old".utf8), to: path("out/file"))
    }
    try FileManager.default.createSymbolicLink(
      atPath: path("out/link"), withDestinationPath: "file")
    try FileRoot(around: path("out/link")).write(Array("new".utf8), to: path("out/link"))
    #expect(try text("out/file") == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("out/link")) == "file")
    #expect(try names == ["file", "link", "other"])
  }

  @Test("writes into a device or pipe as it is")
  func pipe() throws {
    try FileRoot(around: path("out/other")).write(Array("old".utf8), to: path("out/other"))
    try #require(mkfifo(path("out/pipe"), 0o600) == 0)
    let reader = open(path("out/pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let handle = FileHandle(fileDescriptor: reader, closeOnDealloc: true)
    try FileRoot(around: path("out/pipe")).write(Array("new".utf8), to: path("out/pipe"))
    #expect(String(decoding: handle.readOn(), as: UTF8.self) == "new")
    try FileRoot(around: "/dev/null").write(Array("new".utf8), to: "/dev/null")
    #expect(try names == ["other", "pipe"])
  }

  @Test("says why it cannot write")
  func folder() throws {
    try FileRoot.anywhere.makeFolder(path("out/folder"))
    let error = #expect(throws: Failure.self) {
      try FileRoot(around: path("out/folder")).write([], to: path("out/folder"))
    }
    #expect(error?.message == "cannot write \(path("out/folder")): is a directory")
  }

  private func expectRefusal(_ access: () throws -> Void) {
    let error = #expect(throws: Failure.self) { try access() }
    #expect(error?.message.hasSuffix(": found a NUL in its name, expected none") == true)
  }

  @Test("refuses a name with a NUL, which the system would take to end there")
  func nul() throws {
    try FileRoot(around: path("out/file")).write(Array("old".utf8), to: path("out/file"))
    let name = path("out/file") + "\0more"
    for root in [FileRoot(around: name), FileRoot(path("out"))] {
      expectRefusal { try root.write([], to: name) }
      expectRefusal { _ = try root.read(name) }
      expectRefusal { try root.remove(name) }
      expectRefusal { try root.makeFolder(name) }
      expectRefusal { _ = try root.kind(of: name) }
    }
    #expect(try text("out/file") == "old")
    #expect(try names == ["file"])
  }

  static let mayMount =
    (try? ProcessRun("/usr/bin/env", ["unshare", "-rm", "true"]))?.code == 0

  @Test(
    "keeps the old file where no other can be made",
    .enabled(
      if: mayMount, "this machine lets no user make a name space of mounts"))
  func noInodes() async throws {
    try FileRoot(around: path("full/x")).write([], to: path("full/x"))
    let script = """
      mount -t tmpfs -o nr_inodes=20 tmpfs full
      echo old > full/report.json
      while (: > full/$RANDOM$RANDOM) 2> /dev/null; do :; done
      "$0" lint --report json=full/report.json
      echo "exit $?"; cat full/report.json
      rm full/[0-9]*
      "$0" lint --report json=full/report.json > /dev/null
      head -c 1 full/report.json
      """
    let folder = samples.folder
    let run = try await offPool {
      try ProcessRun(
        "/usr/bin/env", ["unshare", "-rm", "bash", "-c", script, SmallSuite.tool.path],
        directory: folder)
    }
    #expect(run.errors.contains("cannot write full/report.json: no space left on device"))
    #expect(run.output.hasSuffix("exit 2\nold\n{"), "\(run.output)\(run.errors)")
  }

  @Test(
    "keeps the old file where it can only be written in place, and the disk is full",
    .enabled(
      if: mayMount, "this machine lets no user make a name space of mounts"))
  func fullInPlace() async throws {
    try FileRoot(around: path("out/x")).write([], to: path("out/x"))
    for number in 0..<100 {
      try samples.write("Contracts/dog-ceo/wrong-\(number).json", "{ \"request\": \(number) }")
    }
    // A file that is a mount point cannot be replaced; this one is on a disk of its own.
    let script = """
      mkdir small; mount -t tmpfs -o size=256k tmpfs small
      echo old > small/report.json; : > out/report.json
      mount --bind small/report.json out/report.json
      cat /dev/zero > small/filler 2> /dev/null
      "$0" lint --report json=out/report.json > /dev/null
      echo "exit $?"; cat out/report.json
      rm small/filler
      "$0" lint --report json=out/report.json > long.json
      wc -c < out/report.json; tail -c 2 out/report.json
      "$0" lint Contracts/dog-ceo/wrong-1.json --report json=out/report.json > /dev/null
      wc -c < out/report.json; tail -c 2 out/report.json
      """
    let folder = samples.folder
    let run = try await offPool {
      try ProcessRun(
        "/usr/bin/env", ["unshare", "-rm", "bash", "-c", script, SmallSuite.tool.path],
        directory: folder)
    }
    #expect(run.errors.contains("cannot write out/report.json: no space left on device"))
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.prefix(2) == ["exit 2", "old"], "\(run.output)\(run.errors)")
    let sizes = lines.compactMap { Int($0.filter { $0 != " " }) }
    // The first does not fit into the page that the old one has; the second is written over it.
    #expect(sizes.count == 2 && sizes[0] > 8192 && sizes[1] < sizes[0] / 10, "\(run.output)")
    #expect(lines.filter { $0 == "}" }.count == 2, "\(run.output)")
  }
}
