import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFakeServer
import UnderstudyFindings

@testable import UnderstudyDrift

/// What the report of a run says of an update, before there is one.
@Suite struct UpdateAdviceTests {
  /// The fixes of a run on a contract whose API responds to this.
  private func fixes(others: String, live body: String) async throws -> [String?] {
    let folder = TestFolder()
    let contracts = "\(folder.path)/contracts"
    let files = [
      "upstream.json": #"{ "summary": "Things", "baseURL": "https://things.example" }"#,
      "thing.json": """
      { "summary": "A thing", "request": { "method": "GET", "path": "/thing" },
        "cases": {
          "ok": { "status": 200, "body": { "id": 1, "name": "a" },
            "schema": { "required": ["name"], "properties": { "id": {}, "name": {} } },
            "live": {} }\(others) } }
      """,
    ]
    for (name, text) in files {
      try folder.write(Array(text.utf8), "\(contracts)/things/\(name)")
    }
    let server = try await FakeServer.start(
      ContractLibrary(reading: [
        "things/upstream.json": #"{ "summary": "Things" }"#,
        "things/thing.json": """
        { "summary": "A thing", "request": { "method": "GET", "path": "/thing" },
          "cases": { "ok": { "status": 200, "body": \(body) } } }
        """,
      ]))
    var options = DriftSession.Options()
    options.folder = "\(folder.path)/drift"
    options.baseURLs["things"] = server.baseURL(of: "things").flatMap { WebURL(base: $0) }
    options.configuration.confirmPause = .zero
    let session = try DriftSession(
      ContractLibrary.load([contracts]), ConsumerRegistry([]), options, environment: { _ in nil },
      warn: { _, _ in })
    let outcome = session.outcome(of: await session.responses(), toolVersion: "1.2.3")
    await server.close()
    return outcome.report.checks.flatMap(\.findings).map(\.fix)
  }

  @Test("a fix advises an update only if that is not refused")
  func refused() async throws {
    let cut = #", "cut": { "like": "ok", "malform": { "remove": ["/name"] } }"#
    #expect(
      try await fixes(others: "", live: #"{ "id": 1 }"#) == [
        "run understudy drift --update to apply it, or accept it with a reason"
      ])
    #expect(
      try await fixes(others: cut, live: #"{ "id": 1 }"#) == [
        "change the contract by hand, since malformed case `cut` changes /name, which the response no"
          + " longer has, or accept it with a reason"
      ])
  }

  @Test("a body of which a part is accepted drift stays as it is")
  func accepted() throws {
    let stage = try Stage(#""status": 200, "body": { "id": 1, "name": "a" }"#)
    let response = LiveResponse(#"{ "id": "1", "rank": 7 }"#)
    let differences = try stage.differences(response)
    var change = ContractChange(of: stage.contract, now: Stage.now, isOver: { false })
    change.samples = [
      ContractChange.Sample(
        name: "ok", response: response,
        wanted: differences.filter { $0.type != .schemaFieldRemoved },
        accepted: differences.filter { $0.type == .schemaFieldRemoved })
    ]
    #expect(
      change.run().map(\.reason) == [
        "a part of the same body is accepted drift, which stays out of the contract"
      ])
    #expect(change.file == nil)
  }

  @Test(
    "drift that was accepted until yesterday counts again",
    arguments: [("2026-11-21", true), ("2026-11-22", true), ("2026-11-20", false)])
  func expired(until: String, isAccepted: Bool) throws {
    let stage = try Stage(#""status": 200, "body": { "id": 1, "name": "a" }"#)
    let removed = try #require(
      stage.differences(LiveResponse(#"{ "id": 1 }"#)).first { $0.type == .schemaFieldRemoved })
    let entry = """
      [{ "contract": "\(stage.contract.id)", "type": "schema-field-removed", "reason": "r",
         "until": "\(until)" }]
      """
    let accepted = try AcceptedDrift(parsing: Array(entry.utf8), file: "accepted.json")
    // 2026-11-21.
    let now = Moment(unixSeconds: 1_795_300_000)
    let identity = Check.Identity(stage.contract.id, "ok", consumer: nil)
    #expect(accepted.accepts(removed, of: identity, now: now) == isAccepted)
  }
}
