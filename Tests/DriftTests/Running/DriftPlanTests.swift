import Testing
import UnderstudyContractModel
import UnderstudyDrift
import UnderstudyFakeServer

@Suite struct DriftPlanTests {
  private static let secretive = """
    { "summary": "Jokes", "baseURL": "BASE",
      "secrets": { "Authorization": "Bearer {UNDERSTUDY_JOKE_KEY}" } }
    """

  @Test(
    "says why a case is not requested",
    arguments: [
      (
        #"{ "summary": "Jokes" }"#, #"{ "#,
        "joke has no live API: upstream.json names no \"baseURL\""
      ),
      (
        #"{ "summary": "Jokes", "baseURL": "https://a.example" }"#, #"{ "#,
        "no case of this contract is live"
      ),
      (
        #"{ "summary": "Jokes", "baseURL": "https://a.example", "retired": "gone since May" }"#,
        #""live": {}, "#, "joke is retired: gone since May"
      ),
      (
        secretive.replacing("BASE", with: "https://a.example"), #""live": {}, "#,
        "secret UNDERSTUDY_JOKE_KEY is not set"
      ),
    ])
  func leftOut(upstream: String, live: String, reason: String) {
    let contract =
      live == "{ "
      ? LiveStage.contract.replacing(#""live": {},"#, with: "") : LiveStage.contract
    let stage = LiveStage(LiveStage.library(upstream: upstream, contract: contract), at: nil)
    #expect(stage.plan.liveCases.isEmpty)
    #expect(stage.plan.settled.map(\.text) == ["notExercised joke/random#ok\n  \(reason)"])
  }

  @Test("fails without a secret where secrets are required")
  func required() {
    let library = LiveStage.library(
      upstream: Self.secretive.replacing("BASE", with: "https://a.example"))
    let stage = LiveStage(library, at: nil) { $0.requiresSecrets = true }
    #expect(
      stage.plan.settled.map(\.text) == [
        """
        fail joke/random#ok
          error secret-missing missing secret UNDERSTUDY_JOKE_KEY, which joke needs
        """
      ])
  }

  @Test(
    "sends the secret instead of a header's example, and a case's own value instead of the secret")
  func secretBeforeExample() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    let url = try #require(server.baseURL(of: "joke"))
    let library = LiveStage.library(
      upstream: Self.secretive.replacing("BASE", with: url),
      contract: """
        { "summary": "A joke",
          "request": { "method": "GET", "path": "/random", "parameters": {
            "header.authorization": { "matches": "^Bearer ", "example": "Bearer invented" } } },
          "cases": {
            "ok": { "status": 200, "body": { "id": 7 }, "live": {} },
            "expired": { "status": 401,
              "when": { "request": {
                "header.Authorization": { "matches": "^Bearer exp", "example": "Bearer expired" } } },
              "live": {} },
            "refused": { "status": 401,
              "live": { "parameters": { "header.authorization": "Bearer none" } } } } }
        """)
    _ = await LiveStage(library, at: nil, environment: ["UNDERSTUDY_JOKE_KEY": "abcdefgh"]).checks()
    let values = await server.journal().map { $0.request.headerValue("authorization") }
    #expect(Set(values) == ["Bearer abcdefgh", "Bearer expired", "Bearer none"])
    await server.close()
  }

  @Test("shows secrets to the origin that declares them, and to no other")
  func origin() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    let url = try #require(server.baseURL(of: "joke"))
    let environment = ["UNDERSTUDY_JOKE_KEY": "abcdefgh"]
    let own = LiveStage.library(upstream: Self.secretive.replacing("BASE", with: url))
    _ = await LiveStage(own, at: nil, environment: environment).checks()
    let other = LiveStage.library(
      upstream: Self.secretive.replacing("BASE", with: "https://a.example"))
    _ = await LiveStage(other, at: url, environment: environment).checks()
    let values = await server.journal().map { $0.request.headerValue("authorization") }
    #expect(values == ["Bearer abcdefgh", nil])
    await server.close()
  }
}
