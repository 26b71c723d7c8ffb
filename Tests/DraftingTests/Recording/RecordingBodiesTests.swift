import Foundation
import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudySecrets

@testable import UnderstudyDrafting

/// Bodies that were sent, and bodies in files of their own.
@Suite struct RecordingBodiesTests {
  private static func exchange(
    _ path: String, sent: String, _ status: Int, _ body: String
  ) -> RecordedExchange {
    RecordedExchange(
      method: "POST", path: path, body: Array(sent.utf8),
      responses: [
        LiveResponse(
          status: status,
          headers: [HeaderField(name: "Content-Type", value: "application/json")],
          body: Array(body.utf8), latency: .zero)
      ])
  }

  private func recording(
    _ exchanges: [RecordedExchange], in stage: RecordingStage, replaces: Bool = false
  ) throws -> Recording {
    let recording = try Recording(
      of: exchanges, for: try stage.target(), paths: [], mask: SecretMask(secrets: []),
      replaces: { _ in replaces })
    for file in recording.files {
      try stage.write(file.bytes, to: file.path)
    }
    return recording
  }

  @Test("requests are distinguished by what they sent")
  func conditions() async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording(
      [
        Self.exchange("/users", sent: #"{ "name": "Ann" }"#, 201, #"{"id":1}"#),
        Self.exchange("/users", sent: #"{ "name": "" }"#, 422, #"{"error":"no name"}"#),
        Self.exchange("/users", sent: "name=Bob&\"x\"", 201, #"{"id":2}"#),
        Self.exchange("/users", sent: #"{ "name": "Ann" }"#, 201, #"{"id":1}"#),
      ], in: stage)
    #expect(found.findings == [])
    #expect(found.contracts.map(\.name) == ["post-users"])
    #expect(found.contracts.first?.cases.map(\.name) == ["created", "invalid", "created-2"])
    let library = try ContractLibrary.load([stage.folder])
    let fake = try await FakeServer.start(library)
    let base = try #require(fake.baseURL(of: "copy"))
    for (sent, status, body) in [
      (#"{"name":"Ann"}"#, 201, #"{"id":1}"#), (#"{"name":""}"#, 422, #"{"error":"no name"}"#),
      ("name=Bob&\"x\"", 201, #"{"id":2}"#), ("whatever", 201, #"{"id":1}"#),
    ] {
      let response = try await RecordingStage.transport.send(
        ClientRequest(.post, url: base + "/users", body: Array(sent.utf8)))
      #expect(response.status == status)
      #expect(String(decoding: response.body, as: UTF8.self) == body)
    }
    await fake.close()
    await stage.live.close()
  }

  @Test("a sent secret does not become a condition, which is reported")
  func secrets() async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording(
      [(1, 200), (2, 401), (3, 200)].map { number, status in
        Self.exchange("/login", sent: #"{ "password": "hidden-\#(number)" }"#, status, #"{"a":1}"#)
      }, in: stage)
    #expect(found.findings == [])
    #expect(
      found.unrecorded.map { "\($0.request): \($0.reason)" } == [
        "POST /login: its body contains a secret, and nothing distinguishes it from a request"
          + " with a different response"
      ])
    #expect(!(try stage.text("copy/post-login.json").contains("hidden")))
    await stage.live.close()
  }

  @Test("a status that a contract lacks is added with the request body it responds")
  func added() async throws {
    let stage = try await RecordingStage.open([:])
    _ = try recording([Self.exchange("/x", sent: "[1]", 200, "{}")], in: stage)
    let found = try recording([Self.exchange("/x", sent: "[2]", 422, "{}")], in: stage)
    #expect(found.contracts.map(\.fate) == [.extended])
    #expect(
      try stage.text("copy/post-x.json").contains(
        #""when": { "request": { "body": { "equals": [2] } } }"#))
    await stage.live.close()
  }

  private static func image(_ path: String, _ byte: UInt8, status: Int = 200) -> RecordedExchange {
    RecordedExchange(
      method: "GET", path: path,
      responses: [
        LiveResponse(
          status: status, headers: [HeaderField(name: "Content-Type", value: "image/png")],
          body: [UInt8](repeating: byte, count: 600), latency: .zero)
      ])
  }

  @Test("a rewritten contract leaves no old body file behind, and uses none of others")
  func removals() async throws {
    let stage = try await RecordingStage.open([:])
    func names(_ paths: [String]) -> [String] {
      paths.map { String($0.dropFirst(stage.folder.count + 6)) }
    }
    _ = try recording([Self.image("/a", 0xFF), Self.image("/b", 0xFF)], in: stage)
    let again = try recording([Self.image("/a", 0xFE)], in: stage, replaces: true)
    #expect(names(again.files.map(\.path)) == ["files/a-ok.png", "a.json"])
    #expect(again.removals == [])
    let gone = try recording([Self.image("/a", 0xFE, status: 404)], in: stage, replaces: true)
    #expect(names(gone.files.map(\.path)) == ["files/a-not-found.png", "a.json"])
    #expect(names(gone.removals) == ["files/a-ok.png"])
    try stage.write("copy/a.json", stage.text("copy/b.json").replacing("/b\"", with: "/a\""))
    let shared = try recording([Self.image("/a", 0xFD)], in: stage, replaces: true)
    #expect(shared.removals == [])
    await stage.live.close()
  }

  private static func large(_ path: String, last: String) -> RecordedExchange {
    let thing = #"{ "id": 1, "note": "\#(String(repeating: "x", count: 1000))" }"#
    let things = Array(repeating: thing, count: 300) + [last]
    return RecordedExchange(
      method: "GET", path: path,
      responses: [
        LiveResponse(
          status: 200,
          headers: [HeaderField(name: "Content-Type", value: "application/vnd.things+json")],
          body: Array("[\(things.joined(separator: ",\n "))]".utf8), latency: .zero)
      ])
  }

  @Test("a large JSON body becomes a file, with a schema that also live responses must match")
  func largeJSON() async throws {
    let stage = try await RecordingStage.open([:])
    let exchange = Self.large("/things", last: #"{ "id": 2, "note": null }"#)
    let found = try recording([exchange], in: stage)
    #expect(found.findings == [])
    #expect(found.unrecorded == [])
    let body = exchange.responses[0].body
    #expect(found.files.map(\.bytes.count).max() == body.count)
    let text = try stage.text("copy/things.json")
    #expect(text.contains(#""file": "files/things-ok.json""#))
    #expect(text.contains(#""note": { "type": ["string", "null"] }"#))
    #expect(text.contains(#""truncateAt": \#(body.count / 2)"#))
    let library = try ContractLibrary.load([stage.folder])
    #expect(library.findings == [])
    let fake = try await FakeServer.start(library)
    let base = try #require(fake.baseURL(of: "copy"))
    #expect(
      try await RecordingStage.transport.send(ClientRequest(url: base + "/things")).body == body)
    await fake.close()
    await stage.live.close()

    let contract = try #require(library.contracts.first)
    let changed = Self.large("/things", last: #"{ "id": "2", "note": null, "new": 1 }"#)
    let lines = Comparison(
      changed.responses[0], to: try #require(contract.defaultCase), of: contract, readers: [],
      now: .epoch
    ).findings.map { "\($0.type.rawValue) \($0.path?.description ?? "-") \($0.message)" }
    #expect(
      lines == [
        "schema-type-changed /300/id found string \"2\", expected integer, in 1 of 301 elements",
        "schema-field-added /300/new the contract does not know \"new\", in 1 of 301"
          + " elements",
      ])
  }

  @Test("a secret at the end of a large body is masked in its file")
  func largeSecret() async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording(
      [Self.large("/things", last: #"{ "id": 2, "token": "do-not-keep-this" }"#)], in: stage)
    #expect(found.findings == [])
    #expect(found.contracts.first?.maskedPlaces == ["/*/token"])
    let text = try stage.text("copy/files/things-ok.json")
    #expect(text.hasSuffix(#"{ "id": 2, "token": "[redacted]" }]"#))
    await stage.live.close()
  }

  @Test("a body for which a file of a contract has no room is not recorded")
  func tooLarge() async throws {
    let stage = try await RecordingStage.open([:])
    let library = try ContractLibrary.load(
      stage.folder,
      with: [
        "\(stage.folder)/copy/upstream.json": Array(#"{ "summary": "x" }"#.utf8),
        "\(stage.folder)/copy/x.json": Array(
          #"{ "request": { "method": "GET", "path": "/x" }, "cases": { "ok": { "status": 200, "file": "x" } } }"#
            .utf8),
        "\(stage.folder)/copy/x": [UInt8](repeating: 0, count: FileRoot.byteCountMax + 1),
      ])
    #expect(
      library.findings.filter { $0.severity == .error }.map(\.message) == [
        "\(stage.folder)/copy/x is larger than 64 MiB"
      ])
    await stage.live.close()
  }

  @Test("however a path is spelled, it is one contract in one file")
  func spellings() async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording(
      [Self.image("/users/1", 0xFF), Self.image("/%75sers/2", 0xFF)], in: stage)
    #expect(found.contracts.map(\.path) == ["/users/{id}"])
    let later = try recording([Self.image("/use%72s/ann", 0xFF, status: 404)], in: stage)
    #expect(later.contracts.map(\.fate) == [.extended])
    #expect(later.contracts.map(\.name) == found.contracts.map(\.name))
    await stage.live.close()
  }
}
