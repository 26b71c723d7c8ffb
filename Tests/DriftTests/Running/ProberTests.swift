import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyFakeServer
import UnderstudyJSON

@testable import UnderstudyDrift

@Suite struct ProberTests {
  private struct Joke: Decodable { let id: Int }

  private static let reader = ServiceConsumer("jokes.random") { call in
    let body = try await LiveStage.ask(
      ClientRequest(url: call.baseURL(of: "joke") + "/random"), call)
    do {
      let joke = try JSONTreeDecoder(recorder: call.recorder).decode(
        Joke.self, from: try JSONDocument(parsing: body).root)
      return Array("{ \"id\": \(joke.id) }".utf8)
    } catch {
      throw ConsumerError("invalidData")
    }
  }

  @Test(
    "knows what a service reads, though a response has broken it before it could",
    arguments: ["ok", "gone", "text"])
  func reads(caseName: String) async throws {
    let (reading, requestCount) = try await Self.reading(
      LiveStage.library(), by: Self.reader, live: caseName)
    let paths = try #require(reading.paths)
    #expect(paths.isRead(JSONPointer(["id"])))
    #expect(!paths.isRead(JSONPointer(["note"])))
    #expect(requestCount == 1)
  }

  /// What a service is found to do when the live API serves a case, and how often it asked that.
  private static func reading(
    _ library: ContractLibrary, by consumer: ServiceConsumer, live: String
  ) async throws -> (LiveCaseAttempt.ConsumerResult, requestCount: Int) {
    let server = try await FakeServer.start(LiveStage.live)
    server.use(live, for: "joke/random")
    let stage = LiveStage(library, at: server.baseURL(of: "joke"), consumer: consumer)
    let transport = CurlTransport()
    let network = LiveNetwork(
      transport, local: transport, upstreams: stage.plan.upstreams, clock: stage.time.clock,
      timeout: .seconds(30), deadline: .seconds(600))
    var prober = Prober(
      upstreams: stage.plan.upstreams, index: RequestIndex(stage.library.upstreams),
      source: { _, _ in network }, bypassesCaches: false, limit: { .seconds(600) })
    // However busy the machine is, it is the number of requests that ends a service.
    prober.replayMax = .seconds(600)
    let attempt = await prober.ask(try #require(stage.plan.liveCases.first))
    let requestCount = await server.journal().count
    await transport.close()
    await server.close()
    return (try #require(attempt.readings.first), requestCount)
  }

  /// Asks for page after page until one is empty.
  static let pager = ServiceConsumer("jokes.random") { call in
    var ids: [Int] = []
    for page in 1... {
      let body = try await LiveStage.ask(
        ClientRequest(url: call.baseURL(of: "joke") + "/random?page=\(page)"), call)
      do {
        let jokes = try JSONTreeDecoder(recorder: call.recorder).decode(
          [Joke].self, from: try JSONDocument(parsing: body).root)
        if jokes.isEmpty { break }
        ids += jokes.map(\.id)
      } catch {
        throw ConsumerError("invalidData")
      }
    }
    return Array("\(ids)".utf8)
  }

  static func pages(_ others: String) -> ContractLibrary {
    LiveStage.library(
      contract: """
        { "request": { "method": "GET", "path": "/random" },
          "cases": {
            "ok": { "status": 200, "body": [{ "id": 7 }], "live": {},
              "expect": { "jokes.random": { "value": [7], "requests": 2 } } }\(others) } }
        """)
  }

  @Test("a service that pages reads each page of the contract, and ends")
  func pages() async throws {
    let library = Self.pages(
      #", "last": { "status": 200, "body": [], "when": { "request": { "query.page": "2" } } }"#)
    let (reading, _) = try await Self.reading(library, by: Self.pager, live: "text")
    #expect(reading.findings.map(\.message) == ["found the error invalidData, expected a value"])
    let paths = try #require(reading.paths)
    #expect(paths.isRead(JSONPointer(["0", "id"])))
  }

  @Test("a service that pages gets one response in place of one page only")
  func givenPage() async throws {
    let library = Self.pages(
      #", "last": { "status": 200, "body": [], "when": { "request": { "query.page": "2" } } }"#)
    let stage = LiveStage(library, at: "http://127.0.0.1:9", consumer: Self.pager)
    let index = RequestIndex(stage.library.upstreams)
    let response = LiveResponse(#"[{ "id": 8 }]"#)
    let prober = Prober(
      upstreams: stage.plan.upstreams, index: index,
      source: { liveCase, _ in StandIn(response, for: liveCase, index, others: []) },
      bypassesCaches: false, limit: { .seconds(600) })
    let liveCase = try #require(stage.plan.liveCases.first)
    let attempt = await prober.giving(response, to: liveCase)
    #expect(
      attempt.readings.first?.exchanges.map(\.target) == ["/random?page=1", "/random?page=2"])
    #expect(attempt.readings.first?.findings == [])
  }

  @Test(
    "a service that never ends is stopped, which is a finding",
    arguments: [("text", "the responses of the contracts"), ("list", "these responses")])
  func endless(live: String, responses: String) async throws {
    let (reading, _) = try await Self.reading(Self.pages(""), by: Self.pager, live: live)
    #expect(
      reading.findings.last?.line
        == "error request-count 4:35 - sent more than 500 requests to read \(responses), and was stopped"
    )
    #expect(reading.inconclusive == nil)
  }
}
