import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel

@testable import UnderstudySuite

/// A service that follows pages until one has no next.
@Suite struct PagingTests {
  private static let library = ContractLibrary(reading: [
    "consumers.json": """
    { "jokes.random": { "upstreams": ["joke"], "errors": {
        "connectivity": null, "unexpectedStatus": "integer" } } }
    """,
    "joke/upstream.json": #"{ "summary": "Jokes", "baseURL": "https://jokes.example/v1" }"#,
    "joke/all.json": """
    { "summary": "All jokes", "request": { "method": "GET", "path": "/all",
        "parameters": { "query.page": { "optional": true } } },
      "cases": {
        "ok": { "status": 200, "text": "2",
          "expect": { "jokes.random": { "value": "2", "requests": 2 } } },
        "last": { "status": 200, "text": "", "when": { "request": { "query.page": "2" } },
          "expect": { "jokes.random": { "value": "" } } },
        "slow": { "like": "ok", "delay": { "fixed": "300ms" },
          "expect": { "jokes.random": { "like": "ok" } } },
        "down": { "status": 500,
          "expect": { "jokes.random": { "error": { "unexpectedStatus": 500 } } } },
        "last-down": { "like": "last", "status": 500,
          "expect": { "jokes.random": { "error": { "unexpectedStatus": 500 }, "requests": 2 } } },
        "last-too-slow": { "like": "last", "delay": { "fixed": "300ms" },
          "expect": { "jokes.random": { "timeout": "200ms", "error": "connectivity",
            "transport": "timedOut", "curl": [28], "requests": 2 } } } } }
    """,
  ])

  @Test("gets the page that it asks for, whichever case is checked")
  func pages() async throws {
    let pager = SmallSuite.consumer { call in
      var (found, target) = ("", "/all")
      for _ in 0..<10 {
        let next = String(decoding: try await SmallSuite.ask(call, target), as: UTF8.self)
        if next.isEmpty { break }
        found += next
        target = "/all?page=\(next)"
      }
      return Array("\"\(found)\"".utf8)
    }
    let checks = try await SmallSuite.results(of: pager, in: Self.library)
    #expect(
      checks.map(\.text)
        == ["ok", "last", "slow", "down", "last-down", "last-too-slow"].map {
          "pass joke/all#\($0), jokes.random"
        })
  }
}
