import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyFakeServer

/// The journal as a HAR.
@Suite struct ArchiveTests {
  private static func entries(
    of server: FakeServer, _ query: String = "", session: String? = nil
  ) throws -> [JSONValue] {
    let response = try server.admin("GET", "/journal.har\(query)", session: session)
    #expect(response.status == 200)
    return Array(try response.json()["log"]?["entries"]?.elements ?? JSONValue.null.elements)
  }

  @Test("an entry has the request, the response of its case, and what chose it")
  func entry() async throws {
    let now = Moment(microseconds: 1_700_000_000_123_456)
    let clock = LoopClock(monotonic: { 0 }, wall: { now })
    let pool = LoopPool(loopCountMax: 1, clock: clock)
    let server = try await FakeServer.start(
      ContractLibrary(
        reading: SmallServer.files.merging(
          [
            "shop/add.json": #"""
            { "summary": "Adds one", "request": { "method": "POST", "path": "/items" },
              "cases": { "ok": { "status": 201, "headers": { "Content-Type": "application/json" },
                                 "body": { "id": 3 } } } }
            """#
          ], uniquingKeysWith: { $1 })), on: pool)
    try await BlockingThread.run {
      _ = try server.client().exchange(
        "POST /~w/shop/items?a=1%202&b", ["Content-Type: text/plain", "Cookie: id=s3cr3t-0f-m1ne"],
        body: "{\"n\":1}")
      let entry = try #require(try Self.entries(of: server).first)
      #expect(
        TextDiff.unified(
          """
          {
            "startedDateTime": "2023-11-14T22:13:20.123Z",
            "time": 0.0,
            "request": {
              "method": "POST",
              "url": "http://localhost/shop/items?a=1%202&b",
              "httpVersion": "HTTP/1.1",
              "cookies": [],
              "headers": [
                { "name": "Host", "value": "localhost" },
                { "name": "Content-Type", "value": "text/plain" },
                { "name": "Cookie", "value": "[redacted]" },
                { "name": "Content-Length", "value": "7" }
              ],
              "queryString": [{ "name": "a", "value": "1 2" }, { "name": "b", "value": "" }],
              "headersSize": -1,
              "bodySize": 7,
              "postData": { "mimeType": "text/plain", "text": "{\\"n\\":1}" }
            },
            "response": {
              "status": 201,
              "statusText": "Created",
              "httpVersion": "HTTP/1.1",
              "cookies": [],
              "headers": [{ "name": "Content-Type", "value": "application/json" }],
              "content": { "size": 8, "mimeType": "application/json", "text": "{\\"id\\":3}" },
              "redirectURL": "",
              "headersSize": -1,
              "bodySize": 8
            },
            "cache": {},
            "timings": { "send": 0, "wait": 0.0, "receive": 0 },
            "_contract": "shop/add",
            "_case": "ok",
            "_reason": "default",
            "_session": "w",
            "_outcome": "responded"
          }
          """, entry.laidOut()) == "")
    }
    await server.close()
    pool.stop()
  }

  @Test("a response that no case has written is missing, and a fault has none")
  func withoutResponse() async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.client().exchange("GET /shop/nothing")
      _ = try? server.client().exchange("GET /shop/items", ["Prefer: example=reset"])
      let entries = try Self.entries(of: server)
      let contents = entries.map { $0["response"]?["content"] }
      #expect(entries.map { $0["response"]?["status"]?.int } == [404, 0])
      #expect(contents.map { $0?["text"]?.string } == [nil, nil])
      #expect(contents[0]?["comment"]?.string == "The request log does not keep this response.")
      #expect(entries.map { $0["response"]?["_error"]?.string } == [nil, "reset"])
      #expect(entries.map { $0["_case"]?.string } == [nil, "reset"])
    }
  }

  @Test("takes the filters of the request log, and bytes that are not text")
  func filters() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      _ = try client.exchange("GET /shop/items")
      _ = try client.exchange("POST /~w/shop/items", body: "{}")
      client.send("POST /shop/items HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n")
      client.send([0xFF])
      _ = try client.response()
      let methods = try Self.entries(of: server, "?contract=shop/add").map {
        $0["request"]?["method"]?.string
      }
      #expect(methods == ["POST", "POST"])
      let own = try Self.entries(of: server, session: "w")
      #expect(own.map { $0["_session"]?.string } == ["w"])
      let data = try Self.entries(of: server).last?["request"]?["postData"]
      #expect(data?["text"]?.string == "/w==")
      #expect(data?["encoding"]?.string == "base64")
    }
  }
}
