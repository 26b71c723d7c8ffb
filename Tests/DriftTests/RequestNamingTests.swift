import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON

/// Which of several requests a service broke on.
@Suite struct RequestNamingTests {
  private static func results(
    serving cases: [String]
  ) async throws -> (results: [LiveCaseResult], plan: DriftPlan, url: String) {
    let server = try await FakeServer.start(LiveStage.live)
    server.use(cases, for: "joke/random")
    let url = try #require(server.baseURL(of: "joke"))
    let library = ProberTests.pages(
      #", "last": { "status": 200, "body": [], "when": { "request": { "query.page": "2" } } }"#)
    let stage = LiveStage(library, at: url, consumer: ProberTests.pager)
    let results = await stage.results()
    await server.close()
    return (results, stage.plan, url)
  }

  @Test(
    "a service that breaks on its second request says which one, and captured responses marks it")
  func second() async throws {
    let (results, plan, url) = try await Self.results(serving: ["list", "text", "list", "text"])
    #expect(
      results.flatMap(\.checks).last?.text == """
        fail joke/random#ok, jokes.random after 2
          error consumer-broken found the error invalidData, expected a value; request 2 of 2, page 2: \
        GET \(url)/random?page=2, status 200
        """)
    let folder = TestFolder()
    let run = try CaptureFolder(folder.path).keep(
      results, of: plan.upstreams, at: Moment(unixSeconds: 1_000_000))
    let bytes = try FileRoot(run).read("\(run)/joke/random#ok.json")
    let exchanges = try #require(try JSONDocument(parsing: bytes).root["exchanges"]).elements
    #expect(exchanges.map { $0["page"]?.int } == [nil, 2, nil, 2])
    #expect(exchanges.map { $0["broke"]?.bool } == [nil, true, nil, true])
  }

  @Test("a service whose second request cannot be checked says which one")
  func inconclusive() async throws {
    let (results, _, url) = try await Self.results(serving: ["list", "failing"])
    #expect(
      results.flatMap(\.checks).last?.text == """
        couldNotCheck joke/random#ok, jokes.random
          server error: found status 500; request 2 of 2, page 2: GET \(url)/random?page=2, status 500
        """)
  }

  @Test("the only request of a service is not numbered")
  func only() async throws {
    let (results, _, _) = try await Self.results(serving: ["text"])
    #expect(
      results.flatMap(\.checks).last?.findings.map(\.message) == [
        "found the error invalidData, expected a value"
      ])
  }
}
