import Foundation
import Synchronization
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudySystem
import UnderstudyTestSupport

@testable import UnderstudyConsumers

/// Commands as they run: what they get, how they end, and what is left of them.
@Suite struct CommandConsumerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func command(_ words: [String], sources: [String] = []) throws -> CommandConsumer {
    let list = try JSONSerialization.data(withJSONObject: words)
    let more = try JSONSerialization.data(withJSONObject: sources)
    let members = sources.isEmpty ? "" : ", \"sources\": \(String(decoding: more, as: UTF8.self))"
    try folder.write(
      "Contracts/consumers.json",
      """
      { "c": { "upstreams": ["u"], "command": \(String(decoding: list, as: UTF8.self))\(members) } }
      """)
    try folder.write("Contracts/u/upstream.json", #"{ "summary": "An API" }"#)
    let library = try ContractLibrary.load(["\(folder.path)/Contracts"])
    return try #require(library.consumers.first.flatMap(CommandConsumer.init))
  }

  /// Starts and ends of processes, as they are noted.
  private final class Notes: Sendable {
    private struct State {
      var events: [(process: Int32, isRunning: Bool)] = []
      var runningMax = 0
    }

    private let state = Mutex(State())
    let beginnings: AsyncStream<Int32>
    private let begin: AsyncStream<Int32>.Continuation

    init() { (beginnings, begin) = AsyncStream.makeStream() }

    func add(_ process: Int32, _ isRunning: Bool) {
      state.withLock { state in
        state.events.append((process, isRunning))
        let running = state.events.reduce(0) { $0 + ($1.isRunning ? 1 : -1) }
        state.runningMax = max(state.runningMax, running)
      }
      if isRunning { begin.yield(process) }
    }

    var events: [(process: Int32, isRunning: Bool)] { state.withLock { $0.events } }
    var runningMax: Int { state.withLock { $0.runningMax } }
  }

  private static let environment = ["PATH=/usr/bin:/bin"]

  private func run(
    _ words: [String], environment: [String] = environment, within limit: Duration = .seconds(300),
    _ notes: Notes = Notes()
  ) async throws -> CommandEnding? {
    try await command(words).ending(environment: environment, within: limit) {
      notes.add($0, $1)
    }.get()
  }

  private func run(
    script: String, within limit: Duration = .seconds(300), _ notes: Notes = Notes()
  ) async throws -> CommandEnding? {
    try await run(["/bin/sh", "-c", script], within: limit, notes)
  }

  @Test(
    "a command ends as it ends, and what it prints is known",
    arguments: [
      ("exit 0", "exited with 0", "", ""), ("exit 3", "exited with 3", "", ""),
      ("echo a; echo b >&2; exit 255", "exited with 255", "a\n", "b\n"),
      ("printf a; kill -9 $$", "was ended by SIGKILL", "a", ""),
      ("kill -TERM $$", "was ended by SIGTERM", "", ""),
      // It has no input.
      ("cat; echo end", "exited with 0", "end\n", ""),
    ])
  func endings(script: String, words: String, output: String, errors: String) async throws {
    let ending = try #require(try await run(script: script))
    #expect(ending.words == words)
    #expect(String(decoding: ending.stdout.bytes, as: UTF8.self) == output)
    #expect(String(decoding: ending.stderr.bytes, as: UTF8.self) == errors)
    #expect(ending.stdout.byteCount == output.utf8.count)
    #expect(ending.stderr.byteCount == errors.utf8.count)
  }

  @Test("it gets the given variables alone, and runs in the folder around the contracts")
  func surroundings() async throws {
    let variables = ["PATH=/bin:/usr/bin", "A=1", "B=x=y z"]
    let ending = try #require(try await run(["env"], environment: variables))
    #expect(
      String(decoding: ending.stdout.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        .sorted() == variables.sorted())
    let place = try #require(try await run(["/bin/pwd", "-P"]))
    let path = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    #expect(String(decoding: place.stdout.bytes, as: UTF8.self) == "\(path)\n")
  }

  @Test("of long output the beginning is kept, and all is counted")
  func long() async throws {
    let count = 3 << 20
    let script = "head -c \(count) /dev/zero | tr '\\0' a; head -c 100 /dev/zero | tr '\\0' b >&2"
    let ending = try #require(try await run(script: script))
    #expect(ending.stdout.byteCount == count)
    #expect(ending.stdout.bytes == [UInt8](repeating: 0x61, count: PrintedText.byteCountMax))
    #expect(ending.stderr.bytes == [UInt8](repeating: 0x62, count: 100))
  }

