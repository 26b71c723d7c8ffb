import Consumers
import ContractModel
import FakeServer
import JSON
import Testing
import Transport

@testable import Drift

@Suite struct AskerTests {
  private struct Joke: Decodable { let id: Int }

  private static let reader = ServiceConsumer("jokes.random") { call in
    let body = try await LiveStage.ask(
      HTTPRequest(url: call.baseURL(of: "joke") + "/random"), call)
    do {
      let joke = try JSONTreeDecoder(recorder: call.recorder).decode(
        Joke.self, from: try JSONDocument(parsing: body).root)
      return Array("{ \"id\": \(joke.id) }".utf8)
    } catch {
      throw ConsumerError("invalidData")
    }
  }

  @Test(
    "knows what a service reads, though an answer has broken it before it could",
    arguments: ["ok", "gone", "text"])
  func reads(caseName: String) async throws {
    let server = try await FakeUpstream.start(LiveStage.live)
    server.use(caseName, for: "joke/random")
    let stage = LiveStage(at: server.baseURL(of: "joke"), consumer: Self.reader)
    let transport = CurlTransport()
    let network = LiveNetwork(
      transport, local: transport, upstreams: stage.plan.upstreams, clock: stage.time.clock,
      timeout: .seconds(30), deadline: .seconds(600))
    let asker = Asker(
      upstreams: stage.plan.upstreams, index: RequestIndex(stage.library.upstreams),
      source: { _, _ in network }, bypassesCaches: false, limit: { .seconds(60) })
    let asking = await asker.ask(try #require(stage.plan.probes.first))
    let paths = try #require(asking.readings.first?.paths)
    #expect(paths.isRead(JSONPointer(["id"])))
    #expect(!paths.isRead(JSONPointer(["note"])))
    #expect(await server.journal().count == 1)
    await transport.close()
    await server.close()
  }
}
