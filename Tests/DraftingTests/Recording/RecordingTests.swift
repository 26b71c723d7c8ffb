import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyJSON
import UnderstudySecrets

@testable import UnderstudyDrafting

@Suite struct RecordingTests {
  private static let users = #"""
    { "request": { "method": "GET", "path": "/users/{id}" },
      "cases": {
        "ok": {
          "status": 200, "template": ["headers", "body"],
          "headers": {
            "Content-Type": "application/json", "Cache-Control": "max-age=3", "ETag": "\"{counter}\"",
            "X-Trace": "{counter}", "Set-Cookie": "a=b", "X-RateLimit-Remaining": "3",
            "Link": "<{server.baseURL}/users/2>; rel=\"next\"", "Vary": "Accept"
          },
          "body": { "id": "{path.id as json}", "name": "Ann", "note": null, "at": "2024-01-31T12:00:00Z" }
        },
        "none": {
          "status": 404, "headers": { "Content-Type": "application/json" },
          "body": { "error": "no such user" }, "when": { "request": { "path.id": "0" } }
        }
      } }
    """#

  @Test("several URLs of one shape become one contract")
  func contract() async throws {
    let stage = try await RecordingStage.open(["users": Self.users])
    let recording = try await stage.record("/users/1", "/users/2", "/users/0")
    #expect(recording.findings == [])
    #expect(recording.contracts.map(\.path) == ["/users/{id}"])
    #expect(recording.contracts.first?.guesses.first?.values == ["1", "2", "0"])
    #expect(recording.contracts.first?.volatileHeaders == ["ETag", "X-Trace"])
    #expect(
      try stage.text("copy/users-id.json") == #"""
        {
          "summary": "Recorded from GET /users/1",
          "request": {
            "method": "GET",
            "path": "/users/{id}",
            "parameters": { "path.id": { "example": "1" } }
          },
          "cases": {
            "ok": {
              "status": 200,
              "headers": {
                "Content-Type": "application/json",
                "Cache-Control": "max-age=3",
                "Set-Cookie": "a=[redacted]",
                "X-RateLimit-Remaining": "3",
                "Link": "<{server.baseURL}/users/2>; rel=\"next\"",
                "Vary": "Accept"
              },
              "template": ["headers"],
              "body": { "id": 1, "name": "Ann", "note": null, "at": "2024-01-31T12:00:00Z" },
              "schema": {
                "type": "object",
                "required": ["id", "name", "note", "at"],
                "properties": {
                  "id": { "type": "integer" },
                  "name": { "type": "string" },
                  "note": {},
                  "at": { "type": "string", "format": "date-time" }
                }
              },
              "live": {}
            },
            "ok-2": {
              "like": "ok",
              "body": { "id": 2, "name": "Ann", "note": null, "at": "2024-01-31T12:00:00Z" },
              "when": { "request": { "path.id": "2" } },
              "live": {}
            },
            "not-found": {
              "status": 404,
              "headers": { "Content-Type": "application/json" },
              "body": { "error": "no such user" },
              "schema": {
                "type": "object",
                "required": ["error"],
                "properties": { "error": { "type": "string" } }
              },
              "when": { "request": { "path.id": "0" } },
              "live": {}
            },
            "cut-short": { "like": "ok", "malform": { "truncateAt": 30 } },
            "slow": { "like": "ok", "delay": { "fixed": "2s" } },
            "reset": { "fault": "CONNECTION_RESET_BY_PEER" }
          }
        }

        """#)
    #expect(
      try stage.text("copy/upstream.json") == """
        {
          "summary": "Recorded from 127.0.0.1:\(stage.live.address.port)",
          "baseURL": "BASE",
          "headers": { "User-Agent": "understudy" }
        }

