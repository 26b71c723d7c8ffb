import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyTestSupport

@testable import UnderstudyTool

/// The commands of `understudy list --curl`, run by a shell.
@Suite struct CurlCommandTests {
  /// What a server of these contracts serves when a shell runs all commands.
  private static func served(
    _ commands: [String], by server: FakeServer
  ) async throws -> [String] {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    // Some responses end only with the server.
    shell.arguments = ["-c", commands.map { "{ \($0)\n} &\n" }.joined()]
    (shell.standardOutput, shell.standardError) = (
      FileHandle.nullDevice, FileHandle.nullDevice
    )
    shell.standardInput = FileHandle.nullDevice
    try shell.run()
    var served: [String] = []
    for _ in commands {
      guard let request = await server.nextRequest() else { break }
      served.append("\(request.contract ?? request.path)#\(request.caseName ?? "-")")
    }
    await server.close()
    try await offPool { shell.waitUntilExit() }
    return served.sorted()
  }

  private static func commands(
    for library: ContractLibrary, at server: FakeServer
  ) throws -> (commands: [String], cases: [String]) {
    let server = try #require(WebURL(base: "http://\(server.address)"))
    let commands = ContractListing.Commands(index: library.index, server: server)
    var found: (commands: [String], cases: [String]) = ([], [])
    for upstream in library.upstreams {
      for contract in upstream.contracts {
        for served in contract.cases where !served.breaksHandshake {
          do throws(CurlCommand.Missing) {
            found.commands.append(
              try commands.command(for: served, of: contract, of: upstream))
            found.cases.append("\(contract.id)#\(served.name)")
          } catch {
            Issue.record("\(contract.id)#\(served.name): \(error.reason)")
          }
        }
      }
    }
    return found
  }

  @Test("each leads to its case, for all shipped contracts")
  func shipped() async throws {
    let all = try ContractLibrary.load([Checkout.root.appending(path: "Contracts").path])
    for upstream in all.upstreams {
      let library = ContractLibrary(of: [upstream])
      let server = try await FakeServer.start(library)
      let expected = try Self.commands(for: library, at: server)
      let served = try await Self.served(expected.commands, by: server)
      #expect(served == expected.cases.sorted(), "\(upstream.name)")
    }
  }

