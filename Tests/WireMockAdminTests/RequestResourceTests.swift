import Testing
import UnderstudyJSON

@testable import UnderstudyWireMockAdmin

/// What clients learn of requests, scenarios, settings and the server.
@Suite struct RequestResourceTests {
  private static let stub = #"""
    { "id": "00000000-0000-4000-8000-000000000001",
      "request": { "method": "ANY", "urlPath": "/a" }, "response": { "status": 201, "body": "x" },
      "metadata": { "team": "a" } }
    """#

  @Test("requests are counted, found, listed and removed")
  func requests() async throws {
    try await AdminStage.with { (stage) async throws in
      try await stage.admin("POST /mappings", Self.stub)
      _ = try await stage.ask("GET /a?b=1&b=2", headers: ["X-Y: z", "Cookie: c=1; d=2"])
      _ = try await stage.ask("POST /a", "sent")
      _ = try await stage.ask("GET /missed")
      for (pattern, count) in [
        ("{}", 3), (#"{ "method": "POST" }"#, 1), (#"{ "urlPath": "/a" }"#, 2),
        (#"{ "url": "/a" }"#, 1), (#"{ "url": "/a?b=1&b=2" }"#, 1), (#"{ "urlPath": "/b" }"#, 0),
        (#"{ "method": "GET", "headers": { "X-Y": { "equalTo": "z" } } }"#, 1),
        (#"{ "bodyPatterns": [{ "equalTo": "sent" }] }"#, 1),
        (#"{ "cookies": { "d": { "equalTo": "1" } } }"#, 0),
      ] {
        let counted = try await stage.admin("POST /requests/count", pattern).json
        #expect(counted["count"]?.int == count, "\(pattern)")
        let found = try await stage.admin("POST /requests/find", pattern).json
        #expect(found["requests"]?.count == count, "\(pattern)")
      }
      let pattern = #"{ "method": "GET", "urlPath": "/a" }"#
      let counted = try await stage.admin("POST /requests/count", pattern).json
      #expect(counted["count"]?.int == 1)
      #expect(counted["requestJournalDisabled"]?.bool == false)
      let found = try await stage.admin("POST /requests/find", pattern).json["requests"]?[0]
      #expect(found?["url"]?.string == "/a?b=1&b=2")
      #expect(found?["headers"]?["X-Y"]?.string == "z")
      #expect(found?["cookies"]?["d"]?.string == "2")
      #expect(found?["queryParams"]?["b"]?["values"]?.count == 2)
      let events = try await stage.admin("GET /requests").json
      #expect(events["meta"]?["total"]?.int == 3)
      let last = try #require(events["requests"]?[0])
      #expect(last["wasMatched"]?.bool == false)
      #expect(last["responseDefinition"]?["fromConfiguredStub"]?.bool == false)
      let second = try #require(events["requests"]?[1])
      #expect(second["request"]?["body"]?.string == "sent")
      #expect(second["response"]?["status"]?.int == 201)
      #expect(second["stubMapping"]?["metadata"]?["team"]?.string == "a")
      let id = try #require(second["id"]?.string)
      #expect(try await stage.admin("GET /requests/\(id)").json["id"]?.string == id)
      #expect(try await stage.admin("DELETE /requests/\(id)").status == 200)
      #expect(try await stage.admin("GET /requests/\(id)").status == 404)
      #expect(try await stage.admin("GET /requests/x").status == 400)
      let removed = try await stage.admin("POST /requests/remove", pattern)
      #expect(removed.json["serveEvents"]?.count == 1)
      #expect(try await stage.admin("GET /requests").json["meta"]?["total"]?.int == 1)
      #expect(try await stage.admin("DELETE /requests").status == 200)
      #expect(try await stage.admin("GET /requests").json["meta"]?["total"]?.int == 0)
    }
  }

  @Test("the list is narrowed by stub, time and number")
  func narrowed() async throws {
    try await AdminStage.with { (stage) async throws in
      try await stage.admin("POST /mappings", Self.stub)
      for path in ["/a", "/missed", "/a"] { _ = try await stage.ask("GET \(path)") }
      for (query, count, total) in [
        ("matchingStub=00000000-0000-4000-8000-000000000001", 2, 2), ("unmatched=true", 1, 1),
        ("limit=1", 1, 3), ("since=2000-01-01T00:00:00Z", 3, 3), ("since=2999-01-01", 0, 3),
        ("since=2999-01-01T00:00:00%2B02:00", 0, 3),
      ] {
        let found = try await stage.admin("GET /requests?\(query)").json
        #expect(found["requests"]?.count == count, "\(query)")
        #expect(found["meta"]?["total"]?.int == total, "\(query)")
      }
      #expect(try await stage.admin("GET /requests?since=x").status == 400)
      #expect(try await stage.admin("GET /requests?matchingStub=x").status == 400)
      let removed = try await stage.admin(
        "POST /requests/remove-by-metadata", #"{ "matchesJsonPath": "$[?(@.team == 'a')]" }"#)
      #expect(removed.json["serveEvents"]?.count == 2)
    }
  }

  @Test("requests that nearly matched are explained, and so are patterns")
  func near() async throws {
    try await AdminStage.with { (stage) async throws in
      try await stage.admin("POST /mappings", Self.stub)
      _ = try await stage.ask("GET /b")
      #expect(try await stage.admin("GET /requests/unmatched").json["requests"]?.count == 1)
      let missed = try await stage.admin("GET /requests/unmatched/near-misses").json["nearMisses"]
      #expect(missed?[0]?["stubMapping"]?["metadata"]?["team"]?.string == "a")
      #expect(missed?[0]?["request"]?["url"]?.string == "/b")
    }
  }

  /// What each near miss is, and that they come nearest first.
  private static func ordered(_ json: JSONValue, _ name: (JSONValue) -> String?) throws -> [String]
  {
    let unmatched = try #require(json["nearMisses"])
    let distances = try unmatched.elements.map { unmatched in
      try #require(unmatched["matchResult"]?["distance"]?.number?.double)
    }
    #expect(distances == distances.sorted())
    #expect(distances.count { 0..<1 ~= $0 } == unmatched.count)
    return unmatched.elements.map { name($0) ?? "nothing" }
  }

  @Test("of the stubs near to a request the nearest comes first, and at most three")
  func nearStubs() async throws {
    try await AdminStage.with { (stage) async throws in
      for (name, method, path, header) in [
        ("far", "PUT", "/x/y/z", "1"), ("nearest", "GET", "/b", "1"), ("near", "POST", "/b", "1"),
        ("farther", "PUT", "/y", "1"),
      ] {
        try await stage.admin(
          "POST /mappings",
          #"{ "name": "\#(name)", "request": { "method": "\#(method)", "urlPath": "\#(path)", "headers": { "X": { "equalTo": "\#(header)" } } } }"#
        )
      }
      let names = { (unmatched: JSONValue) in unmatched["stubMapping"]?["name"]?.string }
      let asked = try await stage.admin(
        "POST /near-misses/request", #"{ "url": "/b", "method": "GET" }"#)
      #expect(try Self.ordered(asked.json, names) == ["nearest", "near", "farther"])
      _ = try await stage.ask("GET /b")
      let missed = try await stage.admin("GET /requests/unmatched/near-misses")
      #expect(try Self.ordered(missed.json, names) == ["nearest", "near", "farther"])
      let header = try await stage.admin(
        "POST /near-misses/request", #"{ "url": "/y", "method": "PUT", "headers": { "X": "1" } }"#)
      #expect(try Self.ordered(header.json, names) == [])
    }
  }

  @Test("of the requests near to a pattern the nearest comes first, and at most three")
  func nearRequests() async throws {
    try await AdminStage.with { (stage) async throws in
      for line in ["PUT /far", "GET /a", "POST /b?c=1", "GET /b"] {
        _ = try await stage.ask(line)
      }
      _ = try await stage.ask("GET /a", headers: ["X: 1"])
      let pattern = #"{ "method": "GET", "urlPath": "/a", "headers": { "X": { "equalTo": "1" } } }"#
      let asked = try await stage.admin("POST /near-misses/request-pattern", pattern)
      let requests = try Self.ordered(asked.json) { unmatched in
        let request = unmatched["request"]
        let header = request?["headers"]?["X"]?.string.map { ", X: \($0)" } ?? ""
        return "\(request?["method"]?.string ?? "") \(request?["url"]?.string ?? "")\(header)"
      }
      #expect(requests == ["GET /a, X: 1", "GET /a", "GET /b"])
      let unmatched = try #require(asked.json["nearMisses"])
      #expect(unmatched[0]?["matchResult"]?["distance"]?.number?.double == 0)
      #expect(unmatched[0]?["requestPattern"]?["urlPath"]?.string == "/a")
    }
  }

  @Test("scenarios are listed, moved and reset")
  func scenarios() async throws {
    try await AdminStage.with { (stage) async throws in
      for (required, new, body) in [("Started", "two", "1"), ("two", "three", "2")] {
        try await stage.admin(
          "POST /mappings",
          #"{ "request": { "url": "/s" }, "response": { "body": "\#(body)" }, "scenarioName": "my steps", "requiredScenarioState": "\#(required)", "newScenarioState": "\#(new)" }"#
        )
      }
      func state() async throws -> String? {
        try await stage.admin("GET /scenarios").json["scenarios"]?[0]?["state"]?.string
      }
      #expect(try await state() == "Started")
      #expect(try await stage.get("/s") == "200 1")
      #expect(try await state() == "two")
      #expect(try await stage.get("/s") == "200 2")
      #expect(try await stage.get("/s") == "404")
      let path = "PUT /scenarios/my%20steps/state"
      #expect(try await stage.admin(path, #"{ "state": "two" }"#).status == 200)
      #expect(try await stage.get("/s") == "200 2")
      #expect(try await stage.admin(path, #"{ "state": "x" }"#).status == 422)
      for refused in ["null", "{}", #"{ "state": null }"#, #"{ "state": "two", "more": 1 }"#] {
        #expect(try await stage.admin(path, refused).status == 422, "\(refused)")
      }
      for body in ["", #"{ "state": "Started" }"#] {
        #expect(try await stage.admin(path, #"{ "state": "two" }"#).status == 200)
        #expect(try await stage.admin(path, body).status == 200)
        #expect(try await state() == "Started")
        #expect(try await stage.get("/s") == "200 1")
        #expect(try await state() == "two")
      }
      #expect(try await stage.admin(path).status == 200)
      #expect(try await stage.admin("PUT /scenarios/x/state").status == 404)
      #expect(try await stage.get("/s") == "200 1")
      #expect(try await stage.admin("POST /scenarios/reset").status == 200)
      #expect(try await state() == "Started")
    }
  }

  @Test("a delay for all stubs is added to those without one")
  func settings() async throws {
    try await AdminStage.with { (stage) async throws in
      try await stage.admin("POST /mappings", Self.stub)
      #expect(try await stage.admin("POST /settings", #"{ "fixedDelay": 500 }"#).status == 200)
      #expect(try await stage.admin("GET /settings").json["settings"]?["fixedDelay"]?.int == 500)
      _ = try await stage.ask("GET /a")
      // The server of this test scales all delays by zero; the contract is what has them.
      let contract = try #require(
        (stage.server.explain(.init("GET", "/wiremock/a"), session: "").contract))
      #expect(contract.cases.first?.delay != nil)
      #expect(try await stage.admin("POST /settings", #"{ "fixedDelay": "x" }"#).status == 422)
      #expect(try await stage.admin("PATCH /settings/extended", #"{ "a": 1 }"#).status == 200)
      let settings = try await stage.admin("GET /settings").json["settings"]
      #expect(settings?["extended"]?["a"]?.int == 1)
      #expect(settings?["fixedDelay"]?.int == 500)
    }
  }

  @Test(
    "a delay for all stubs has any of WireMock's distributions, and no other",
    arguments: [
      (#"{ "type": "uniform", "lower": 1, "upper": 2 }"#, 200),
      (#"{ "type": "lognormal", "median": 80, "sigma": 0.4 }"#, 200),
      (#"{ "type": "fixed", "milliseconds": 5 }"#, 200), (#"{ "type": "normal" }"#, 422),
      (#"{ "type": "" }"#, 422), (#"{ "median": 80 }"#, 422), ("[]", 422),
      (#"{ "type": "lognormal", "median": "x", "sigma": 0.4 }"#, 422),
    ])
  func distributions(text: String, status: Int) async throws {
    try await AdminStage.with { (stage) async throws in
      try await stage.admin("POST /mappings", Self.stub)
      let set = try await stage.admin("POST /settings", "{ \"delayDistribution\": \(text) }")
      #expect(set.status == status, "\(set.json.summary)")
      _ = try await stage.ask("GET /a")
      let served = try #require(
        stage.server.explain(.init("GET", "/wiremock/a"), session: "").contract)
      #expect((served.cases.first?.delay != nil) == (status == 200))
    }
  }

  @Test("the server says who it is, and what it has not")
  func server() async throws {
    try await AdminStage.with { (stage) async throws in
      #expect(try await stage.admin("GET /health").json["status"]?.string == "healthy")
      #expect(try await stage.admin("GET /version").json["version"]?.string != nil)
      #expect(try await stage.admin("GET /nothing").status == 404)
      let door = try await stage.ask("GET /__admin")
      #expect(door.status == 302)
      #expect(door.values(of: "Location") == ["http://\(stage.server.address)/__admin/"])
    }
  }

  @Test("credentials and a local Host are needed")
  func access() async throws {
    var options = WireMockAPI.Options()
    options.credentials = "a:b"
    try await AdminStage.with(options) { (stage) async throws in
      #expect(try await stage.admin("GET /mappings").status == 401)
      for wrong in [
        "Basic YTpj", "Basic YTp", "Basic YTpiYg==", "Basic", "", "YTpi", "Bearer YTpi",
      ] {
        let refused = try await stage.ask(
          "POST /__admin/mappings", "{}", headers: ["Authorization: \(wrong)"])
        #expect(refused.status == 401, "\(wrong)")
        #expect(refused.values(of: "WWW-Authenticate") == ["Basic"], "\(wrong)")
      }
      #expect(try await stage.get("/any") == "404")
      let basic = "Authorization: Basic YTpi"
      #expect(try await stage.ask("GET /__admin/mappings", headers: [basic]).status == 200)
      let foreign = try await stage.ask(
        "GET /__admin/mappings", headers: [basic], host: "evil.example")
      #expect(foreign.status == 403)
      let page = try await stage.ask(
        "GET /__admin/mappings", headers: [basic, "Origin: http://evil.example"])
      #expect(page.status == 403)
    }
  }

  @Test("without a journal nothing is counted")
  func noJournal() async throws {
    var options = WireMockAPI.Options()
    options.keepsJournal = false
    try await AdminStage.with(options) { (stage) async throws in
      let counted = try await stage.admin("POST /requests/count", "{}").json
      #expect(counted["count"]?.int == -1)
      #expect(counted["requestJournalDisabled"]?.bool == true)
    }
  }
}
