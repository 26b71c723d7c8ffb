import Foundation
import Testing
import UnderstudySystem

/// Foundation has one, too.
private typealias Pipe = UnderstudySystem.Pipe

@Suite("What differs between systems")
struct SystemTests {
  @Test("a wake-up from another thread is readable until it is reset", arguments: SystemCalls.all)
  func wakeup(calls: SystemCalls) throws {
    let wakeup = try Wakeup(calls)
    #expect(!wakeup.hasWoken)
    let thread = try SystemThread { wakeup.wake() }
    #expect(Readiness.wait(for: [-1, wakeup.descriptor]) == [1])
    thread.join()
    #expect(wakeup.hasWoken)
    for _ in 0..<20_000 { wakeup.wake() }
    wakeup.reset()
    #expect(!wakeup.hasWoken)
  }

  @Test(
    "a pipe returns what was written, reports that nothing has come yet, and ends",
    arguments: SystemCalls.all)
  func pipe(calls: SystemCalls) throws {
    let pipe = try Pipe(calls)
    pipe.readWithoutWaiting()
    #expect(pipe.read(byteCountMax: 8) == nil)
    #expect(pipe.write(Array("joke".utf8)[...]) == 4)
    #expect(pipe.read(byteCountMax: 3) == Array("jok".utf8)[...])
    pipe.closeWriteEnd()
    #expect(pipe.read(byteCountMax: 8) == Array("e".utf8)[...])
    #expect(pipe.read(byteCountMax: 8)?.isEmpty == true)
  }

  @Test(
    "a process reads and prints through pipes, and its exit code is reported", arguments: [0, 7],
    SystemCalls.all)
  func process(code: Int32, calls: SystemCalls) throws {
    let (input, output) = (try Pipe(), try Pipe())
    var streams = ChildProcess.Streams()
    (streams.input, streams.output) = (input, output)
    let process = try ChildProcess(
      ["sh", "-c", "read word; echo \"$word $NAME\"; exit \(code)"],
      environment: ["NAME=two"], streams, isApart: true, calls)
    output.closeWriteEnd()
    #expect(input.write(Array("one\n".utf8)[...]) == 4)
    _ = Readiness.wait(for: [process.descriptor])
    #expect(process.ending() == .exited(code))
    #expect(output.read(byteCountMax: 100) == Array("one two\n".utf8)[...])
  }

  @Test(
    "a killed process reports its signal, and its child processes end with it",
    arguments: SystemCalls.all)
  func killedProcess(calls: SystemCalls) throws {
    let output = try Pipe()
    var streams = ChildProcess.Streams()
    streams.output = output
    let process = try ChildProcess(
      ["sh", "-c", "sleep 1000 & echo begun; wait"], environment: [], streams, isApart: true,
      calls)
    output.closeWriteEnd()
    #expect(output.read(byteCountMax: 100) == Array("begun\n".utf8)[...])
    process.kill()
    #expect(process.ending() == .killed(signal: 9))
    // The one that sleeps had the pipe, too: only when it is gone does the pipe end.
    #expect(output.read(byteCountMax: 100)?.isEmpty == true)
  }

  @Test("a missing program is an error of its own")
  func missingProgram() throws {
    #expect(throws: SystemError(.notFound, attempt: "run no-such-program")) {
      _ = try ChildProcess(["no-such-program"], environment: [], .init(), isApart: false)
    }
  }

  @Test("a NUL in a word, a variable, a folder or a host is refused instead of ending it there")
  func nul() throws {
    let error = SystemError(.holdsNUL, attempt: "run echo")
    #expect(throws: error) {
      _ = try ChildProcess(["echo", "a\0b"], environment: [], .init(), isApart: false)
    }
    #expect(throws: error) {
      _ = try ChildProcess(["echo"], environment: ["A=b\0"], .init(), isApart: false)
    }
    #expect(throws: error) {
      _ = try ChildProcess(["echo"], in: "/\0", environment: [], .init(), isApart: false)
    }
    #expect(throws: Errno.holdsNUL) { try Descriptor("/dev/null\0", []) }
    #expect(throws: SystemError(.addressNotAvailable, attempt: "find it")) {
      try ClientSocket(to: "127.0.0.1\0.example", port: 1, until: .now)
    }
    #expect(Environment["PATH\0"] == nil)
    #expect(Descriptor.realPath("/\0") == nil)
    #expect(FileIdentity(of: "/\0") == nil)
    #expect(ChildProcess.path(of: "/bin/sh\0", in: "/") == nil)
  }

  @Test("only one holds a lock")
  func lock() throws {
    let path = try temporaryFolder() + "/lock"
    let (first, second) = (
      try Descriptor(path, [.writes, .creates]), try Descriptor(path, [.writes, .creates])
    )
    #expect(try first.lock(.exclusive))
    #expect(try !second.lock(.exclusiveAtOnce))
  }

  @Test("a lock ends with its descriptor, though a child that is being started still has the file")
  func lockOfChild() throws {
    let path = try temporaryFolder() + "/lock"
    var first: Descriptor? = try Descriptor(path, [.writes, .creates])
    #expect(try first?.lock(.exclusiveAtOnce) == true)
    let ofChild = dup(try #require(first).number)
    defer { close(ofChild) }
    first = nil
    #expect(try Descriptor(path, .writes).lock(.exclusiveAtOnce))
  }

  @Test("waits for a silent server until the deadline")
  func silentServer() throws {
    let listener = try Socket.listen(on: SocketAddress(host: "127.0.0.1", port: 0))
    defer { Socket.close(listener.descriptor) }
    let socket = try ClientSocket(
      to: "127.0.0.1", port: Int(listener.port), until: .now + .milliseconds(20))
    #expect(throws: SystemError(.timedOut, attempt: "wait for its response")) {
      _ = try socket.receiveAll(byteCountMax: 1)
    }
  }

  @Test(
    "a server listens on localhost and on numeric addresses, of which those with colons may have zones",
    arguments: [
      ("localhost", true), ("127.0.0.1", true), ("fe80::1%lo", true), ("127.0.0.1%lo", false),
      ("joke.example", false),
    ])
  func numericHost(host: String, isNumeric: Bool) {
    #expect(SocketAddress(host: host, port: 0).isNumeric == isNumeric)
  }

  @Test(
    "addresses have four words, names have none",
    arguments: [
      ("127.0.0.1", [0, 0, 0xFFFF, 0x7F00_0001]), ("::1", [0, 0, 0, 1]),
      ("fe80::1", [0xFE80_0000, 0, 0, 1]), ("localhost", nil), ("127.1", nil), ("", nil),
    ] as [(String, [UInt32]?)])
  func words(address: String, words: [UInt32]?) {
    #expect(SocketAddress.words(of: address) == words)
  }

  private func temporaryFolder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.path
  }
}
