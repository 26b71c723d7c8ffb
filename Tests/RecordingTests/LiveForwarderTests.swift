import Foundation
import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFakeServer
import UnderstudyTestSupport

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

  /// What a fake in front of the live API responds.
  private func ask(
    _ transport: some Transport, _ path: String, before live: FakeServer,
    timeout: Duration = .seconds(60),
    _ test: (ClientResponse) throws -> Void
  ) async throws {
    let base = try #require(live.baseURL(of: "shop"))
    var configuration = ServerConfiguration()
    configuration.live = LiveForwarder(timeout: timeout).ask
    let fake = try await FakeServer.start(
      Self.library("fake", baseURL: base), configuration: configuration)
    fake.set(.live, for: .upstream("shop"))
    let url = try #require(fake.baseURL(of: "shop"))
    let response = try await transport.send(
      ClientRequest(.post, url: "\(url)\(path)", body: Array(#"{"a":"x"}"#.utf8)))
    try test(response)
    let journal = await fake.journal()
    #expect(journal.map(\.reason) == [.mode])
    await fake.close()
  }

  @Test("the response is the live API's")
  func responses() async throws {
    let live = try await FakeServer.start(
      Self.library("live", baseURL: "https://shop.example/v1"))
    let transport = CurlTransport.direct(to: [])
    try await ask(transport, "/items/1?q=2", before: live) { response in
      #expect(response.status == 201)
      #expect(response.headers["X-From"] == "live")
      #expect(String(decoding: response.body, as: UTF8.self) == #"{"query":"2","body":"x"}"#)
    }
    try await ask(transport, "/none", before: live) { response in
      #expect(response.status == 404)
    }
    #expect(await live.journal().map(\.path) == ["/shop/v1/items/1", "/shop/v1/none"])
    await live.close()
  }

  @Test("a live API that is gone is a 502 with the reason")
  func gone() async throws {
    let live = try await FakeServer.start(
      Self.library("live", baseURL: "https://shop.example/v1"))
    await live.close()
    try await ask(CurlTransport.direct(to: []), "/items/1", before: live) { response in
      #expect(response.status == 502)
      let text = String(decoding: response.body, as: UTF8.self)
      #expect(text.contains("no response from http://127.0.0.1:"))
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

  @Test("a response that comes a byte a second is a 502 when its time is up")
  func trickle() async throws {
    let live = try await FakeServer.start(Self.trickling)
    let transport = CurlTransport.direct(to: [])
    try await ask(transport, "/items/1", before: live, timeout: Self.short) { response in
      #expect(response.status == 502)
      #expect(String(decoding: response.body, as: UTF8.self).contains("timed out while"))
    }
    await live.close()
  }

  /// Waiting for it would take a minute.
  @Test("without a limit of its own, a response has a minute")
  func usualTimeout() {
    let timeout = Mirror(reflecting: LiveForwarder()).children.first { $0.label == "timeout" }
    #expect(timeout?.value as? Duration == .seconds(60))
  }

  @Test("what is recorded has the same limit")
  func trickleRecorded() async throws {
    let live = try await FakeServer.start(Self.trickling)
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
    let live = try await FakeServer.start(
      Self.library("live", baseURL: "https://shop.example/v1"))
    let transport = CurlTransport.direct(to: [])
    try await ask(transport, "/%2E%2E/secret", before: live) { response in
      #expect(response.status == 400 || response.status == 404)
    }
    #expect(await live.journal().isEmpty)
    await live.close()
  }

  private static let ofConnection = [
    "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
  ]

  @Test("what concerns the connection to the fake, or the fake itself, is not passed on")
  func requestHeaders() async throws {
    let stage = try await RecorderStage(takesAll: true)
    let kept = [
      ["Authorization", "Bearer x"], ["Cookie", "a=b"], ["X-Own", "1"], ["X-Own", "2"],
    ]
    let left = ["Prefer", "Proxy-Authorization", "TE", "Upgrade", "Keep-Alive", "Proxy-Connection"]
    try await stage.client.ask(
      WireMessage(
        "GET", "/x",
        kept + left.map { [$0, "mine"] } + [["Accept-Encoding", "mine"], ["Accept", "text/*"]]))
    let asked = try #require(stage.live.asked.first)
    for header in kept { #expect(asked.headers.contains(header), "\(asked.headers)") }
    #expect(asked.values("Accept") == ["text/*"])
    #expect(asked.values("Host") == [String(stage.live.url.dropFirst("http://".count))])
    for name in left + ["Accept-Encoding", "Host"] {
      #expect(!asked.values(name).contains("mine"), "\(name)")
    }
    await stage.close()
  }

  @Test("what concerns the connection to the live API is not in the client's response")
  func responseHeaders() {
    let left = Self.ofConnection + ["Content-Encoding", "Date", "Proxy-Authenticate"]
    let kept = ["Content-Type", "ETag", "Set-Cookie", "X-Own", "Server"]
    let response = LiveForwarder.response(
      LiveResponse(
        status: 206, headers: (left + kept).map { HeaderField(name: $0, value: "x") }, body: [7],
        latency: .zero))
    #expect(response.headers.map(\.name) == kept)
    #expect(response.status == 206 && response.body == [7])
  }

  @Test(
    "the length of a body that is not there is the declared one, if nothing was decoded",
    arguments: [
      ([("Content-Length", "7")], 7), ([("content-length", "0")], 0),
      ([("Content-Length", "-1")], nil), ([("Content-Length", "x")], nil), ([], nil),
      ([("Content-Length", "7"), ("Content-Encoding", "gzip")], nil),
    ] as [([(String, String)], Int?)])
  func lengths(headers: [(String, String)], expected: Int?) {
    let response = LiveForwarder.response(
      LiveResponse(
        status: 200, headers: headers.map { HeaderField(name: $0.0, value: $0.1) }, body: [],
        latency: .zero))
    #expect(response.contentLength == expected)
  }

  @Test("of 65 requests at once the last is refused, and later ones are not")
  func manyAtOnce() async throws {
    let (arrivals, arrive) = AsyncStream<Void>.makeStream()
    let gate = DispatchSemaphore(value: 0)
    let stage = try await RecorderStage(takesAll: true) { asked in
      arrive.yield()
      gate.wait()
      gate.signal()
      return LiveAPI.echo(asked)
    }
    defer { gate.signal() }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<64 {
        group.addTask { [client = stage.client] in
          try await client.ask("GET", "/n\(number)").status
        }
      }
      var count = 0
      for await _ in arrivals {
        count += 1
        if count == 64 { break }
      }
      let refused = try await stage.client.ask("GET", "/last")
      #expect(refused.status == 503)
      #expect(
        String(decoding: refused.body, as: UTF8.self) == #"""
          {"title":"The request was not forwarded","status":503,"detail":"64 requests to live APIs are \#
          under way, which is the maximum"}

          """#)
      gate.signal()
      var statuses: [Int] = []
      for try await status in group { statuses.append(status) }
      #expect(statuses == Array(repeating: 200, count: 64))
    }
    #expect(try await stage.client.ask("GET", "/later").status == 200)
    #expect(stage.live.asked.count == 65)
    await stage.close()
  }

  @Test("a response that is too large for a contract is a 502, and is reported as not recorded")
  func tooLarge() async throws {
    let stage = try await RecorderStage { _ in
      WireMessage(
        status: 200, [["Content-Type", "text/plain"]],
        bytes: [UInt8](repeating: 0x61, count: (64 << 20) + 1))
    }
    let response = try await stage.client.ask("GET", "/large")
    #expect(response.status == 502)
    #expect(
      try stage.record().errors.map(\.message) == [
        "GET /large of api: the response has more than 64 MiB"
      ])
    await stage.close()
  }
}
