import Testing

@testable import ContractModel
@testable import JSON

/// One contract that uses every key of Contracts/README.md, and what becomes of each.
@Suite struct CompleteContractTests {
  private static let contract = #"""
    {
      "$schema": "../contract.schema.json",
      "summary": "Repositories",
      "request": {
        "method": "POST", "path": "/orgs/{org}/repos", "also": ["/organizations/{id}/repos"],
        "parameters": {
          "path.org": { "example": "apple" },
          "query.page": { "matches": "^[0-9]+$", "optional": true },
          "query.sort": { "oneOf": ["name", "age"], "example": "age" },
          "query.debug": { "absent": true },
          "header.Accept": "application/json",
          "header.X-Kind": { "equals": "all" }
        },
        "body": {
          "contains": { "a": 1 }, "schema": { "type": "object" }, "matches": "a",
          "example": { "a": 1, "b": 2 }
        }
      },
      "default": "ok",
      "cases": {
        "empty": { "summary": "None", "status": 200, "body": [], "when": { "state": { "list": "manual" } } },
        "ok": {
          "status": 200,
          "headers": { "Content-Type": "application/json", "Link": "<{server.baseURL}/2>", "X-A": ["1", "2"] },
          "template": ["headers", "body"],
          "body": [{ "name": "{path.org}", "id": 1.0 }],
          "schema": { "type": "array", "items": { "required": ["name"] } },
          "live": { "parameters": { "path.org": "swift" }, "latency": "1.5s", "safe": true },
          "expect": {
            "repos.list": {
              "arguments": { "org": "apple" }, "value": ["apple"], "requests": 2,
              "with": { "create": "made", "images/picture": "made" }
            }
          }
        },
        "full": {
          "like": "ok", "when": { "request": { "query.page": "2", "body": { "equals": { "a": 1 } } }, "state": { "list": "full" } },
          "then": { "list": "none" }
        },
        "other": {
          "like": "ok", "status": 203, "headers": { "link": null, "x-a": "3", "X-B": "b" }, "template": [],
          "body": [], "version": "1.0", "framing": "close", "encoding": "gzip",
          "expect": { "repos.list": { "like": "too-slow", "timeout": "250ms" } }
        },
        "text": { "like": "other", "text": "é", "framing": "chunked" },
        "bytes": { "status": 200, "base64": "AP8=" },
        "file": { "status": 200, "file": "files/a.bin" },
        "cut": { "like": "ok", "malform": { "truncateAt": 3 }, "then": { "list": "full" } },
        "slow": { "like": "ok", "delay": { "fixed": "2s" }, "pace": { "chunks": 5, "over": "1m" } },
        "too-slow": {
          "like": "slow", "delay": { "uniform": ["1s", "3s"] }, "pace": { "bytesPerSecond": 10 },
          "expect": {
            "repos.list": { "error": { "unexpectedStatus": 404 }, "transport": "timedOut", "curl": [28, 7] }
          }
        },
        "stalled": {
          "like": "ok", "delay": { "lognormal": { "median": "200ms", "sigma": 0.4, "max": "1h" } },
          "stall": { "atByte": 5 }
        },
        "not-found": { "status": 404, "stall": "afterHead" },
        "reset": { "fault": "CONNECTION_RESET_BY_PEER", "delay": { "fixed": "1ms" } }
      },
      "scripts": { "twice": ["reset", "cut", "ok"] },
      "waive": { "unset-state": "set by hand" }
    }
    """#

  private static let upstream = #"""
    {
      "$schema": "../upstream.schema.json", "summary": "Repos", "baseURL": "https://API.example.com:8080/v3/",
      "hosts": ["API.example.com"], "headers": { "Accept": "json" },
      "secrets": {
        "Authorization": "Bearer {UNDERSTUDY_TOKEN}",
        "X-Api-Key": { "value": "{UNDERSTUDY_KEY_2}", "optional": true }
      },
      "rate": { "requests": 60, "per": "1h", "concurrency": 2 }, "owner": "me", "retired": "gone",
      "scenarios": {
        "begin": {
          "summary": "From nothing", "state": { "list": "none" },
          "scripts": { "list": ["empty", "ok"], "create": ["made"] }
        }
      }
    }
    """#

  private static let create = #"""
    { "request": { "method": "PUT", "path": "/" }, "cases": { "made": { "status": 201 } },
      "waive": { "no-404-case": "a", "no-slow-case": "a", "no-broken-case": "a" } }
    """#

  private static let consumers = #"""
    {
      "repos.list": {
        "summary": "Lists", "upstreams": ["git"], "arguments": { "org": "string" },
        "errors": { "unexpectedStatus": "integer", "invalidData": null }
      }
    }
    """#

  private func library() throws -> ContractLibrary {
    let folder = try ContractFolder([
      "git/list.json": Self.contract, "git/create.json": Self.create,
      "git/upstream.json": Self.upstream,
      "images/upstream.json": "{}", "images/picture.json": Self.create,
      "consumers.json": Self.consumers,
    ])
    try folder.write([0, 1], to: "git/files/a.bin")
    let library = try folder.load()
    #expect(folder.diagnosticText(of: library) == "")
    return library
  }

  private func cases() throws -> [String: Case] {
    let contract = try #require(library().upstreams.first?.contract(named: "list"))
    return Dictionary(uniqueKeysWithValues: contract.cases.map { ($0.name, $0) })
  }

  @Test("reads the contract itself")
  func contract() throws {
    let library = try library()
    let contract = try #require(library.upstreams.first?.contract(named: "list"))
    #expect(contract.id == "git/list")
    #expect(contract.summary == "Repositories")
    #expect(contract.defaultCase.name == "ok")
    #expect(contract.scripts.map(\.name) == ["twice"])
    #expect(contract.scripts[0].caseNames == ["reset", "cut", "ok"])
    #expect(contract.waivers.map { "\($0.rule): \($0.reason)" } == ["unset-state: set by hand"])
    #expect(library.contracts.map(\.id) == ["git/create", "git/list", "images/picture"])
    #expect(library.fileCount == 6)
  }

  @Test("reads the request")
  func request() throws {
    let request = try #require(library().upstreams.first?.contract(named: "list")).request
    #expect(request.method == "POST")
    #expect(request.paths.map(\.text) == ["/orgs/{org}/repos", "/organizations/{id}/repos"])
    #expect(
      request.paths[0].segments == [.literal("orgs"), .parameter("org"), .literal("repos")])
    #expect(
      request.parameters.map { "\($0.key): \($0.isOptional) \($0.test.expectation)" } == [
        "path.org: false it to be there", "query.page: true a match of ^[0-9]+$",
        "query.sort: false one of \"name\", \"age\"", "query.debug: false it to be absent",
        "header.Accept: false \"application/json\"", "header.X-Kind: false \"all\"",
      ])
    #expect(request.parameters.map(\.example) == ["apple", nil, "age", nil, nil, nil])
    #expect(request.body?.tests.count == 3)
    #expect(request.body?.example?.count == 2)
    #expect(request.conditionCount == 8)
  }

  @Test("makes the request that is sent to the live API")
  func exampleRequest() throws {
    let contract = try #require(library().upstreams.first?.contract(named: "list"))
    let request = try contract.exampleRequest(for: contract.defaultCase)
    #expect(
      "\(request.method) \(request.path)?\(request.query ?? "")"
        == "POST /orgs/swift/repos?sort=age")
    #expect(
      request.headers.map { "\($0.name)=\($0.value)" } == ["Accept=application/json", "X-Kind=all"])
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"a":1,"b":2}"#)
  }

  @Test("takes status, headers, body, schema and template by like, and nothing else")
  func like() throws {
    let cases = try cases()
    let (ok, full) = (try #require(cases["ok"]?.response), try #require(cases["full"]))
    #expect(full.status == 200)
    #expect(full.response?.headers == ok.headers)
    #expect(full.bodyBytes == Array(#"[{"name":"{path.org}","id":1.0}]"#.utf8))
    #expect(full.response?.schema != nil)
    #expect(full.response?.templatedParts == [.headers, .body])
    #expect(full.live == nil && full.expectations.isEmpty)
    let stalled = try #require(cases["too-slow"])
    #expect("\(stalled.delay as Any)".contains("uniform"), "a delay of its own")
    #expect(try #require(cases["text"]).response?.version == .http11)
    #expect(try #require(cases["text"]).response?.encoding == nil)
    #expect(try #require(cases["text"]).response?.schema == nil, "a schema speaks of JSON")
    #expect(try #require(cases["text"]).status == 203)
  }

  @Test("merges headers by name and drops those that are null")
  func headers() throws {
    let cases = try cases()
    let lines = { (name: String) in
      (cases[name]?.response?.headers ?? []).map { "\($0.name): \($0.value)" }
    }
    #expect(
      lines("ok") == [
        "Content-Type: application/json", "Link: <{server.baseURL}/2>", "X-A: 1", "X-A: 2",
      ])
    #expect(lines("other") == ["Content-Type: application/json", "x-a: 3", "X-B: b"])
    #expect(lines("text") == lines("other"))
  }

  @Test("reads answers")
  func answers() throws {
    let cases = try cases()
    let other = try #require(cases["other"]?.response)
    #expect(other.version == .http10 && other.framing == .close && other.encoding == .gzip)
    #expect(other.templatedParts == [])
    #expect(cases["text"]?.bodyBytes == [0xC3, 0xA9])
    #expect(cases["text"]?.response?.framing == .chunked)
    #expect(cases["bytes"]?.bodyBytes == [0, 255])
    #expect(cases["file"]?.bodyBytes == [0, 1])
    #expect(cases["cut"]?.bodyBytes == Array("[{\"".utf8))
    #expect(cases["empty"]?.summary == "None")
    #expect(cases["reset"]?.response == nil && cases["reset"]?.fault == .connectionResetByPeer)
  }

  @Test("reads when and then")
  func state() throws {
    let full = try #require(try cases()["full"])
    #expect(full.when?.request.map(\.key) == ["query.page"])
    #expect(full.when?.body?.tests.count == 1)
    #expect(full.when?.state == [StateValue(name: "list", value: "full")])
    #expect(full.then == [StateValue(name: "list", value: "none")])
  }

  @Test(
    "reads times",
    arguments: [
      ("slow", "fixed(2.0 seconds)", "chunks(count: 5, over: 60.0 seconds)", ""),
      ("too-slow", "uniform(ClosedRange(1.0 seconds...3.0 seconds))", "bytesPerSecond(10)", ""),
      (
        "stalled", "lognormal(median: 0.2 seconds, sigma: 0.4, max: 3600.0 seconds)", "",
        "atByte(5)"
      ),
      ("not-found", "", "", "afterHead"), ("reset", "fixed(0.001 seconds)", "", ""),
    ])
  func times(name: String, delay: String, pace: String, stall: String) throws {
    let probe = try #require(try cases()[name])
    #expect(probe.delay.map { "\($0)" } ?? "" == delay)
    #expect(probe.pace.map { "\($0)" } ?? "" == pace)
    #expect(probe.stall.map { "\($0)" } ?? "" == stall)
  }

  @Test("tells kinds apart, the worse of two winning")
  func kinds() throws {
    let kinds = try cases().mapValues(\.kind.rawValue)
    #expect(kinds["ok"] == "good" && kinds["cut"] == "malformed" && kinds["slow"] == "slow")
    #expect(kinds["reset"] == "broken" && kinds["not-found"] == "slow")
  }

  @Test("reads what consumers must make of it")
  func expectations() throws {
    let cases = try cases()
    let ok = try #require(cases["ok"]?.expectations.first)
    #expect(ok.consumer == "repos.list" && ok.requestCount == 2)
    #expect(ok.companions.map(\.contractID) == ["create", "images/picture"])
    #expect(ok.companions.map(\.caseName) == ["made", "made"])
    let slow = try #require(cases["too-slow"]?.expectations.first)
    #expect(slow.arguments?["org"]?.string == "apple", "those of the default case")
    #expect(slow.transport == .timedOut && slow.curlCodes == [28, 7] && slow.requestCount == 1)
    guard case .error("unexpectedStatus", let payload?) = slow.outcome else {
      Issue.record("\(slow.outcome)")
      return
    }
    #expect(payload.int == 404)
    let other = try #require(cases["other"]?.expectations.first)
    #expect(other.timeout == .milliseconds(250) && other.transport == .timedOut)
    #expect(other.curlCodes == [28, 7])
  }

  @Test("reads the live side")
  func live() throws {
    let live = try #require(try cases()["ok"]?.live)
    #expect(live.parameters.map { "\($0.key)=\($0.value)" } == ["path.org=swift"])
    #expect(live.latencyMax == .milliseconds(1500) && live.isSafe)
  }

  @Test("reads the upstream and the consumers")
  func upstream() throws {
    let library = try library()
    let upstream = try #require(library.upstreams.first)
    #expect(upstream.summary == "Repos" && upstream.owner == "me" && upstream.retired == "gone")
    #expect(upstream.baseURL?.description == "https://api.example.com:8080/v3")
    #expect(upstream.basePath == "/v3" && upstream.hosts == ["api.example.com"])
    #expect(upstream.headers == [HeaderField(name: "Accept", value: "json")])
    #expect(upstream.secrets.map(\.environmentName) == ["UNDERSTUDY_TOKEN", "UNDERSTUDY_KEY_2"])
    #expect(
      upstream.secrets.map(\.template) == ["Bearer {UNDERSTUDY_TOKEN}", "{UNDERSTUDY_KEY_2}"])
    #expect(upstream.secrets.map(\.isOptional) == [false, true])
    #expect(upstream.rate?.requestCountMax == 60 && upstream.rate?.period == .seconds(3600))
    #expect(upstream.rate?.concurrencyMax == 2)
    let scenario = try #require(upstream.scenarios.first)
    #expect(scenario.name == "begin" && scenario.summary == "From nothing")
    #expect(scenario.state == [StateValue(name: "list", value: "none")])
    #expect(scenario.scripts.map(\.name) == ["list", "create"])
    #expect(scenario.scripts.map(\.caseNames) == [["empty", "ok"], ["made"]])
    let consumer = try #require(library.consumers.first)
    #expect(consumer.name == "repos.list" && consumer.summary == "Lists")
    #expect(consumer.upstreamNames == ["git"])
    #expect(consumer.arguments.map { "\($0.name): \($0.type)" } == ["org: string"])
    #expect(consumer.errors.map(\.name) == ["unexpectedStatus", "invalidData"])
    #expect(consumer.errors.map(\.payload) == [.integer, nil])
  }
}
