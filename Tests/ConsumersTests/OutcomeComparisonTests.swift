import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFindings
import UnderstudyJSON

@Suite struct OutcomeComparisonTests {
  private static let contract = ContractLibrary(reading: [
    "consumers.json": """
    { "c": { "upstreams": ["u"], "errors": { "connectivity": null, "limited": "any" } } }
    """,
    "u/upstream.json": #"{ "summary": "An API" }"#,
    "u/e.json": """
    { "summary": "An endpoint", "request": { "method": "GET", "path": "/" },
      "cases": {
        "list": { "status": 200, "body": [],
          "expect": { "c": { "value": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] } } },
        "reset": { "fault": "CONNECTION_RESET_BY_PEER",
          "expect": { "c": { "error": "connectivity", "transport": "reset", "curl": [55, 56] } } },
        "limited": { "status": 429, "expect": { "c": { "error": { "limited": { "until": 1 } } } } }
      } }
    """,
  ]).contracts.first

  private static func findings(
    _ outcome: ConsumerOutcome, of caseName: String
  ) throws -> [String] {
    let contract = try #require(contract)
    let expectation = try #require(contract.case(named: caseName)?.expectations.first)
    return OutcomeComparison(outcome, against: expectation, in: contract.file).findings.map {
      finding in
      let place = finding.place.map { "\($0): " } ?? ""
      return "\(place)\(finding.message)" + (finding.path.map { " at \($0)" } ?? "")
    }
  }

  @Test(
    "shows ten differences of a value, each where the contract says otherwise, and counts",
    arguments: [
      (10, "u/e.json:4:63: found number 0, expected number 10 at /9"),
      (11, "u/e.json:4:24: and 1 more difference"), (12, "u/e.json:4:24: and 2 more differences"),
    ])
  func many(count: Int, last: String) throws {
    let numbers = (0..<12).map { $0 < count ? "0" : "\($0 + 1)" }.joined(separator: ",")
    let value = try JSONDocument(parsing: "[\(numbers)]").root
    let found = try Self.findings(.value(value), of: "list")
    #expect(found.count == min(count, 11))
    #expect(found.first == "u/e.json:4:36: found number 0, expected number 1 at /0")
    #expect(found.last == last)
  }

  @Test("a value means the same however its numbers and members are written")
  func same() throws {
    let value = try JSONDocument(parsing: "[1.0,2,3,4,5,6,7,8,9,1e1,11,12]").root
    #expect(try Self.findings(.value(value), of: "list") == [])
  }

  @Test(
    "compares the transport failure with the contract",
    arguments: [
      (TransportError(.reset, curlCode: 56), []),
      (
        TransportError(.reset, curlCode: 52),
        ["u/e.json:6:24: found curl code 52 under connectivity, expected 55 or 56"]
      ),
      (
        TransportError(.emptyReply, "GET /", curlCode: 55),
        [
          "u/e.json:6:24: found emptyReply (the connection was closed without a response: GET /"
            + " (curl 55)) under connectivity, expected reset"
        ]
      ),
    ])
  func transport(failure: TransportError, expected: [String]) throws {
    let outcome = ConsumerOutcome.error(ConsumerError("connectivity", transport: failure))
    #expect(try Self.findings(outcome, of: "reset") == expected)
  }

  @Test(
    "compares the payload of an error as JSON",
    arguments: [
      ("{ \"until\": 1.0 }", []),
      (nil, ["u/e.json:7:74: found limited with no payload, expected {\"until\":1}"]),
      ("soon", ["u/e.json:7:74: found limited with soon, expected {\"until\":1}"]),
    ] as [(String?, [String])])
  func payload(payload: String?, expected: [String]) throws {
    let outcome = ConsumerOutcome.error(ConsumerError("limited", payload: payload))
    #expect(try Self.findings(outcome, of: "limited") == expected)
  }
}