  @Test("its start and its end are noted once, with its number")
  func notes() async throws {
    let notes = Notes()
    let ending = try #require(try await run(script: "echo $$", notes))
    let number = String(decoding: ending.stdout.bytes, as: UTF8.self)
    #expect(notes.events.map { "\($0.process)\n" } == [number, number])
    #expect(notes.events.map(\.isRunning) == [true, false])
  }

  /// A descriptor of a named pipe that ends when no process has it open for writing.
  private func fifo(_ flags: Int32) throws -> (descriptor: Int32, path: String) {
    let path = "\(folder.path)/fifo"
    try #require(mkfifo(path, 0o600) == 0)
    let descriptor = open(path, flags)
    try #require(descriptor >= 0)
    return (descriptor, path)
  }

  /// Whether no process has the other end of a pipe any more; waits 20 s for that.
  private func isLeft(_ descriptor: Int32) async throws -> Bool {
    try await offPool {
      var pending = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var byte: UInt8 = 0
      return poll(&pending, 1, 20_000) == 1 && read(descriptor, &byte, 1) == 0
    }
  }

  @Test(
    "nothing of it is left, however it ends",
    arguments: [
      ("sleep 1000 & exit 0", 300, "exited with 0"),
      ("sleep 1000 & kill -9 $$", 300, "was ended by SIGKILL"),
      ("sleep 1000 & exec sleep 1000", 0, nil), ("trap '' INT TERM HUP; sleep 1000; :", 0, nil),
    ])
  func leftovers(script: String, seconds: Int, words: String?) async throws {
    let fifo = try fifo(O_RDONLY | O_NONBLOCK)
    defer { close(fifo.descriptor) }
    // Without any writer a pipe never ends, and one without time may not have come to open it.
    let writer = open(fifo.path, O_WRONLY | O_CLOEXEC)
    let ending = try await run(
      script: "exec 3>'\(fifo.path)'; \(script)", within: .seconds(seconds))
    close(writer)
    #expect(ending?.words == words)
    #expect(try await isLeft(fifo.descriptor))
  }

