import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudySuite

/// Nothing is left of a worker and its commands, however that ends.
@Suite struct WorkerProcessTests {
  @Test(
    "commands end with a worker that is released or lost",
    arguments: [
      ("exec sleep 1000", "silence"), ("exit 3", "exited with 3"),
      ("kill -9 $$", "ended by signal 9"), ("exec 1>&-; exec sleep 1000", "silence"),
    ])
  func commands(end: String, event: String) async throws {
    try await offPool { try Self.run(end, event) }
  }

  private static func run(_ end: String, _ event: String) throws {
    let fifo = FileManager.default.temporaryDirectory
      .appendingPathComponent("worker-\(UUID().uuidString)").path
    try #require(mkfifo(fifo, 0o600) == 0)
    defer { unlink(fifo) }
    let descriptor = open(fifo, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    // The command holds the pipe, in a process group of its own, and says its number when it runs.
    // The worker ends only after both have spoken.
    let script = """
      : >"$UNDERSTUDY_TRUST_FILE"
      setsid sh -c 'echo $$; exec sleep 1000' >'\(fifo)' &
      echo "[\\"commandBegun\\",$!]"
      echo told >'\(fifo)'
      \(end)
      """
    let program = WorkerProgram(["/bin/sh", "-c", script], at: "/bin/sh", showsOutput: false)
    var worker = WorkerProcess(program, .mutants(from: 0))
    try #require(worker != nil)
    let said = read(descriptor, untilEnd: false) {
      $0.contains("told\n") && $0.split(separator: "\n").count == 2
    }
    let number = try #require(said.split(separator: "\n").compactMap { Int32($0) }.first)
    defer { kill(-number, SIGKILL) }
    let limit = ContinuousClock.now + (event == "silence" ? .zero : .seconds(20))
    let found =
      switch worker?.next(until: limit) {
      case .silence: "silence"
      case .end(let reason): reason
      case let other: "\(other as Any)"
      }
    #expect(found == event)
    let trustFile = try #require(program.trustFile)
    #expect(access(trustFile, F_OK) == 0)
    worker = nil
    #expect(access(trustFile, F_OK) != 0)
    #expect(
      read(descriptor, untilEnd: true) { _ in false } == "", "the command \(number) is still there"
    )
  }

  /// Reads until it has what is wanted, or nobody has the other end any more; says so after 20 s.
  /// One of the two who write may have left before the other came.
  private static func read(
    _ descriptor: Int32, untilEnd: Bool, until isWanted: (String) -> Bool
  ) -> String {
    var text = ""
    let end = ContinuousClock.now + .seconds(20)
    while !isWanted(text) {
      guard .now < end else { return "\(text)and nothing more within 20 s" }
      var pending = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&pending, 1, 1_000) > 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      } else if untilEnd {
        return text
      }
    }
    return text
  }
}
