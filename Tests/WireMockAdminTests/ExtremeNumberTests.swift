import Testing
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyWireMockAdmin

@Suite struct ExtremeNumberTests {
  private static let samples = [
    #"{"priority": 3, "insertionIndex": 2, "request": {"url": "/a", "port": 80, "bodyPatterns": [{"matchesJsonPath": "$.a[3]"}]}, "response": {"status": 201, "fixedDelayMilliseconds": 4, "chunkedDribbleDelay": {"numberOfChunks": 3, "totalDuration": 2}, "body": "a"}}"#,
    #"{"request": {"url": "/a"}, "response": {"delayDistribution": {"type": "lognormal", "median": 80, "sigma": 0.4, "maxValue": 90}}}"#,
    #"{"request": {"url": "/a"}, "response": {"delayDistribution": {"type": "uniform", "lower": 8, "upper": 9}}}"#,
    #"{"request": {"url": "/a"}, "response": {"body": "{{randomInt lower=4 upper=6}}", "transformers": ["response-template"]}}"#,
  ]

  @Test("no number in a stub, a setting or a query ends the server", arguments: samples.indices)
  func stubs(index: Int) async throws {
    let stub = Self.samples[index]
    try await AdminStage.with { (stage) async throws in
      let variants = ExtremeNumbers.variants(of: stub) + ExtremeNumbers.duplications(of: stub)
      for text in variants {
        let status = try await stage.admin("POST /mappings", text).status
        #expect([201, 422].contains(status), "\(text)")
        _ = try await stage.ask("GET /a")
        try await stage.admin("DELETE /mappings")
      }
    }
  }

  @Test("no number in settings, queries or patterns ends the server")
  func others() async throws {
    try await AdminStage.with { (stage) async throws in
      try await stage.admin("POST /mappings", #"{"request": {"url": "/a"}}"#)
      let settings = [
        #"{"fixedDelay": 5}"#,
        #"{"delayDistribution": {"type": "lognormal", "median": 5, "sigma": 0.5}}"#,
      ]
      for text in settings.flatMap(ExtremeNumbers.variants) {
        try await stage.admin("POST /settings", text)
        _ = try await stage.ask("GET /a")
      }
      try await stage.admin("POST /settings", "{}")
      for number in ExtremeNumbers.texts {
        try await stage.admin("GET /mappings?limit=\(number)&offset=\(number)")
        try await stage.admin("GET /requests?limit=\(number)&since=\(number)")
        try await stage.admin("POST /requests/count", #"{"url": "/a", "port": \#(number)}"#)
      }
      #expect(try await stage.get("/a") == "200 ")
    }
  }
}
