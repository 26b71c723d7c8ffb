import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyTestSupport

@Suite struct NamedDriftTests {
  private static let broken = ["error consumer-broken -"]

  @Test(
    "each drift is found, all of it and nothing else",
    arguments: NamedDrift.ofHeads + NamedDrift.ofBodies + NamedDrift.ofSeveral)
  func named(drift: NamedDrift) async throws {
    var contract = DriftProof.contract
    if let (old, new) = drift.contract { contract = contract.replacing(old, with: new) }
    let checks = try await DriftProof.checks(serving: drift.served, contract: contract)
    try #require(checks.count == 2)
    #expect(checks[0].findings.map(\.kindAndPath).sorted() == drift.found.sorted())
    let fails = drift.found.contains { $0.hasPrefix("error") }
    #expect(checks[0].result == (fails ? .fail : .pass))
    #expect(checks[1].findings.map(\.kindAndPath) == (drift.breaks ? Self.broken : []))
    #expect(checks[1].result == (drift.breaks ? .fail : .pass))
  }

  @Test(
    "drift is reported at the line of the contract that it contradicts",
    arguments: [
      ("gone", [#""status": 200"#]), ("header changed", [#""X-Kind": "thing""#]),
      ("number as text", [#""id": { "type""#]), ("field gone, unread", [#""note": "x""#]),
      ("another state", [#""state": { "enum""#]), ("since 1970", [#""at": { "x-time""#]),
      ("none left", [#""tags": ["#]), ("slow", [#""latency""#]),
    ])
  func places(name: String, texts: [String]) async throws {
    let drift = try #require(
      (NamedDrift.ofHeads + NamedDrift.ofBodies).first { $0.name == name })
    var contract = DriftProof.contract
    if let (old, new) = drift.contract { contract = contract.replacing(old, with: new) }
    let checks = try await DriftProof.checks(serving: drift.served, contract: contract)
    let lines = contract.split(separator: "\n", omittingEmptySubsequences: false)
    let found = try checks[0].findings.map { finding in
      let place = try #require(finding.place)
      #expect(place.file == "joke/thing.json")
      return lines[try #require(place.position).line - 1]
    }
    try #require(found.count == texts.count)
    for (line, text) in zip(found, texts) { #expect(line.contains(text)) }
  }

  @Test(
    "each drift behind a redirect is found, all of it and nothing else",
    arguments: NamedDrift.ofBodies + NamedDrift.ofSeveral)
  func redirected(drift: NamedDrift) async throws {
    var contract = DriftProof.contract
    if let (old, new) = drift.contract { contract = contract.replacing(old, with: new) }
    let server = try await DriftProof.live(drift.served, behind: 302)
    let checks = try await DriftProof.checks(
      at: server.baseURL(of: "joke"), contract: contract,
      consumer: DriftProof.consumer(followingRedirects: 5))
    await server.close()
    try #require(checks.count == 2)
    #expect(
      checks[0].findings.map(\.kindAndPath).sorted() == (drift.found + ["note redirect -"]).sorted()
    )
    #expect(checks[1].findings.map(\.kindAndPath) == (drift.breaks ? Self.broken : []))
  }

  @Test("a drift behind another tag is found, whatever is known of the one before")
  func tag() async throws {
    let unchanged = NamedDrift("none", [], [])
    let drift = NamedDrift(
      "field gone", [(#""name": "chair", "#, "")],
      headers: DriftProof.headers.replacing("2", with: "3"),
      ["error schema-field-removed /name"], breaks: true)
    let captures = TestFolder()
    let server = try await DriftProof.live(unchanged.served)
    for run in [unchanged, drift, drift] {
      server.replaceContracts(with: try DriftProof.liveLibrary(run.served))
      let checks = try await DriftProof.checks(at: server.baseURL(of: "joke"), captures: captures)
      #expect(
        checks.map { $0.findings.map(\.kindAndPath) } == [
          run.found, run.breaks ? Self.broken : [],
        ])
    }
    #expect(
      await server.journal().map { $0.request.headerValue("if-none-match") } == [
        nil, #""2""#, nil, #""3""#, nil,
      ])
    await server.close()
  }

  @Test("a secret that is not set fails where secrets are required, without a request")
  func secret() async throws {
    let server = try await DriftProof.live(#""status": 200"#)
    let url = try #require(server.baseURL(of: "joke"))
    let library = ContractLibrary(reading: [
      "consumers.json": DriftProof.consumers, "joke/thing.json": DriftProof.contract,
      "joke/upstream.json": """
      { "summary": "Things", "baseURL": "\(url)", "secrets": { "X-Api-Key": "{UNDERSTUDY_JOKE_KEY}" } }
      """,
    ])
    let checks = await LiveStage(library, at: nil, consumer: DriftProof.consumer) {
      $0.requiresSecrets = true
    }.checks()
    #expect(checks.flatMap(\.findings).map(\.kindAndPath) == ["error secret-missing -"])
    #expect(checks.map(\.result) == [.fail])
    #expect(await server.journal().isEmpty)
    await server.close()
  }

  @Test("runs without a response end in an outage, and in a contract that is stale")
  func past() async throws {
    let day = 86_400
    let checks = try await ListeningSocket.refusing { try await DriftProof.checks(at: $0) }
    let records = (1...3).flatMap { run in
      HistoryRecord.records(of: checks, at: Moment(unixSeconds: run * day))
    }
    let history = History(records)
    #expect(
      history.outages(runCount: 3, of: DriftProof.library().upstreams).map(\.kindAndPath) == [
        "error outage -"
      ])
    let stale = history.staleness(
      of: DriftProof.library().liveCases, ageMax: .seconds(7 * day),
      now: Moment(unixSeconds: 9 * day))
    #expect(stale.map(\.kindAndPath) == ["error stale -"])
  }
}
