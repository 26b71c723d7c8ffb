import Foundation
import Testing
import UnderstudyCore
import UnderstudyJSON
import UnderstudySystem
import UnderstudyTestSupport

@testable import UnderstudySuite

/// What real workers say to the process that started them, and what becomes of them without it.
@Suite struct WorkerPipeTests {
  /// A worker, and both pipes to it.
  private final class Worker {
    let orders: UnderstudySystem.Pipe
    let lines: UnderstudySystem.Pipe
    private var process: ChildProcess?

    init(_ words: [String], in folder: String, _ order: WorkerOrder) throws {
      (orders, lines) = (try UnderstudySystem.Pipe(), try UnderstudySystem.Pipe())
      var streams = ChildProcess.Streams()
      (streams.input, streams.output) = (orders, lines)
      process = try ChildProcess(
        [WildSuite.tool, "worker", "--contracts", "\(folder)/Contracts"] + words,
        at: WildSuite.tool, in: folder, environment: Environment.variables, streams, isApart: true)
      orders.closeReadEnd()
      lines.closeWriteEnd()
      #expect(orders.write(order.bytes[...]) == order.bytes.count)
    }

    /// The lines until one is wanted, or until it has closed the pipe.
    func read(until isWanted: (String) -> Bool) -> [String] {
      var text = ""
      while let chunk = lines.read(byteCountMax: 1 << 16), !chunk.isEmpty {
        text += String(decoding: chunk, as: UTF8.self)
        let whole = text.split(separator: "\n").map(String.init)
        if text.hasSuffix("\n"), whole.contains(where: isWanted) { return whole }
      }
      return text.split(separator: "\n").map(String.init)
    }

    deinit { process.take()?.kill() }

    /// How it ends by itself.
    func ending() -> String {
      guard let process = process.take() else { return "it has ended before" }
      let hasEnded = !Readiness.wait(for: [process.descriptor], milliseconds: 20_000).isEmpty
      let ending = process.ending()
      guard hasEnded else { return "it did not end within 20 s" }
      return switch ending {
      case .exited(let code): "exited with \(code)"
      case .killed(let signal): "ended by signal \(signal)"
      }
    }
  }

  @Test("a worker whose orders nobody has any more ends at once, whatever its services do")
  func blocked() async throws {
    let contracts = try WildContracts(["block"])
    let folder = contracts.folder
    let ended = try await offPool {
      let worker = try Worker(
        [], in: folder, .checks([0], areAlone: false, guardTime: .seconds(300)))
      let said = worker.read { $0 == "[\"begun\",0]" }
      worker.orders.closeWriteEnd()
      return said + [worker.ending()]
    }
    #expect(ended == ["[\"begun\",0]", "ended by signal 9"])
    withExtendedLifetime(contracts) {}
  }

  @Test("a worker whose orders nobody has any more ends, and so does its command")
  func orphaned() async throws {
    let script = "exec 3>events; echo command >&3; exec sleep 1000"
    let cases = #""ok": { "status": 200, "expect": { "cli": { "exitCode": 0 } } }"#
    let ended = try await SmallCommand.with(script, method: "GET", cases: cases) { library in
      let folder = try #require(library.contracts.first).file
        .components(separatedBy: "/Contracts/")[0]
      return try await offPool { try Self.endings(in: folder) }
    }
    #expect(ended == ["begun", "commandBegun", "command\n", ""])
  }

  private static func endings(in folder: String) throws -> [String] {
    let fifo = "\(folder)/events"
    try #require(mkfifo(fifo, 0o600) == 0)
    let events = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(events) }
    let worker = try Worker([], in: folder, .checks([0], areAlone: false, guardTime: .seconds(300)))
    let said = worker.read { $0.hasPrefix("[\"commandBegun\"") }
    let told = Self.read(events) { $0.hasSuffix("\n") }
    worker.orders.closeWriteEnd()
    // It may have noticed the end of its command before it was ended itself.
    let ending = worker.ending()
    #expect(ending == "ended by signal 9" || ending == "exited with 0")
    // Whoever has the pipe has not ended.
    return try said.map { try JSONDocument(parsing: $0).root[0]?.string ?? "" }
      + [told, Self.read(events) { _ in false }]
  }

  /// Reads until it has what is wanted, or nobody has the other end any more; says so after 20 s.
  private static func read(_ descriptor: Int32, until isWanted: (String) -> Bool) -> String {
    var text = ""
    let end = ContinuousClock.now + .seconds(20)
    while !isWanted(text) {
      guard .now < end else { return "\(text)and nothing more within 20 s" }
      guard !Readiness.wait(for: [descriptor], milliseconds: 1_000).isEmpty else { continue }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count <= 0 { return text }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return text
  }

  /// A line has the `order`, further `words`, and the `setups` of jokes or the `cases` of a
  /// contract and a `script`; below it is what the worker says.
  @Test("all that workers say")
  func conversations() async throws {
    var found: [String: [String]] = [:]
    for line in try Transcript.inputs(of: "workers") {
      let root = try JSONDocument(parsing: Array(line.utf8)).root
      let order = try #require(WorkerOrder(parsing: root["order"]?.compact ?? []))
      let words = (root["words"] ?? .null).elements.compactMap(\.string)
      let setups = (root["setups"] ?? .null).elements.compactMap(\.string)
      @Sendable func said(in folder: String) throws -> [String] {
        let worker = try Worker(words, in: folder, order)
        return worker.read { _ in false }.map(Self.shown) + [worker.ending()]
      }
      if let script = root["script"]?.string {
        let cases = String(
          decoding: root["cases"]?.compact.dropFirst().dropLast() ?? [], as: UTF8.self)
        found[line] = try await SmallCommand.with(script, method: "GET", cases: cases) { library in
          let file = try #require(library.contracts.first).file
          return try await offPool { try said(in: file.components(separatedBy: "/Contracts/")[0]) }
        }
      } else {
        let contracts = try WildContracts(setups)
        found[line] = try await offPool { try said(in: contracts.folder) }
        withExtendedLifetime(contracts) {}
      }
    }
    let transcript = try Transcript("workers") { found[$0] ?? [] }
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }

  /// Without what differs from run to run.
  private static func shown(_ line: String) -> String {
    line.replacing(#/"durationNanoseconds":\d+/#, with: #""durationNanoseconds":N"#)
      .replacing(#/"file":"[^"]*\/Contracts\//#, with: #""file":"Contracts/"#)
      .replacing(#/\["(command[A-Za-z]*)",\d+\]/#) { "[\"\($0.1)\",N]" }
  }
}
