import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyTestSupport

@testable import UnderstudyTool

/// What becomes of the values that services are expected to make of an example that is updated.
@Suite struct DriftExpectationTests {
  private static let file = "Contracts/joke/random-joke.json"
  private static let contract = """
    {
      "summary": "A joke at random",
      "request": { "method": "GET", "path": "/random_joke" },
      "cases": {
        "ok": {
          "status": 200,
          "headers": { "Content-Type": "application/json; charset=utf-8" },
          "body": { "type": "general", "setup": "Why?", "punchline": "So.", "id": 3 },
          "schema": { "properties": { "type": { "const": "general" } } },
          "live": {},
          "expect": {
            "jokes.random": {
              "value": { "id": 3, "type": "general", "setup": "Why?", "punchline": "So." }
            }
          }
        },
        "slow": {
          "like": "ok", "delay": { "fixed": "10s" }, "expect": { "jokes.random": { "like": "ok" } }
        }
      }
    }
    """

  /// The shipped contracts with this one, a server that has changed, and the words that lead to it.
  private static func stage(
    _ text: String, live body: String
  ) async throws -> (ShippedContracts, FakeServer, words: [String]) {
    let contracts = try ShippedContracts()
    try Data(text.utf8).write(to: contracts.folder.appending(path: file))
    let server = try await FakeServer.start(
      try ContractLibrary(drafts: [
        ContractDraft("joke/random-joke", "GET", "/random_joke").case(
          "ok", status: 200, headers: ["Content-Type": "application/json; charset=utf-8"],
          body: body)
      ]))
    let url = try #require(server.baseURL(of: "joke"))
    let words = ["drift", "joke/random-joke", "--base-url", "joke=\(url)", "--confirm", "0s"]
    return (contracts, server, words + ["--update"])
  }

  @Test("updates them too, and every other byte stays, whether written or applied as a patch")
  func brought() async throws {
    let old = Self.contract.replacing("\n", with: "\r\n")
    let (contracts, server, words) = try await Self.stage(
      old, live: #"{ "type": "pun", "setup": "Why?", "punchline": "So.", "id": 3 }"#)
    let shown = try await contracts.run(words + ["--dry-run"])
    #expect(
      shown.errors == """
        joke/random-joke#ok, jokes.random now expects string "pun" at /type instead of string "general"
        2 checks: 2 passed

        """)
    try Data(shown.output.utf8).write(to: contracts.folder.appending(path: "p.diff"))
    let new = old.replacing(#""general""#, with: #""pun""#)
    for command in ["git apply p.diff", "patch -p1 -i p.diff", "patch --binary -p1 -i p.diff"] {
      let folder = contracts.folder
      let code = try await offPool {
        try ProcessRun("/bin/sh", ["-c", command + " >&2"], directory: folder).code
      }
      #expect(code == 0)
      #expect(try contracts.read(Self.file) == new, "\(command)")
      try Data(old.utf8).write(to: contracts.folder.appending(path: Self.file))
    }
    let run = try await contracts.run(words)
    #expect(
      run.errors == """
        updated \(Self.file)
        joke/random-joke#ok, jokes.random now expects string "pun" at /type instead of string "general"

        """)
    #expect(try contracts.read(Self.file) == new)
    #expect(try await contracts.run(words).errors == "nothing to update\n")
    await server.close()
    let test = try await contracts.run(["test", "joke/random-joke", "--time-scale", "0"])
    #expect(test.output.contains("2 checks: 2 passed"))
  }

