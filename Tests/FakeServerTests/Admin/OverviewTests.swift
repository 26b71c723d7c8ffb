import Testing
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

/// What the admin API says of a server at a glance: which cases were served, and what runs.
@Suite struct OverviewTests {
  @Test("the cases that were served are counted")
  func counts() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      for line in ["GET /shop/items", "GET /shop/items", "POST /shop/items", "GET /shop/none"] {
        _ = try client.exchange(line)
      }
      _ = try client.exchange("GET /~w/shop/items", ["Prefer: example=empty"])
      let all = try server.admin("GET", "/journal/served").json()
      #expect(
        String(decoding: all.compact, as: UTF8.self)
          == #"{"sequence":5,"cases":[{"contract":"shop/add","case":"ok","count":1},"#
          + #"{"contract":"shop/items","case":"empty","count":1},"#
          + #"{"contract":"shop/items","case":"ok","count":2}]}"#)
      let own = try server.admin("GET", "/journal/served", session: "w").json()
      #expect(own["cases"]?.count == 1)
    }
  }

  @Test("the request log has a request by its number, and says whether it is unmatched")
  func sequence() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      for line in ["GET /shop/items", "GET /shop/none", "POST /shop/items"] {
        _ = try client.exchange(line)
      }
      for (number, path, isUnmatched) in [(1, "/shop/items", false), (2, "/shop/none", true)] {
        let found = try server.admin("GET", "/journal?sequence=\(number)").json()["requests"]
        #expect(found?.count == 1)
        #expect(found?[0]?["path"]?.string == path)
        #expect(found?[0]?["unmatched"]?.bool == isUnmatched)
      }
      #expect(try server.admin("GET", "/journal?sequence=9").json()["requests"]?.count == 0)
    }
  }

  @Test("a contract says which script runs, and how far it is")
  func script() async throws {
    try await SmallServer.with { (server) async throws in
      let path = "/contracts/shop/items"
      #expect(try server.admin("GET", path).json()["script"]?.kind == .null)
      _ = try server.admin("POST", "\(path)/script", body: #"{"cases":["gone","ok"]}"#)
      for served in 0...3 {
        let script = try server.admin("GET", path).json()["script"]
        #expect(script?["cases"]?.elements.map(\.string) == ["gone", "ok"])
        #expect(script?["served"]?.int == served)
        _ = try server.client().exchange("GET /shop/items")
      }
    }
  }
}
