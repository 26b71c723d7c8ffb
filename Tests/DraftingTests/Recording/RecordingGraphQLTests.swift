import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyJSON
import UnderstudySecrets

@testable import UnderstudyDrafting

/// Requests to one URL that ask for GraphQL operations by name.
@Suite struct RecordingGraphQLTests {
  @Test("each operation becomes a contract of its own, in which variables choose the case")
  func operations() async throws {
    let stage = try await RecordingStage.open([:])
    let long = "query { " + String(repeating: "name ", count: 1_000) + "}"
    let calls: [SentCall] = [
      .named("\"GetHero\"", #"{"id":"1"}"#, #"{"data":{"hero":{"name":"R2"}}}"#, query: long),
      .named("\"addReview\"", #"{"stars":5}"#, #"{"data":{"review":1}}"#),
      .named("\"GetHero\"", #"{"id":"2"}"#, #"{"data":{"hero":{"name":"C3"}}}"#, query: long),
      .named("\"GetHero\"", #"{"id":"0"}"#, #"{"data":null,"errors":[{}]}"#, query: long),
    ]
    let recording = try stage.record(calls)
    #expect(recording.findings == [] && recording.unrecorded == [])
    #expect(recording.contracts.map(\.name) == ["get-hero", "add-review"])
    let text = try stage.text("copy/get-hero.json")
    #expect(text.contains(#""summary": "Recorded from POST /graphql, operation GetHero","#))
    #expect(text.contains(#""contains": { "operationName": "GetHero" }"#))
    #expect(text.contains(#"{ "contains": { "variables": { "id": "2" } } }"#))
    #expect(!text.contains("equals"))
    try await stage.serve(calls)
    // Another text of the query, and further variables, change nothing.
    try await stage.serve(
      [
        .named("\"GetHero\"", #"{"id":"0","x":1}"#, calls[3].response),
        .named("\"addReview\"", #"{"stars":1}"#, calls[1].response),
      ])
    await stage.live.close()
  }

  @Test("an optional variable, as of a further page, is told apart from its absence")
  func pages() async throws {
    let stage = try await RecordingStage.open([:])
    let calls: [SentCall] = [
      .named("\"List\"", nil, #"{"page":0}"#),
      .named("\"List\"", #"{"after":"a"}"#, #"{"page":1}"#),
      .named("\"List\"", #"{"after":"b"}"#, #"{"page":2}"#),
    ]
    try stage.record(calls)
    #expect(try stage.text("copy/list.json").contains(#"{ "variables": { "after": "b" } }"#))
    try await stage.serve(calls)
    await stage.live.close()
  }

  @Test(
    "variables that tell nothing apart leave the whole body as the condition",
    arguments: [
      // One contains the other, and neither is the default's.
      [#"{"id":1}"#, #"{"id":2}"#, #"{"id":2,"more":true}"#],
      // They are the same, and the queries differ.
      [#"{"id":1}"#, #"{"id":1}"#], [#"{"id":1,"more":2}"#, #"{"id":1}"#],
    ])
  func whole(variables: [String]) async throws {
    let stage = try await RecordingStage.open([:])
    let calls = variables.enumerated().map { number, variables in
      SentCall.named("\"Hero\"", variables, "{\"n\":\(number)}", query: "{ a\(number) }")
    }
    try stage.record(calls)
    #expect(try stage.text("copy/hero.json").contains("equals"))
    try await stage.serve(calls)
    await stage.live.close()
  }

  @Test("anonymous operations, and what names none by GraphQL's grammar, share a contract")
  func anonymous() async throws {
    let stage = try await RecordingStage.open([:])
    let names = ["null", "\"\"", "7", "\"two words\"", "\"1st\""]
    let calls = names.enumerated().map { number, name in
      SentCall.named(name, nil, "{\"n\":\(number)}")
    }
    let all = calls + [.named("\"Hero\"", nil, #"{"hero":1}"#)]
    #expect(try stage.record(all).contracts.map(\.name) == ["post-graphql", "hero"])
    try await stage.serve(all)
    await stage.live.close()
  }

  @Test("a later recording finds the contract of its operation, whatever its name")
  func later() async throws {
    let stage = try await RecordingStage.open([:])
    let hero = SentCall.named("\"Hero\"", #"{"id":1}"#, #"{"hero":1}"#)
    try stage.record([hero])
    try stage.write(
      "copy/mine.json", try stage.text("copy/hero.json").replacing("Hero", with: "Mine"))
    let mine = SentCall.named("\"Mine\"", #"{"id":1}"#, #"{"hero":1}"#)
    let other = SentCall.named("\"Other\"", #"{"id":1}"#, #"{"other":1}"#)
    let again = try stage.record([mine, hero, other])
    #expect(again.contracts.map(\.name) == ["mine", "hero", "other"])
    #expect(again.contracts.map(\.fate) == [.known, .known, .new])
    try await stage.serve([hero, mine, other])
    await stage.live.close()
  }

  @Test("a secret is no operation's name, and no variable of a condition")
  func secrets() async throws {
    let stage = try await RecordingStage.open([:])
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
    let found = try stage.record(
      [
        .named("\"SignIn\"", #"{"password":"hidden-1"}"#, #"{"ok":true}"#),
        .named("\"SignIn\"", #"{"password":"hidden-2"}"#, #"{"ok":false}"#),
        .named("\"\(token)\"", nil, #"{"ok":true}"#),
      ])
    #expect(
      found.refusals.map(\.message) == [
        "POST /graphql has a secret for its operationName, so it is not recorded"
      ])
    #expect(
      found.unrecorded.map(\.reason) == [
        "its body contains a secret, and nothing distinguishes it from a request with a different"
          + " response"
      ])
    #expect(found.contracts.map(\.name) == ["sign-in"])
    #expect(!(try stage.text("copy/sign-in.json").contains("hidden")))
    await stage.live.close()
  }

  @Test(
    "names of files are those of operations",
    arguments: [
      ("Hero", "hero"), ("heroQuery", "hero-query"), ("GetHTTPStatus", "get-http-status"),
      ("GET_USERS", "get-users"), ("_x", "x"), ("ABc", "a-bc"), ("aB", "a-b"), ("A", "a"),
      ("AB", "ab"), ("Top10Songs", "top10-songs"), ("__", ""),
    ])
  func names(name: String, slug: String) throws {
    let body = try JSONDocument(parsing: Array("{\"operationName\":\"\(name)\"}".utf8))
    #expect(GraphQLOperation(in: body.root)?.slug == slug)
  }
}

extension SentCall {
  static func named(
    _ name: String, _ variables: String?, _ response: String, query: String = "{ a }"
  ) -> SentCall {
    let members = variables.map { ", \"variables\": \($0)" } ?? ""
    return SentCall(
      path: "/graphql", type: "application/json",
      sent: "{ \"operationName\": \(name), \"query\": \(query.quoted)\(members) }",
      response: response)
  }
}