  /// A run on which a service was broken, and the words that check it again.
  private static func run(
    _ body: String
  ) async throws -> (ShippedContracts, words: [String], day: String) {
    let (contracts, server, words) = try await stage(contract, live: body)
    let run = try await contracts.run(words.dropLast())
    await server.close()
    #expect(run.code == 1)
    let captures = contracts.folder.appending(path: ".understudy/drift/captures").path
    let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: captures).first)
    let day = [kept.prefix(4), kept.dropFirst(4).prefix(2), kept.dropFirst(6).prefix(2)]
    return (
      contracts, ["drift", "joke", "--replay", ".understudy/drift/captures/\(kept)"],
      day.joined(separator: "-")
    )
  }

  @Test("makes a case of one run's response, for services to be tested with")
  func added() async throws {
    let (contracts, words, day) = try await Self.run(
      #"{ "type": null, "setup": "Why?", "punchline": "So.", "id": 3, "token": "hush" }"#)
    let shown = try await contracts.run(words + ["--add-cases", "--dry-run"])
    #expect(try contracts.read(Self.file) == Self.contract)
    let run = try await contracts.run(words + ["--add-cases"])
    #expect(run.errors == "updated \(Self.file)\n")
    #expect(run.code == 1)
    let new = try contracts.read(Self.file)
    #expect(shown.output == TextDiff.patch(of: Self.file, Self.contract, new))
    let added = """
          "ok-\(day)": {
            "summary": "What the live API responded on \(day) at /type: found null, expected \\"general\\", read by jokes.random",
            "status": 200,
            "headers": { "Content-Type": "application/json; charset=utf-8" },
            "body": { "type": null, "setup": "Why?", "punchline": "So.", "id": 3, "token": "[redacted]" },
            "expect": { "jokes.random": { "error": "invalidData" } }
          }

      """
    #expect(
      TextDiff.unified(
        Self.contract.replacing("\n    }\n  }\n}", with: "\n    },\n\(added)  }\n}"), new) == "")
    let test = try await contracts.run(["test", "joke/random-joke", "--time-scale", "0"])
    #expect(test.output.contains("3 checks: 3 passed"))
    let again = try await contracts.run(words + ["--add-cases"])
    #expect(
      again.errors.hasSuffix("  since the case \"ok-\(day)\" has this response\n"))
    #expect(try contracts.read(Self.file) == new)
  }

  @Test("reports expectations that no longer hold, and leaves those that did not hold before")
  func broken() async throws {
    let text = Self.contract.replacing(
      #""cases": {"#,
      with: """
        "cases": {
            "wrong": { "like": "ok", "expect": { "jokes.random": { "error": "invalidData" } } },
        """)
    let (contracts, server, words) = try await Self.stage(
      text.replacing(#"{ "properties": { "type": { "const": "general" } } }"#, with: "{}"),
      live: #"{ "type": null, "setup": "Why?", "punchline": "So.", "id": 3 }"#)
    let run = try await contracts.run(words)
    await server.close()
    let finding = """
        outcome: found the error invalidData (1:9: /type: found null, expected a string), \
      expected a value
      """
    #expect(
      run.errors == """
        updated \(Self.file)
        joke/random-joke#ok, jokes.random now fails in showcase test
        \(finding)
        joke/random-joke#slow, jokes.random now fails in showcase test
        \(finding)

        """)
    #expect(run.code == 1)
  }

  // MARK: - A service that asks two endpoints

  private static let kfc = """
    { "imageName": "kfc", "imageNameFavorite": "kfc-2", "waitingTime": "1-2", "name": "KFC", \
    "rate": "4", "type": "Burgers" }
    """
  private static let bk = kfc.replacing("KFC", with: "BK")
  private static let list = "Contracts/restaurants/list-restaurants.json"
  private static let favorites = "Contracts/restaurants/list-favorites.json"

  private static func endpoint(_ path: String, _ cases: String) -> String {
    """
    {
      "summary": "Some of them",
      "request": { "method": "GET", "path": "\(path)" },
      "cases": {
        \(cases)
      }
    }
    """
  }

  private static func expecting(_ restaurants: [String]) -> String {
    """
    "expect": {
      "restaurants.load": {
        "value": { "restaurants": [\(restaurants.joined(separator: ", "))], "favorites": [] },
        "requests": 2
      }
    }
    """
  }

  /// The restaurants there are by contract, what stands for a live API with these, and the words.
  private static func restaurants(
    schema: String, live bodies: [String]
  ) async throws -> (ShippedContracts, FakeServer, words: [String]) {
    let contracts = try ShippedContracts()
    let json = #""headers": { "Content-Type": "application/json" }"#
    let texts = [
      "Contracts/restaurants/upstream.json":
        #"{ "summary": "Restaurants", "baseURL": "https://restaurants.example" }"#,
      list: endpoint(
        "/restaurants",
        """
        "ok": {
          "status": 200, \(json), "live": {},
          "body": [\(kfc)],
          "schema": \(schema),
          \(expecting([kfc]))
        },
        "late": {
          "like": "ok", "delay": { "fixed": "1s" },
          "expect": { "restaurants.load": { "like": "ok" } }
        }
        """),
      favorites: endpoint(
        "/favorites", #""none": { "status": 200, \#(json), "body": [], \#(expecting([kfc])) }"#),
    ]
    for (file, text) in texts {
      try Data(text.utf8).write(to: contracts.folder.appending(path: file))
    }
    let headers = ["Content-Type": "application/json"]
    let server = try await FakeServer.start(
      try ContractLibrary(drafts: [
        ContractDraft("restaurants/list-restaurants", "GET", "/restaurants").case(
          "ok", status: 200, headers: headers, body: "[\(bodies.joined(separator: ", "))]"),
        ContractDraft("restaurants/list-favorites", "GET", "/favorites").case(
          "none", status: 200, headers: headers, body: "[]"),
      ]))
    let url = try #require(server.baseURL(of: "restaurants"))
    let words = ["--base-url", "restaurants=\(url)", "--confirm", "0s"]
    return (contracts, server, ["drift", "restaurants/list-restaurants#ok"] + words)
  }

  @Test("updates what another file expects of a service that requests the changed endpoint")
  func otherFile() async throws {
    let (contracts, server, words) = try await Self.restaurants(
      schema: #"{ "items": { "properties": { "name": { "const": "KFC" } } } }"#, live: [Self.bk])
    let old = try [Self.list, Self.favorites].map(contracts.read)
    let run = try await contracts.run(words + ["--update"])
    await server.close()
    let change = #"string "BK" at /restaurants/0/name instead of string "KFC""#
    #expect(
      run.errors == """
        updated \(Self.list)
        updated \(Self.favorites)
        restaurants/list-favorites#none, restaurants.load now expects \(change)
        restaurants/list-restaurants#ok, restaurants.load now expects \(change)

        """)
    #expect(
      try [Self.list, Self.favorites].map(contracts.read)
        == old.map { $0.replacing("KFC", with: "BK") })
  }

  @Test("edits a value once that two cases expect, also where an array grows")
  func shared() async throws {
    let (contracts, server, words) = try await Self.restaurants(
      schema: #"{ "const": [\#(Self.kfc)] }"#, live: [Self.kfc, Self.bk])
    let old = try [Self.list, Self.favorites].map(contracts.read)
    let run = try await contracts.run(words + ["--update"])
    await server.close()
    let change = "object with 6 members at /restaurants/1 instead of nothing"
    #expect(
      run.errors == """
        updated \(Self.list)
        updated \(Self.favorites)
        restaurants/list-favorites#none, restaurants.load now expects \(change)
        restaurants/list-restaurants#ok, restaurants.load now expects \(change)

        """)
    #expect(
      try [Self.list, Self.favorites].map(contracts.read)
        == old.map { $0.replacing(Self.kfc, with: "\(Self.kfc), \(Self.bk)") })
  }

  @Test("a new case has no expectation if its trial does not pass, and says so")
  func open() async throws {
    let (contracts, server, words) = try await Self.restaurants(
      schema: #"{ "items": { "properties": { "name": { "const": "KFC" } } } }"#, live: [Self.bk])
    let run = try await contracts.run(words + ["--add-cases"])
    await server.close()
    #expect(
      run.errors.replacing(/ok-[0-9-]+/, with: "ok-DAY") == """
        updated \(Self.list)
        restaurants/list-restaurants#ok-DAY, restaurants.load has no expectation yet, since its trial \
        did not pass
          request-count: sent 2 requests, expected 1: GET /restaurants/restaurants, \
        GET /restaurants/favorites

        """)
    #expect(try contracts.read(Self.list).contains(#""expect": {}"#))
  }
}