  @Test("a cancelled one is ended at once, also when it has not begun", arguments: [true, false])
  func cancelled(hasBegun: Bool) async throws {
    let notes = Notes()
    let command = try command(["/bin/sh", "-c", "sleep 1000; :"])
    let (gate, open) = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in gate { break }
      return await command.ending(environment: Self.environment, within: .seconds(300)) {
        notes.add($0, $1)
      }
    }
    if hasBegun {
      open.yield()
      for await _ in notes.beginnings { break }
    }
    task.cancel()
    open.finish()
    let ending = try await task.value.get()
    #expect(ending?.words == "was ended by SIGKILL")
    #expect(notes.events.map(\.isRunning) == [true, false])
  }

  @Test("only so many run at a time, and the others when these end")
  func slots() async throws {
    let fifo = try fifo(O_RDWR)
    defer { close(fifo.descriptor) }
    let notes = Notes()
    let command = try command(["/bin/sh", "-c", "read line <'\(fifo.path)'; exit 7"])
    let count = CommandConsumer.countMax + 3
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await command.ending(environment: Self.environment, within: .seconds(300)) {
            notes.add($0, $1)
          }.get()?.words
        }
      }
      var begun = 0
      for await _ in notes.beginnings {
        begun += 1
        if begun == CommandConsumer.countMax { break }
      }
      // Each takes a line.
      let lines = Array(String(repeating: "go\n", count: count).utf8)
      #expect(write(fifo.descriptor, lines, lines.count) == lines.count)
      var endings: [String?] = []
      for try await ending in group { endings.append(ending) }
      #expect(endings == Array(repeating: "exited with 7", count: count))
    }
    #expect(notes.events.count == 2 * count)
    #expect(notes.runningMax == CommandConsumer.countMax)
  }

  @Test("a missing program cannot be started, and so has no ending")
  func missing() async throws {
    let error = await #expect(throws: SystemError.self) {
      try await run(["no-such-program"])
    }
    #expect(error?.description == "cannot run no-such-program: no such file or directory")
  }

  // MARK: - Fingerprints

  private static let files = [
    "run.py": "run", "lib/a.py": "a", "lib/sub/b.py": "b", "other.txt": "x", "python3": "p",
    "lib/__pycache__/a.pyc": "c", "lib/.hidden": "h",
  ]

  @Test(
    "a fingerprint is that of the words, the files they name, and the sources",
    arguments: [
      ("run.py", "run2", true), ("run.py", "", true), ("lib/a.py", "b", true),
      ("lib/sub/b.py", "bb", true), ("lib/new.py", "", true), ("lib/sub/__pycache__/x", "", false),
      ("other.txt", "y", false), ("python3", "q", false), ("lib/__pycache__/a.pyc", "d", false),
      ("lib/.hidden", "i", false), ("lib2/a.py", "a", false), ("run.py2", "run", false),
    ])
  func changes(name: String, text: String, changes: Bool) throws {
    let words = ["python3", "run.py", "--from", "lib/..", "/etc/hostname", "../other.txt", ""]
    for (name, text) in Self.files { try folder.write(name, text) }
    let before = try command(words, sources: ["lib"]).fingerprint()
    #expect(try command(words, sources: ["lib"]).fingerprint() == before)
    try folder.write(name, text)
    #expect((try command(words, sources: ["lib"]).fingerprint() != before) == changes)
  }

  @Test("files that change places, and words that are cut elsewhere, are others")
  func places() throws {
    var prints: Set<String> = []
    for (a, b) in [("x", "y"), ("y", "x"), ("xy", ""), ("", "xy"), ("x", "")] {
      try folder.write("lib/a", a)
      try folder.write("lib/b", b)
      prints.insert(try command(["true"], sources: ["lib"]).fingerprint())
      prints.insert(try command(["true"], sources: ["lib/b", "lib/a"]).fingerprint())
    }
    for words in [["true", "a b"], ["true", "a", "b"], ["true", "ab"], ["true", "a", "b", ""]] {
      prints.insert(try command(words, sources: ["lib"]).fingerprint())
    }
    #expect(prints.count == 5 + 5 + 4)
  }

  @Test("the same files in another folder have the same fingerprint")
  func elsewhere() throws {
    let other = try Self()
    for (name, text) in Self.files {
      try folder.write(name, text)
      try other.folder.write(name, text)
    }
    let words = ["./run.py", "lib"]
    #expect(
      try command(words, sources: ["lib"]).fingerprint()
        == other.command(words, sources: ["lib"]).fingerprint())
  }

  @Test("without files of its own, the program counts; with them, it does not")
  func program() throws {
    let words = ["\(folder.path)/tool", "run.py"]
    func prints() throws -> [String] {
      try ["1", "2"].map { text in
        try folder.write("tool", text)
        chmod("\(folder.path)/tool", 0o700)
        return try command(words).fingerprint()
      }
    }
    let alone = try prints()
    #expect(alone[0] != alone[1])
    try folder.write("run.py", "run")
    let among = try prints()
    #expect(among[0] == among[1] && among[0] != alone[0])
    // By a path from its folder, it is a file of its own.
    try folder.write("bin/tool", "1")
    let own = try command(["bin/tool"]).fingerprint()
    try folder.write("bin/tool", "2")
    #expect(try command(["bin/tool"]).fingerprint() != own)
  }

  @Test("sources that are missing, or too many, are an error with its fix")
  func badSources() throws {
    let missing = try command(["true"], sources: ["lib"])
    let first = #expect(throws: Failure.self) { try missing.fingerprint() }
    #expect(
      first?.message
        == "no \(folder.path)/lib, which \"sources\" of c in consumers.json names")
    #expect(first?.fix == "correct the name, or remove it")
    try folder.write("lib/0", "")
    for number in 1..<10_000 { close(creat("\(folder.path)/lib/\(number)", 0o600)) }
    _ = try missing.fingerprint()
    try folder.write("lib/10000", "")
    let second = #expect(throws: Failure.self) { try missing.fingerprint() }
    #expect(
      second?.message
        == "more than 10000 files or 256 MiB in \"sources\" of c in consumers.json")
    #expect(second?.fix == "name only what the command's behaviour depends on")
  }
}
