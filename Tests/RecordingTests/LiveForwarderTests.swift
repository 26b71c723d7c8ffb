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
    timeout: Duration = .seconds(60),
    _ test: (ClientResponse) throws -> Void
  ) async throws {
    let base = try #require(live.baseURL(of: "shop"))
    var configuration = ServerConfiguration()
    configuration.live = LiveForwarder(timeout: timeout).ask
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

  /// A live API that sends a byte a second, which no limit for pauses ends.
  private static let trickling = ContractLibrary(
    reading: Dictionary(
      uniqueKeysWithValues: [
        ("shop/upstream.json", #"{ "summary": "A shop", "baseURL": "https://shop.example/v1" }"#)
      ]
        + ["GET", "POST"].map { method in
          (
            "shop/\(method.lowercased()).json",
            #"""
            { "request": { "method": "\#(method)", "path": "/items/{id}" },
              "cases": { "ok": { "status": 200, "text": "a body of half a minute",
                                 "pace": { "bytesPerSecond": 1 } } } }
            """#
          )
        }))
  private static let short = Duration.milliseconds(200)

  @Test("an answer that comes a byte a second is a 502 when its time is up")
  func trickle() async throws {
    let live = try await FakeUpstream.start(Self.trickling)
    let transport = CurlTransport.direct(to: [])
    try await ask(transport, "/items/1", before: live, timeout: Self.short) { answer in
      #expect(answer.status == 502)
      #expect(String(decoding: answer.body, as: UTF8.self).contains("timed out while"))
    }
    await live.close()
  }

  @Test("what is recorded has the same limit")
  func trickleRecorded() async throws {
    let live = try await FakeUpstream.start(Self.trickling)
    let url = try #require(live.baseURL(of: "shop")) + "/items/1"
    let client = RecordingClient(
      CurlTransport.direct(to: []), samples: 1, timeout: Self.short)
    let error = await #expect(throws: TransportError.self) {
      try await client.ask(url, headers: [])
    }
    #expect(error?.description.hasPrefix("timed out while") == true)
    await live.close()
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
