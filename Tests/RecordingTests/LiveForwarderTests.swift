import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

@testable import UnderstudyRecording

/// Requests that a fake passes on to live APIs, which are other fakes.
@Suite struct LiveForwarderTests {
  private static func library(_ text: String, baseURL: String) -> ContractLibrary {
    ContractLibrary(reading: [
      "shop/upstream.json": #"{ "summary": "A shop", "baseURL": "\#(baseURL)" }"#,
      "shop/items.json": #"""
      { "request": { "method": "POST", "path": "/items/{id}" },
        "cases": { "ok": { "status": 201, "headers": { "X-From": "\#(text)", "Date": "never" },
                           "body": { "query": "{query.q}", "body": "{body./a}" },
                           "template": ["body"] } } }
      """#,
    ])
  }

  /// What a fake in front of the live API answers.
  private func ask(
    _ transport: some Transport, _ path: String, before live: FakeUpstream,
    _ test: (ClientResponse) throws -> Void
  ) async throws {
    let base = try #require(live.baseURL(of: "shop"))
    var configuration = ServerConfiguration()
    configuration.live = LiveForwarder().ask
    let fake = try await FakeUpstream.start(
      Self.library("fake", baseURL: base), configuration: configuration)
    fake.set(.live, for: .upstream("shop"))
    let url = try #require(fake.baseURL(of: "shop"))
    let answer = try await transport.send(
      ClientRequest(.post, url: "\(url)\(path)", body: Array(#"{"a":"x"}"#.utf8)))
    try test(answer)
    let journal = await fake.journal()
    #expect(journal.map(\.reason) == ["mode"])
    await fake.close()
  }

  @Test("the answer is the live API's")
  func answers() async throws {
    let live = try await FakeUpstream.start(
      Self.library("live", baseURL: "https://shop.example/v1"))
    let transport = CurlTransport.direct(to: [])
    try await ask(transport, "/items/1?q=2", before: live) { answer in
      #expect(answer.status == 201)
      #expect(answer.headers["X-From"] == "live")
      #expect(String(decoding: answer.body, as: UTF8.self) == #"{"query":"2","body":"x"}"#)
    }
    try await ask(transport, "/none", before: live) { answer in
      #expect(answer.status == 404)
    }
    #expect(await live.journal().map(\.path) == ["/shop/v1/items/1", "/shop/v1/none"])
    await live.close()
  }

  @Test("a live API that is gone is a 502 with the reason")
  func gone() async throws {
    let live = try await FakeUpstream.start(
      Self.library("live", baseURL: "https://shop.example/v1"))
    await live.close()
    try await ask(CurlTransport.direct(to: []), "/items/1", before: live) { answer in
      #expect(answer.status == 502)
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(text.contains("no answer from http://127.0.0.1:"))
    }
  }

  @Test("paths that climb above the base URL are not passed on")
  func climbing() async throws {
    let live = try await FakeUpstream.start(
      Self.library("live", baseURL: "https://shop.example/v1"))
    let transport = CurlTransport.direct(to: [])
    try await ask(transport, "/%2E%2E/secret", before: live) { answer in
      #expect(answer.status == 400 || answer.status == 404)
    }
    #expect(await live.journal().isEmpty)
    await live.close()
  }
}
