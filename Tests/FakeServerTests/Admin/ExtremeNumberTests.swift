import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// Numbers at the ends of what types hold, wherever the admin API takes one.
@Suite struct ExtremeNumberTests {
  private static let contract = #"""
    {"request":{"method":"GET","path":"/n/{id}"},"cases":{"ok":{"status":200,"headers":{"Retry-After":"3"},"template":["headers","body"],"body":"{random.1-6} {now +3d} {counter} {random.hex.8}","latency":"2s"},"many":{"when":{"count":{"above":2}},"status":404,"malform":{"truncateAt":7},"text":"later"}}}
    """#
  /// Of responses that could take their time.
  private static let slow = #"""
    {"request":{"method":"GET","path":"/s"},"cases":{"ok":{"status":200,"text":"a","delay":{"lognormal":{"median":"80ms","sigma":0.4}}},"even":{"status":200,"text":"a","delay":{"uniform":["1ms","2ms"]}},"paced":{"status":200,"text":"a","pace":{"bytesPerSecond":10}},"parts":{"status":200,"text":"a","pace":{"chunks":2,"over":"1s"}},"stalled":{"status":200,"text":"ab","stall":{"atByte":1}},"long":{"status":200,"text":"a","malform":{"contentLength":9}}}}
    """#

  @Test("none in a contract ends the server, or whoever it responds")
  func contracts() async throws {
    try await SmallServer.with { (server) async throws in
      let variants = [Self.contract, Self.slow].flatMap {
        ExtremeNumbers.variants(of: $0) + ExtremeNumbers.duplications(of: $0)
      }
      for text in variants {
        let status = try server.admin("PUT", "/contracts/shop/n", body: text).status
        #expect([200, 201, 400, 422].contains(status), "\(text)")
        guard text.contains("/n/{id}") else { continue }
        let client = try server.client()
        client.send("GET /shop/n/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(client.receiveAll().text.hasPrefix("HTTP/1.1 "), "\(text)")
        _ = try server.admin("DELETE", "/contracts/shop/n")
      }
      #expect(try server.admin("GET", "/health").status == 200)
    }
  }

  @Test(
    "none in another body, a path or a query ends it",
    arguments: [
      ("PUT", "/state", #"{"state":{"shop":{"shelf":1}}}"#),
      ("PUT", "/contracts/shop/items/case", #"{"case":1}"#),
      ("POST", "/contracts/shop/items/script", #"{"cases":[1]}"#),
      ("PUT", "/mode", #"{"mode":1}"#),
      ("POST", "/journal/count", #"{"method":"GET","path":"/1","parameters":{"query.a":1}}"#),
      ("POST", "/held/1/release", #"{"case":1}"#),
      ("POST", "/journal/1/record", ""), ("DELETE", "/held/1", ""),
      ("GET", "/journal?limit=1", ""), ("GET", "/journal?since=1", ""),
      ("GET", "/journal?sequence=1", ""), ("GET", "/journal?status=1", ""),
      ("GET", "/journal.har?limit=1&since=1", ""), ("GET", "/journal/served?since=1", ""),
      ("POST", "/journal/count?limit=1&since=1&status=1", "{}"),
    ])
  func others(method: String, path: String, body: String) async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.client().exchange("GET /shop/items")
      for (path, body) in ExtremeNumbers.variants(of: path).map({ ($0, body) })
        + ExtremeNumbers.variants(of: body).map({ (path, $0) })
      {
        let status = try server.admin(method, path, body: body).status
        #expect((200..<500).contains(status), "\(path) \(body): \(status)")
      }
      #expect(try server.admin("GET", "/health").status == 200)
    }
  }

  @Test("no time to wait for ends it", arguments: ["", "ms", "s", "h"])
  func waiting(unit: String) async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.client().exchange("GET /shop/items")
      for number in ExtremeNumbers.texts {
        // There is one already, so nobody waits.
        let status = try server.admin("GET", "/journal?wait=\(number)\(unit)").status
        #expect([200, 400, 422].contains(status), "\(number)\(unit)")
      }
    }
  }
}
