import Testing

@testable import UnderstudyContractModel
@testable import UnderstudyJSON

/// What becomes of every key of the contract format.
@Suite struct CompleteContractTests {
  private func library() throws -> ContractLibrary {
    let folder = try ContractFolder([
      "git/list.json": CompleteContract.contract, "git/create.json": CompleteContract.create,
      "git/upstream.json": CompleteContract.upstream,
      "images/upstream.json": CompleteContract.images,
      "images/picture.json": CompleteContract.create,
      "consumers.json": CompleteContract.consumers,
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
    #expect(contract.defaultCase?.name == "ok")
    #expect(contract.scripts.map(\.name) == ["twice"])
    #expect(contract.scripts[0].caseNames == ["reset", "cut", "ok"])
    #expect(contract.waivers.map { "\($0.rule): \($0.reason)" } == ["unset-state: set by hand"])
    #expect(library.contracts.map(\.id) == ["git/create", "git/list", "images/picture"])
    #expect(library.fileCount == 6)
  }

  @Test("reads the callbacks")
  func callbacks() throws {
    let callbacks = try #require(cases()["calling"]).callbacks
    #expect(callbacks.map(\.name) == ["made", "told", "called"])
    #expect(callbacks.map(\.method) == ["PUT", "POST", "GET"])
    #expect(callbacks.map(\.summary) == ["When it is made", nil, nil])
    #expect(callbacks.map(\.expectedStatus) == [204, nil, nil])
    #expect(callbacks[0].headers.map { "\($0.name): \($0.value)" } == ["X-A: 1", "X-A: {uuid}"])
    #expect(callbacks[0].isJSON)
    #expect(callbacks[0].delay?.max == .seconds(2))
    #expect(callbacks[1].bodyBytes == [0, 1])
    #expect(
      callbacks.map { $0.fixedAddress?.text } == [
        nil, "https://hooks.example.com:8443/", "http://localhost",
      ])
    #expect(try library().upstreams.first?.callbackHosts.names == ["hooks.example.com"])
    let read = try #require(cases()["calling"]).stateReads
    #expect(read.count == 1)
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
        "path.org: false it to be present", "query.page: true a match of ^[0-9]+$",
        "query.sort: false one of \"name\", \"age\"", "query.debug: false it to be absent",
        "header.Accept: false \"application/json\"", "header.X-Kind: false \"all\"",
      ])
    #expect(request.parameters.map { $0.example?.first } == ["apple", nil, "age", nil, nil, nil])
    #expect(request.body?.tests.count == 3)
    #expect(request.body?.example?.count == 2)
    #expect(request.conditionCount == 8)
  }

  @Test("makes the request that is sent to the live API")
  func exampleRequest() throws {
    let contract = try #require(library().upstreams.first?.contract(named: "list"))
    let request = try contract.exampleRequest(for: #require(contract.defaultCase))
    #expect(
      "\(request.method) \(request.path)?\(request.query ?? "")"
        == "POST /orgs/swift/repos?sort=age")
    #expect(
      request.headers.map { "\($0.name)=\($0.value)" } == ["Accept=application/json", "X-Kind=all"])
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"a":1,"b":2}"#)
  }

  @Test("like copies status, headers, body, schema and template, and nothing else")
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

  @Test("reads responses")
  func responses() throws {
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

  @Test("reads events")
  func events() throws {
    let cases = try cases()
    let stream = try #require(cases["stream"])
    #expect(stream.fault == .connectionResetInBody && stream.faultEvent == 1)
    let events = try #require(stream.events)
    #expect(events.map(\.after) == [.zero, .milliseconds(200)] && events.map(\.id) == ["1", nil])
    #expect(
      String(decoding: stream.bodyBytes, as: UTF8.self)
        == "event: a\nid: 1\nretry: 3000\ndata: {\"b\":1.0}\n\ndata: c\ndata: d\n\n")
    #expect(stream.response?.framing == .chunked)
    let like = try #require(cases["streaming"])
    #expect(like.bodyBytes == stream.bodyBytes && like.events?.count == 2 && like.fault == nil)
    #expect(cases["bytes"]?.response?.hasTag == true)
    #expect(cases["bytes"]?.response?.hasRanges == false)
  }

  @Test("reads when and then")
  func state() throws {
    let full = try #require(try cases()["full"])
    #expect(full.when?.request.map(\.key) == ["query.page"])
    #expect(full.when?.body?.tests.count == 1)
    let condition = try #require(full.when?.state.first)
    #expect(full.when?.state.count == 1 && condition.name == Template("list"))
    #expect(
      condition.value.accepts("full", at: .epoch) && !condition.value.accepts("none", at: .epoch))
    #expect(full.then == [StateChange(name: Template("list"), value: Template("none"))])
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
      ("not-found", "", "", "afterHead"), ("streaming", "", "", "atEvent(2)"),
      ("reset", "fixed(0.001 seconds)", "", ""),
    ])
  func times(name: String, delay: String, pace: String, stall: String) throws {
    let liveCase = try #require(try cases()[name])
    #expect(liveCase.delay.map { "\($0)" } ?? "" == delay)
    #expect(liveCase.pace.map { "\($0)" } ?? "" == pace)
    #expect(liveCase.stall.map { "\($0)" } ?? "" == stall)
  }

  @Test("distinguishes kinds; the worse of two wins")
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
    #expect(ok.companions.map(\.name) == ["create", "images/picture"])
    let contract = try #require(library().contracts.first { $0.id == "git/list" })
    #expect(
      ok.companions.map { $0.contractID(beside: contract) } == ["git/create", "images/picture"])
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

  @Test("reads live")
  func live() throws {
    let live = try #require(try cases()["ok"]?.live)
    #expect(live.parameters.map { "\($0.key)=\($0.value)" } == ["path.org=swift"])
    #expect(live.latencyMax == .milliseconds(1500) && live.isSafe)
  }

  @Test("reads how a command must end")
  func commands() throws {
    let expectation = try #require(cases()["not-found"]?.expectations.first)
    #expect(expectation.consumer == "repos-cli" && expectation.timeout == .seconds(60))
    guard case .exit(let code, let stdout, let stderr) = expectation.outcome else {
      Issue.record("found \(expectation.outcome), expected an exit code")
      return
    }
    #expect(code == 3)
    #expect(stdout?.tests.map { "\($0.kind)" } == [#"equals("")"#])
    #expect(
      stderr?.tests.map { "\($0.kind)".prefix { $0 != "(" } } == ["equals", "contains", "matches"])
    #expect(stderr?.tests.map { $0.accepts("no such thing") } == [true, true, true])
    #expect(stderr?.tests.map { $0.accepts("is no such thing") } == [false, true, false])
    #expect(stderr?.tests.map { $0.accepts("") } == [false, false, false])
    #expect(try library().consumers.map(\.isCommand) == [false, true])
  }

  @Test("reads the upstream and the consumers")
  func upstream() throws {
    let library = try library()
    let upstream = try #require(library.upstreams.first)
    #expect(upstream.summary == "Repos" && upstream.owner == "me" && upstream.retired == "gone")
    #expect(upstream.baseURL?.description == "https://api.example.com:8080/v3")
    #expect(upstream.basePath == "/v3" && upstream.hosts == ["api.example.com"])
    #expect(upstream.headers == [HeaderField(name: "Accept", value: "json")])
    #expect(
      upstream.secrets.map(\.environmentName) == ["UNDERSTUDY_GIT_TOKEN", "UNDERSTUDY_GIT_KEY_2"])
    #expect(
      upstream.secrets.map(\.template) == [
        "Bearer {UNDERSTUDY_GIT_TOKEN}", "{UNDERSTUDY_GIT_KEY_2}",
      ])
    #expect(upstream.secrets.map(\.isOptional) == [false, true])
    #expect(upstream.rate?.requestCountMax == 60 && upstream.rate?.period == .seconds(3600))
    #expect(upstream.rate?.concurrencyMax == 2)
    #expect(upstream.failedPercent == 20)
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
