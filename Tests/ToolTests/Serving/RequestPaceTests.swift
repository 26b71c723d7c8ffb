import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

@testable import UnderstudyTool

/// What is printed of real requests, at times of the test's own.
@Suite struct RequestPaceTests {
  private let start = ContinuousClock.now

  /// The requests of a real server, as its listener gets them.
  private static func exchanges(_ lines: [String]) async throws -> ExchangeBatch {
    let queue = try ExchangeQueue()
    var configuration = ServerConfiguration()
    configuration.listener = { queue.post($0) }
    let library = ContractLibrary(reading: [
      "shop/one.json": #"""
      { "request": { "method": "GET", "path": "/one/{id}" },
        "cases": { "ok": { "status": 200 },
                   "gone": { "when": { "request": { "query.gone": "yes" } }, "status": 410 } } }
      """#,
      "shop/two.json": #"""
      { "request": { "method": "POST", "path": "/two" },
        "cases": { "ok": { "status": 500, "delay": { "fixed": "1us" } } } }
      """#,
    ])
    let server = try await FakeServer.start(library, configuration: configuration)
    for line in lines { _ = try HTTPExchange(port: server.address.port).run(line, []) }
    await server.close()
    return try #require(queue.take().exchanges)
  }

  private static let strange = [
    "GET /shop/one/1", "GET /shop/one/2?gone=yes", "GET /shop/one/1", "HEAD /shop/one/1",
    "GET /shop/one/ghp_q8ZrT3bK9wXy2LmN5vHd7sGfAAAAbbbbCCCC?token=hush&x=1",
    "GET /~worker/shop/one/##[x]?y='\"<>", "GET /shop/one/%0A%1B[31m", "GET /nowhere",
    "GET /shop/one/a-long-name-that-makes-the-column-of-targets-wider-than-it-was-before",
    "POST /shop/two", "GET /shop/one/1",
  ]

  @Test(
    "a request kept as bytes is printed like any other",
    arguments: [OutputFormat.text, .json], [false, true])
  func same(format: OutputFormat, isColoured: Bool) async throws {
    let exchanges = try await Self.exchanges(Self.strange)
    var (log, terminal) = (ServeLog(format), Terminal(isOutputColoured: isColoured))
    log.requests(ExchangeQueue.Batch(exchanges: exchanges), to: &terminal)
    var (lines, expected) = (RequestLines(), TextStream(isColoured: isColoured))
    for exchange in exchanges {
      switch format {
      case .text: lines.write(exchange, to: &expected)
      case .json: EventLines.request(exchange, to: &expected)
      }
    }
    #expect(terminal.output.text == expected.text)
    #expect(!expected.text.contains("hush") && !expected.text.contains("q8ZrT3bK"))
    var briefCount = 0
    exchanges.visit { if case .brief = $0 { briefCount += 1 } }
    #expect(briefCount == exchanges.count - 2)
  }

  private static func batch(_ exchanges: ExchangeBatch, _ count: Int) -> ExchangeQueue.Batch {
    var all = exchanges
    for _ in 1..<count { all.append(exchanges) }
    return ExchangeQueue.Batch(exchanges: all)
  }

  @Test("a terminal shows 200 requests of a second, and counts the others by case")
  func flood() async throws {
    let exchanges = try await Self.exchanges([
      "GET /shop/one/1", "POST /shop/two", "GET /shop/one/2", "GET /nowhere", "GET /",
    ])
    var (log, terminal) = (ServeLog(.text), Terminal())
    terminal.isOutputShown = true
    func printed() -> [Substring] {
      defer { terminal.output.removeAll() }
      return terminal.output.text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    }
    log.requests(Self.batch(exchanges, 30), at: start, to: &terminal)
    #expect(printed().count == 150)
    #expect(log.deadline == nil)
    log.requests(Self.batch(exchanges, 1_010), at: start + .milliseconds(50), to: &terminal)
    #expect(printed().count == 50)
    #expect(log.deadline == start + .seconds(1))
    let summary = [
      "2,000 × shop/one#ok", "1,000 × no contract", "1,000 × served by the server itself",
      "1,000 × shop/two#ok",
    ]
    // While it lasts, nothing is shown between the summaries.
    log.requests(Self.batch(exchanges, 1_000), at: start + .milliseconds(1_050), to: &terminal)
    #expect(printed().map(String.init) == summary)
    log.requests(ExchangeQueue.Batch(), at: start + .milliseconds(2_049), to: &terminal)
    #expect(printed() == [])
    // A quiet second is shown when it is over, and from then on each request at once.
    log.requests(Self.batch(exchanges, 40), at: start + .milliseconds(2_050), to: &terminal)
    #expect(printed().map(String.init) == summary)
    log.requests(ExchangeQueue.Batch(), at: start + .milliseconds(3_050), to: &terminal)
    #expect(printed().count == 200)
    #expect(log.deadline == nil)
    log.requests(Self.batch(exchanges, 1), at: start + .milliseconds(3_100), to: &terminal)
    #expect(printed().count == 5)
  }

  @Test("after a second without requests, each is shown at once again")
  func pause() async throws {
    let exchanges = try await Self.exchanges(["GET /shop/one/1"])
    var (log, terminal) = (ServeLog(.text), Terminal())
    terminal.isOutputShown = true
    log.requests(Self.batch(exchanges, 300), at: start, to: &terminal)
    log.requests(ExchangeQueue.Batch(), at: start + .milliseconds(1_010), to: &terminal)
    #expect(terminal.output.text.hasSuffix("\n100 × shop/one#ok\n"))
    terminal.output.removeAll()
    log.requests(Self.batch(exchanges, 1), at: start + .seconds(2), to: &terminal)
    #expect(terminal.output.text.hasPrefix("GET     200"))
  }

  @Test("what was only counted is printed when the server stops")
  func end() async throws {
    let exchanges = try await Self.exchanges(["GET /shop/one/1"])
    var (log, terminal) = (ServeLog(.text), Terminal())
    terminal.isOutputShown = true
    log.requests(Self.batch(exchanges, 2_631), at: start, to: &terminal)
    log.requests(ExchangeQueue.Batch(), at: start, isLast: true, to: &terminal)
    let lines = terminal.output.text.split(separator: "\n")
    #expect(lines.count == 201)
    #expect(lines.last == "2,431 × shop/one#ok")
    terminal.output.removeAll()
    log.closing(requestCount: nil, cutOffCount: 0, to: &terminal)
    #expect(terminal.output.text == "stopped after 2631 requests\n")
  }

  @Test("a file or a program gets every request", arguments: [OutputFormat.text, .json])
  func every(format: OutputFormat) async throws {
    let exchanges = try await Self.exchanges(["GET /shop/one/1"])
    for isShown in [false, true] where format == .json || !isShown {
      var (log, terminal) = (ServeLog(format), Terminal())
      terminal.isOutputShown = isShown
      log.requests(Self.batch(exchanges, 1_000), at: start, to: &terminal)
      #expect(terminal.output.text.split(separator: "\n").count == 1_000)
    }
  }

  @Test("a full queue drops requests, and says how many")
  func dropped() async throws {
    let exchanges = try #require(
      Self.batch(try await Self.exchanges(["GET /shop/one/1"]), 1_000).exchanges)
    let queue = try ExchangeQueue()
    for _ in 0..<1_000 { queue.post(exchanges) }
    let batch = queue.take()
    let keptCount = batch.exchanges?.count ?? 0
    #expect(keptCount > 0 && batch.lostCount > 0 && keptCount + batch.lostCount == 1_000_000)
    for (format, words) in [
      (OutputFormat.text, "\(batch.lostCount) requests came too fast to show"),
      (.json, #"{"event":"dropped","requests":\#(batch.lostCount)}"#),
    ] {
      var (log, terminal) = (ServeLog(format), Terminal())
      log.requests(
        ExchangeQueue.Batch(exchanges: nil, lostCount: batch.lostCount), to: &terminal)
      #expect(terminal.output.text == "\(words)\n")
    }
  }
}