        """)
    await stage.live.close()
  }

  /// What the live API responds, of every kind.
  private static let kinds = [
    "users": users,
    "list": #"""
    { "request": { "method": "GET", "path": "/items" },
      "cases": {
        "ok": { "status": 200, "headers": { "Content-Type": "application/json" },
                "body": [{ "id": 1 }, { "id": 2.5, "x": [{}] }] },
        "two": { "like": "ok", "body": [], "when": { "request": { "query.page": "2" } } },
        "bad": { "status": 400, "text": "which?", "when": { "request": { "query.page": "x y&" } } }
      } }
    """#,
    "html": #"""
    { "request": { "method": "GET", "path": "/page" },
      "cases": { "ok": { "status": 200, "headers": { "Content-Type": "text/html" }, "text": "<p>é\n" } } }
    """#,
    "broken": #"""
    { "request": { "method": "GET", "path": "/broken" }, "cases": { "no": { "status": 500, "text": "oh" } } }
    """#,
    "gone": #"""
    { "request": { "method": "GET", "path": "/moved/{name}" },
      "cases": { "no": { "status": 301, "headers": { "Location": "{server.baseURL}/items" }, "template": ["headers"] } } }
    """#,
    "events": #"""
    { "request": { "method": "GET", "path": "/events" },
      "cases": { "ok": { "status": 200, "headers": { "Content-Type": "text/event-stream; charset=utf-8" },
        "events": [{ "id": "1", "event": "price", "data": { "eur": 1.0 }, "retry": "3s" }, { "data": "a\nb" }] } } }
    """#,
    "bytes": #"""
    { "request": { "method": "GET", "path": "/bytes" },
      "cases": { "ok": { "status": 200, "headers": { "Content-Type": "image/png" }, "base64": "iVBORwD/" } } }
    """#,
    "empty":
      #"{ "request": { "method": "GET", "path": "/empty" }, "cases": { "ok": { "status": 204 } } }"#,
    "large": """
    { "request": { "method": "GET", "path": "/large/report" },
      "cases": { "ok": { "status": 200, "headers": { "Content-Type": "text/plain" }, "text": "\(String(repeating: "0123456789", count: 2000))" } } }
    """,
    "odd": #"""
    { "request": { "method": "GET", "path": "/" },
      "cases": { "ok": { "status": 200, "headers": { "Content-Type": "application/json" }, "body": { "a": 1e2, "b": "\u00e9\/", "{x}": [[], {}, null] } } } }
    """#,
    "scalar": #"""
    { "request": { "method": "GET", "path": "/count" },
      "cases": { "ok": { "status": 200, "headers": { "Content-Type": "application/json" }, "body": 12 } } }
    """#,
  ]

  @Test("what was recorded lints clean and serves the same status and body")
  func roundTrip() async throws {
    let stage = try await RecordingStage.open(Self.kinds)
    let targets = [
      "/users/1", "/users/2", "/users/0", "/items", "/items?page=2", "/items?page=x%20y%26",
      "/page", "/broken", "/moved/a%20b", "/bytes", "/empty", "/large/report", "/", "/count",
      "/events",
    ]
    let recording = try Recording(
      of: try await stage.exchanges(targets), for: try stage.target(),
      paths: [try PathTemplate(parsing: "/moved/{name}")], mask: SecretMask(secrets: []))
    #expect(recording.findings == [])
    for file in recording.files {
      try stage.write(
        String(file.path.dropFirst(stage.folder.count + 1)),
        String(decoding: file.bytes, as: UTF8.self))
    }
    let library = try ContractLibrary.load([stage.folder])
    #expect(library.findings == [])
    let fake = try await FakeServer.start(library)
    let (live, copy) = ("\(stage.baseURL)", try #require(fake.baseURL(of: "copy")))
    let transport = RecordingStage.transport
    for target in targets {
      let expected = try await transport.send(ClientRequest(url: live + target))
      let served = try await transport.send(ClientRequest(url: copy + target))
      #expect(served.status == expected.status, "\(target)")
      #expect(served.body == expected.body, "\(target)")
      #expect(served.headers["Content-Type"] == expected.headers["Content-Type"], "\(target)")
      let location = expected.headers["Location"]?.replacing(live, with: copy)
      #expect(served.headers["Location"] == location, "\(target)")
    }
    await fake.close()
    await stage.live.close()
  }

  @Test("no secret gets into a file")
  func secrets() async throws {
    let stage = try await RecordingStage.open([
      "login": #"""
      { "request": { "method": "GET", "path": "/login" },
        "cases": { "ok": {
          "status": 200, "template": ["body"],
          "headers": { "Content-Type": "application/json", "X-Echo": "sent-secret", "X-Auth-Token": "invented" },
          "body": {
            "access_token": "hidden-1", "password": 4711, "nested": { "secret": ["hidden-2", null, true] },
            "echo": "you sent sent-secret", "jwt": "eyJhbGciOiJIUzI{now.unix}.eyJzdWIiOiIxMjM0.{counter}",
            "plain": "shown"
          }
        } } }
      """#
    ])
    let recording = try await stage.record(
      "/login?api_key=hidden-3&page=1", secrets: ["sent-secret"])
    #expect(recording.findings == [])
    #expect(recording.contracts.first?.secretParameters == ["api_key"])
    #expect(
      recording.contracts.first?.maskedPlaces
        == ["/access_token", "/password", "/nested/secret/*", "/echo", "/jwt"])
    let text = try stage.text("copy/login.json")
    for secret in ["hidden", "sent-secret", "eyJ", "X-Auth-Token", "invented"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    let body = try JSONDocument(parsing: text).root["cases"]?["ok"]?["body"]
    #expect(
      body.map { String(decoding: $0.compact, as: UTF8.self) }
        == #"{"access_token":"[redacted]","password":0,"nested":{"secret":["[redacted]",null,true]},"#
        + #""echo":"you sent [redacted]","jwt":"[redacted]","plain":"shown"}"#)
    #expect(text.contains(#""X-Echo": "[redacted]""#))
    // Without the secret the live API would respond otherwise.
    #expect(!text.contains(#""live""#))
    await stage.live.close()
  }

  @Test(
    "only the credentials in a header are secret, not the words around them",
    arguments: [
      ("Bearer abcdefgh", "Bearer: [redacted] x", "Bearer: abcdefgh x"),
      ("session=abcdefgh; theme=dim", "session [redacted] dim", "session abcdefgh dim"),
      ("Basic YWJjZGVmZ2g=", "a [redacted] b", "a YWJjZGVmZ2g= b"),
      ("plainkey", "[redacted]", "plainkey"), ("abc", "abc", "abc"),
    ])
  func parts(header: String, expected: String, text: String) {
    #expect(SecretMask(secrets: SecretMask.parts(of: header)).masked(text) == expected)
  }

  // MARK: - Contracts that are there

  private static let own = #"""
    {   "request": { "method": "GET", "path": "/users/{user}",
                     "parameters": { "path.user": { "example": "1" } } },
        "cases": {
            "found": { "status": 200, "body": { "id": 1 } },
            "slow": { "like": "found", "delay": { "fixed": "2s" } },
            "cut": { "like": "found", "malform": { "truncateAt": 3 } },
            "reset": { "fault": "CONNECTION_RESET_BY_PEER" }
        },
        "waive": { "no-404-case": "later" }
    }
    """#

  private func stageWithOwn() async throws -> RecordingStage {
    let stage = try await RecordingStage.open(["users": Self.users])
    try stage.write(
      "copy/upstream.json", #"{ "summary": "Mine", "baseURL": "\#(stage.baseURL)" }"#)
    try stage.write("copy/people.json", Self.own)
    return stage
  }

  @Test("an existing contract gets the statuses it lacks, and is otherwise unchanged")
  func extending() async throws {
    let stage = try await stageWithOwn()
    let recording = try await stage.record("/users/1", "/users/0")
    #expect(recording.findings == [])
    #expect(recording.contracts.map(\.fate) == [.extended])
    #expect(recording.files.map(\.path) == ["\(stage.folder)/copy/people.json"])
    #expect(
      try stage.text("copy/people.json") == #"""
        {   "request": { "method": "GET", "path": "/users/{user}",
                         "parameters": { "path.user": { "example": "1" } } },
            "cases": {
                "found": { "status": 200, "body": { "id": 1 } },
                "slow": { "like": "found", "delay": { "fixed": "2s" } },
                "cut": { "like": "found", "malform": { "truncateAt": 3 } },
                "reset": { "fault": "CONNECTION_RESET_BY_PEER" },
                "not-found": {
                  "status": 404,
                  "headers": { "Content-Type": "application/json" },
                  "body": { "error": "no such user" },
                  "schema": {
                    "type": "object",
                    "required": ["error"],
                    "properties": { "error": { "type": "string" } }
                  },
                  "when": { "request": { "path.user": "0" } },
                  "live": {}
                }
            }
        }
        """#)
    await stage.live.close()
  }

  @Test("an existing status is left alone, unless the contract is to be rewritten")
  func replacing() async throws {
    let stage = try await stageWithOwn()
    let recording = try await stage.record("/users/2")
    #expect(recording.contracts.map(\.fate) == [.known])
    #expect(recording.files == [])
    #expect(try stage.text("copy/people.json") == Self.own)
    let replaced = try await stage.record("/users/2", replaces: true)
    #expect(replaced.contracts.map(\.fate) == [.replaced])
    #expect(replaced.files.map(\.path) == ["\(stage.folder)/copy/people.json"])
    #expect(try stage.text("copy/people.json").contains(#""id": 2"#))
    await stage.live.close()
  }

  @Test("another endpoint gets another name")
  func names() async throws {
    let stage = try await RecordingStage.open([:])
    let recording = try await stage.record("/a/b", "/a-b", "/", "/upstream", "/%E2%82%AC")
    #expect(recording.contracts.map(\.name) == ["a-b", "a-b-2", "root", "upstream-2", "root-2"])
    #expect(recording.findings == [])
    await stage.live.close()
  }

  @Test("an upstream without a live API gets no live cases")
  func notLive() async throws {
    let stage = try await RecordingStage.open([:])
    try stage.write("copy/upstream.json", #"{ "summary": "Without a live API" }"#)
    let recording = try await stage.record("/x")
    #expect(recording.findings == [])
    #expect(!(try stage.text("copy/x.json").contains(#""live""#)))
    await stage.live.close()
  }
}
