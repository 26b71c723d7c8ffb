import Testing
import UnderstudyInterchange
import UnderstudyJSON

@testable import UnderstudyWireMockAdmin

/// Every resource of the admin API, and the parts of what it shows that clients read.
@Suite struct RouteTests {
  private static let id = "00000000-0000-4000-8000-000000000001"

  /// In this order, on one server.
  private static let requests: [(line: String, body: String, status: Int)] = [
    ("POST /mappings", #"{ "id": "\#(id)", "request": { "url": "/a" } }"#, 201),
    ("GET /mappings", "", 200), ("GET /", "", 200), ("GET /mappings/\(id)", "", 200),
    ("PUT /mappings/\(id)", #"{ "request": { "url": "/b" } }"#, 200),
    ("POST /mappings/edit", #"{ "id": "\#(id)", "request": { "url": "/c" } }"#, 204),
    ("POST /mappings/edit", "{}", 422), ("POST /mappings/new", "{}", 201),
    ("POST /mappings/find-by-metadata", #"{ "matchesJsonPath": "$.a" }"#, 200),
    ("POST /mappings/remove-by-metadata", #"{ "matchesJsonPath": "$.a" }"#, 200),
    ("GET /mappings/unmatched", "", 200), ("POST /mappings/save", "", 422),
    ("POST /mappings/remove", #"{ "id": "\#(id)" }"#, 200), ("GET /mappings/\(id)", "", 404),
    ("DELETE /mappings/\(id)", "", 404), ("DELETE /mappings/unmatched", "", 200),
    ("POST /mappings/import", #"{ "mappings": [] }"#, 200), ("DELETE /mappings", "", 200),
    ("POST /mappings/reset", "", 200), ("GET /requests", "", 200),
    ("POST /requests/count", "{}", 200), ("POST /requests/find", "{}", 200),
    ("POST /requests/remove", "{}", 200), ("GET /requests/unmatched", "", 200),
    ("GET /requests/unmatched/near-misses", "", 200), ("DELETE /requests", "", 200),
    ("POST /requests/reset", "", 200), ("GET /requests/\(id)", "", 404),
    ("POST /near-misses/request", "{}", 422),
    ("POST /near-misses/request", #"{ "url": "/a" }"#, 200),
    ("POST /near-misses/request-pattern", "{}", 200), ("GET /scenarios", "", 200),
    ("POST /scenarios/reset", "", 200), ("PUT /scenarios/none/state", "", 404),
    ("GET /settings", "", 200), ("POST /settings", "{}", 200), ("PUT /settings", "{}", 200),
    ("PATCH /settings/extended", "{}", 200), ("GET /health", "", 200), ("GET /version", "", 200),
    ("GET /recordings/status", "", 200), ("POST /recordings/start", "{}", 422),
    ("POST /recordings/stop", "", 400), ("POST /recordings/snapshot", "{}", 200),
    ("GET /files", "", 200), ("GET /files/", "", 404), ("PUT /files/a", "x", 200),
    ("GET /files/a", "", 200), ("DELETE /files/a", "", 200), ("GET /files/a", "", 404),
    ("POST /reset", "", 200), ("GET /nothing", "", 404), ("POST /shutdown", "", 501),
  ]

  @Test("each resource responds with its status")
  func statuses() async throws {
    try await AdminStage.with { (stage) async throws in
      for (line, body, status) in Self.requests {
        let parts = line.split(separator: " ", maxSplits: 1)
        let response = try await stage.ask("\(parts[0]) /__admin\(parts[1])", body)
        #expect(response.status == status, "\(line)")
      }
    }
  }

  @Test("a scenario shows all states that its stubs name")
  func states() async throws {
    try await AdminStage.with { (stage) async throws in
      for (required, new) in [("Started", "two"), ("two", "three")] {
        try await stage.admin(
          "POST /mappings",
          #"{ "scenarioName": "s", "requiredScenarioState": "\#(required)", "newScenarioState": "\#(new)" }"#
        )
      }
      let scenarios = try #require(try await stage.admin("GET /scenarios").json["scenarios"])
      #expect(scenarios.count == 1)
      let states = scenarios[0]?["possibleStates"]?.elements.compactMap(\.string)
      #expect(states == ["Started", "three", "two"])
      let set = try await stage.admin("PUT /scenarios/s/state", #"{ "state": "three" }"#)
      #expect(set.status == 200)
    }
  }

  @Test("a scenario for whose state a session has no room is refused")
  func fullState() async throws {
    try await AdminStage.with { (stage) async throws in
      try await stage.admin(
        "POST /mappings", #"{ "scenarioName": "s", "newScenarioState": "two" }"#)
      let names = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("n\($0)", "x" as String?) })
      #expect(
        stage.server.setState(names, of: WireMockLibrary.upstreamName, session: ""))
      let full = try await stage.admin("PUT /scenarios/s/state", #"{ "state": "two" }"#)
      let error = full.json["errors"]?[0]
      #expect(full.status == 507 && error?["code"]?.int == 50)
      #expect(error?["title"]?.string == "the state of this session is full")
      #expect(try await stage.admin("POST /scenarios/reset").status == 200)
      #expect(
        try await stage.admin("PUT /scenarios/s/state", #"{ "state": "two" }"#).status == 200)
    }
  }

  @Test("a header that came twice is a list, and another a text")
  func headers() async throws {
    try await AdminStage.with { (stage) async throws in
      _ = try await stage.ask("GET /a", headers: ["X-Y: 1", "X-Z: 3", "x-y: 2"])
      let found = try await stage.admin("POST /requests/find", "{}").json["requests"]?[0]
      let headers = try #require(found?["headers"])
      #expect(headers["X-Y"]?.elements.compactMap(\.string) == ["1", "2"])
      #expect(headers["X-Z"]?.string == "3")
    }
  }
}
