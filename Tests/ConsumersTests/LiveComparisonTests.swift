import Testing
import UnderstudyContractModel

@testable import UnderstudyConsumers

@Suite struct LiveComparisonTests {
  private static let library = ContractLibrary(reading: [
    "joke/upstream.json": #"{ "summary": "Jokes" }"#,
    "consumers.json": """
    { "jokes": { "upstreams": ["joke"],
        "errors": { "connectivity": null, "unexpectedStatus": "integer", "limited": "any" } } }
    """,
    "joke/random.json": """
    { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
      "cases": {
        "ok": { "status": 200, "body": { "id": 7 },
          "expect": { "jokes": { "value": { "id": 7 } } } },
        "gone": { "status": 410, "expect": { "jokes": { "error": { "unexpectedStatus": 410 } } } },
        "limited": { "status": 429, "expect": { "jokes": { "error": { "limited": 60 } } } } } }
    """,
  ])

  @Test(
    "compares only the kind of outcome with the contract",
    arguments: [
      ("ok", #"{ "id": 8 }"#, nil, []),
      (
        "ok", nil, ConsumerError("connectivity"), ["found the error connectivity, expected a value"]
      ),
      ("gone", nil, ConsumerError("unexpectedStatus", payload: "410"), []),
      (
        "gone", nil, ConsumerError("unexpectedStatus", payload: "404"),
        ["found unexpectedStatus with 404, expected 410"]
      ),
      ("limited", nil, ConsumerError("limited", payload: "12"), []),
      (
        "gone", "1", nil, ["found the value number 1, expected the error unexpectedStatus"]
      ),
    ] as [(String, String?, ConsumerError?, [String])])
  func kinds(
    caseName: String, value: String?, error: ConsumerError?, messages: [String]
  ) throws {
    let contract = try #require(Self.library.contracts.first)
    let served = try #require(contract.case(named: caseName))
    let expectation = try #require(served.expectations.first)
    let outcome =
      error.map { ConsumerOutcome.error($0) } ?? ConsumerOutcome(json: Array((value ?? "").utf8))
    let comparison = OutcomeComparison(
      live: outcome, of: served, against: expectation, in: contract.file)
    #expect(comparison.findings.map(\.message) == messages)
  }
}