  @Test("so does that of a case with an unusual request")
  func unusual() async throws {
    let library = ContractLibrary(reading: [
      "odd/upstream.json": #"{ "summary": "Odd", "baseURL": "https://odd.example/a%20b" }"#,
      "odd/text.json": #"""
      { "request": { "method": "PUT", "path": "/t/{name}",
                     "parameters": { "path.name": { "example": "it's 50% [x]{y}" },
                                     "query.q": { "equals": "a b&c=d'\"$HOME`id`" },
                                     "header.X-Empty": { "equals": "" },
                                     "header.X-Words": { "equals": "say \"it's\" $(id) ##[error]" },
                                     "header.Accept": { "absent": true },
                                     "header.User-Agent": { "absent": true } },
                     "body": { "text": "@one 'two'\n\"three\" 100% \\n \u001b[1m\r\n\u0000 \u00e9 ##[group]\n" } },
        "cases": { "ok": { "status": 200 }, "gone": { "status": 410 } } }
      """#,
      "odd/plain.json": #"""
      { "request": { "method": "POST", "path": "/p",
                     "body": { "text": "@file 'x' \"y\" \\ $z ##[group]é" } },
        "cases": { "ok": { "status": 200 } } }
      """#,
      "odd/json.json": #"""
      { "request": { "method": "POST", "path": "/j",
                     "parameters": { "header.Content-Type": { "equals": "application/json" } },
                     "body": { "equals": { "say": "it's\n\"so\"" } } },
        "cases": { "ok": { "status": 200 },
                   "more": { "when": { "request": { "query.more": "yes" } }, "status": 201 } } }
      """#,
      "odd/head.json": #"""
      { "request": { "method": "HEAD", "path": "/h" }, "cases": { "ok": { "status": 200 } } }
      """#,
      "odd/get.json": #"""
      { "request": { "method": "GET", "path": "/g", "body": { "equals": 1 } },
        "cases": { "ok": { "status": 200 } } }
      """#,
      "odd/dots.json": #"""
      { "request": { "method": "GET", "path": "/d/{one}/x",
                     "parameters": { "path.one": { "example": ".." } } },
        "cases": { "ok": { "status": 200 } } }
      """#,
      "odd/counted.json": #"""
      { "request": { "method": "GET", "path": "/c/{id}" },
        "cases": { "ok": { "status": 200 },
                   "later": { "when": { "count": { "above": 1 } }, "status": 429 },
                   "sold": { "when": { "state": { "shelf": "sold" } }, "status": 404 },
                   "cut": { "fault": "CONNECTION_RESET_BY_PEER" },
                   "stuck": { "status": 200, "stall": "beforeHead" } } }
      """#,
      "odd/picky.json": #"""
      { "request": { "method": "GET", "path": "/picky" }, "default": null,
        "cases": { "one": { "when": { "request": { "query.a": "1" } }, "status": 200 },
                   "two": { "when": { "request": { "query.a": "2" } }, "status": 200 } } }
      """#,
    ])
    #expect(library.findings.filter { $0.severity == .error }.map(\.description) == [])
    let server = try await FakeServer.start(library)
    let expected = try Self.commands(for: library, at: server)
    let served = try await Self.served(expected.commands, by: server)
    #expect(served == expected.cases.sorted())
  }

  @Test("the page is a script: a comment before each command")
  func page() throws {
    let run = try SampleContracts().run(["list", "--curl", "--url", "http://localhost:8080/~w"])
    #expect(
      TextDiff.unified(
        """
        # dog-ceo/random-images#ok  200  good  An address
        curl -i http://localhost:8080/~w/dog-ceo/api/breed/hound/images/random
        # dog-ceo/random-images#not-found  404  good
        curl -i -H 'Prefer: example=not-found' http://localhost:8080/~w/dog-ceo/api/breed/hound/images/random
        # dog-ceo/random-images#cut-short  200  malformed
        curl -i -H 'Prefer: example=cut-short' http://localhost:8080/~w/dog-ceo/api/breed/hound/images/random
        # dog-ceo/random-images#slow  200  slow
        curl -i -H 'Prefer: example=slow' http://localhost:8080/~w/dog-ceo/api/breed/hound/images/random
        # dog-ceo/random-images#reset  -  broken
        curl -i -H 'Prefer: example=reset' http://localhost:8080/~w/dog-ceo/api/breed/hound/images/random

        """, run.output) == "")
    #expect(run.errors == "")
  }

  @Test("where there is none, the page says why; programs get null")
  func missing() throws {
    let contracts = try SampleContracts([
      "Contracts/dog-ceo/token.json": #"""
      { "request": { "method": "GET", "path": "/token",
                     "parameters": { "header.X-Token": { "matches": "^[0-9]+$" } } },
        "cases": { "ok": { "status": 200 } } }
      """#,
      "Contracts/dog-ceo/zoo.json": #"""
      { "request": { "method": "GET", "path": "/zoo" },
        "cases": { "ok": { "status": 200 }, "expired": { "fault": "TLS_EXPIRED" } } }
      """#,
    ])
    let text = contracts.run(["list", "--curl"]).output
    #expect(
      text.hasSuffix(
        """
        # dog-ceo/token#ok  200  good
        # no command: header.X-Token has no "example" in Contracts/dog-ceo/token.json
        # dog-ceo/zoo#ok  200  good
        curl -i http://127.0.0.1:8080/dog-ceo/api/zoo
        # dog-ceo/zoo#expired  -  broken
        # no command: the case "expired" breaks the TLS handshake, which comes before the request: choose it with \
        "understudy use", for an upstream that has a port of its own

        """))
    let json = contracts.run(["list", "--curl", "--format", "json"]).output
    #expect(
      json.contains(
        #"""
        "curl": "curl -i http://127.0.0.1:8080/dog-ceo/api/breed/hound/images/random"
        """#))
    #expect(json.contains(#""curl": null"#))
  }
}
