import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyContractModel

/// What is read of each value, and what is said of it: the files of `Fixtures/Transcripts`.
@Suite struct ReadingTranscriptTests {
  private static func expect(
    _ name: String, near: (String) -> [String] = { _ in [] },
    _ outcome: (String) throws -> [String]
  ) throws {
    let transcript = try Transcript(name, near: near, outcome)
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }

  private static func library(_ files: [String: String]) -> ContractLibrary {
    let all = Sample.files.merging(["api/files/a.txt": "text"]) { $1 }.merging(files) { $1 }
    return ContractLibrary(readingBytes: all.mapValues { Array($0.utf8) })
  }

  private static func complaints(_ library: ContractLibrary) -> [String] {
    library.findings.filter { !Set.missingCases.contains($0.type) }.map { finding in
      "\(finding.severity) \(finding.position.map(String.init(describing:)) ?? "") \(finding.type.rawValue):"
        + " \(finding.message)\(finding.fix.map { " (\($0))" } ?? "")"
    }
  }

  // MARK: - Cases

  @Test("cases")
  func cases() throws {
    try Self.expect("cases", near: NearInputs.few(4, NearInputs.ofMembers)) { line in
      let library = Self.library([
        "api/thing.json": """
        { "request": { "method": "POST", "path": "/things/{id}",
            "parameters": { "path.id": { "example": "1" } } }, "cases": {
        "ok": { "status": 200, "headers": { "Content-Type": "application/json" }, "body": { "a": 1 },
          "schema": { "required": ["a"] } },
        "other": { "like": "it" }, "empty": { "status": 204 },
        "events": { "status": 200, "events": [{ "data": "a" }, { "data": "b", "after": "1s" }] },
        "it": { \(line) } } }
        """
      ])
      let served = library.contracts.first { $0.id == "api/thing" }?.case(named: "it")
      return Self.complaints(library) + (served.map(Self.lines) ?? ["not read"])
    }
  }

  private static func lines(_ served: Case) -> [String] {
    var words = ["\(served.kind)"]
    if let response = served.response {
      words.append("\(response.status)")
      words += response.sentHeaders.map { "\($0.name): \($0.value)" }
      if response.version != .http11 { words.append("version \(response.version.rawValue)") }
      words.append("\(response.framing)")
      if let encoding = response.encoding { words.append("\(encoding)") }
      if response.hasRanges { words.append("ranges") }
      if response.hasTag { words.append("tag") }
      if response.schema != nil { words.append("schema") }
      words += response.templatedParts.map { "template \($0)" }.sorted()
      words.append(String(decoding: served.bodyBytes, as: UTF8.self).debugDescription)
    }
    if let summary = served.summary { words.append("summary \(summary)") }
    switch served.malformation {
    case .contentLengthOff(let count): words.append("length off by \(count)")
    case .gzip(let mutation): words.append("gzip \(mutation)")
    case .contentType(let type): words.append("as \(type.debugDescription)")
    default: break
    }
    if let delay = served.delay { words.append("\(delay)") }
    if let pace = served.pace { words.append("\(pace)") }
    if let stall = served.stall { words.append("stall \(stall)") }
    if let fault = served.fault { words.append("\(fault.rawValue)") }
    if let event = served.faultEvent { words.append("at event \(event)") }
    for event in served.events ?? [] {
      words.append(
        "\(event.after) \(String(decoding: event.bytes, as: UTF8.self).debugDescription)")
    }
    if let when = served.when {
      words += when.request.map { "when \($0.key) \($0.test.expectation)" }
      if let body = when.body { words.append("when body \(body.tests.count)") }
      words += when.state.map { "when state \($0.name.pieces) \($0.value.test.expectation)" }
      if let count = when.countAbove { words.append("above \(count)") }
      if let share = when.share { words.append("share \(share)") }
    }
    words += served.then.map { "then \($0.name.pieces)=\($0.value?.pieces ?? [])" }
    words += served.stateReads.map { "reads \($0)" }
    if let live = served.live {
      words += live.parameters.map { "live \($0.key)=\($0.value)" }
      words.append("live \(live.latencyMax.map { "\($0)" } ?? "")\(live.isSafe ? " safe" : "")")
    }
    for expectation in served.expectations {
      words.append(
        "\(expectation.consumer) requests \(expectation.requestCount) \(expectation.curlCodes)"
          + (expectation.transport.map { " \($0)" } ?? "")
          + (expectation.timeout.map { " \($0)" } ?? "")
          + expectation.companions.map { " with \($0.name)#\($0.caseName)" }.joined()
          + expectation.tolerances.map { " tolerates \($0.tokens) \($0.mutations.count)" }.joined())
    }
    return [words.joined(separator: ", ")]
  }

  // MARK: - Requests

  @Test("conditions on parameters")
  func conditions() throws {
    let queries = ["", "q", "q=", "q=a", "q=b", "q=ab", "q=a&q=b", "q=b&q=a", "r=a"]
    try Self.expect("conditions", near: NearInputs.ofJSON) { line in
      let library = Self.library([
        "api/thing.json": Sample.contract(
          request: #"{ "method": "GET", "path": "/a", "parameters": { "query.q": \#(line) } }"#)
      ])
      return Self.complaints(library)
        + [Self.accepted(queries, by: library) { Request("GET", "/api/v1/a?\($0)") }]
    }
  }

  /// Those that lead to the contract.
  private static func accepted(
    _ all: [String], by library: ContractLibrary, _ request: (String) -> Request
  ) -> String {
    let fitting = all.filter {
      library.index.explain(request($0)).contract?.id == "api/thing"
    }
    return "accepts \(fitting)"
  }

  @Test("conditions on bodies")
  func bodies() throws {
    let part = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
    let file =
      "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"t.txt\"\r\n"
      + "Content-Type: text/plain\r\n\r\nt\r\n"
    let bodies: [(name: String, body: String, type: String)] = [
      ("nothing", "", ""), ("x", "x", ""), ("ax1", "ax1", ""), ("1", "1", ""), ("null", "null", ""),
      ("{}", "{}", ""), ("[]", "[]", ""), ("a12", #"{"a":[1,2]}"#, "application/json"),
      ("a21", #"{"a":[2,1]}"#, ""), ("a12b", #"{"a":[1,2],"b":1}"#, ""), ("a1", #"{"a":1}"#, ""),
      ("form a=1", "a=1", "application/x-www-form-urlencoded"),
      ("form a=1&a=2&b=3", "a=1&a=2&b=3", "application/x-www-form-urlencoded"),
      ("form b=1", "b=1", "application/x-www-form-urlencoded"),
      ("part a", "\(part)--x--\r\n", "multipart/form-data; boundary=x"),
      ("part f", "\(file)--x--\r\n", "multipart/form-data; boundary=x"),
      ("parts", "\(part)\(file)--x--\r\n", "multipart/form-data; boundary=x"),
    ]
    try Self.expect("bodies", near: NearInputs.ofJSON) { line in
      let library = Self.library([
        "api/thing.json": Sample.contract(
          request: #"{ "method": "POST", "path": "/a", "body": \#(line) }"#)
      ])
      return Self.complaints(library)
        + [
          Self.accepted(bodies.map(\.name), by: library) { name in
            let sent = bodies.first { $0.name == name } ?? bodies[0]
            let type = HeaderField(name: "Content-Type", value: sent.type)
            return Request(
              "POST", "/api/v1/a", headers: sent.type.isEmpty ? [] : [type],
              body: Array(sent.body.utf8))
          }
        ]
    }
  }

  @Test("requests of contracts")
  func requests() throws {
    try Self.expect("requests", near: NearInputs.few(8, NearInputs.ofJSON)) { line in
      let library = Self.library(["api/thing.json": Sample.contract(request: line)])
      var lines = Self.complaints(library)
      guard let contract = library.contracts.first(where: { $0.id == "api/thing" }),
        let served = contract.defaultCase
      else { return lines + ["not read"] }
      let paths = contract.request.paths.map(\.text).joined(separator: " ")
      lines.append("\(contract.request.method) \(paths), \(contract.request.conditionCount)")
      let own = try contract.exampleRequest(for: served)
      lines.append(
        "\(own.method) \(own.path)\(own.query.map { "?\($0)" } ?? "")"
          + own.headers.map { " \($0.name): \($0.value)" }.joined()
          + (own.body.isEmpty
            ? "" : " \(String(decoding: own.body, as: UTF8.self).debugDescription)"))
      return lines
    }
  }

  /// Targets of another method or path.
  private static func nearTargets(_ line: String) -> [String] {
    NearInputs.ofText(line).filter {
      $0.split(separator: " ").count > 1 && $0.first != " " && $0.contains(" /")
    }
  }

  @Test("targets of requests")
  func targets() throws {
    func contract(_ request: String, _ cases: String = "") -> String {
      #"{ "request": { \#(request) }, "cases": { "ok": { "status": 200 }\#(cases) } }"#
    }
    let library = Self.library([
      "api/list.json": contract(#""method": "GET", "path": "/things""#),
      "api/thing.json": contract(
        #""method": "GET", "path": "/things", "parameters": { "query.q": "1" }"#,
        #", "more": { "status": 201, "when": { "request": { "query.r": "1" } } }"#),
      "api/one.json": contract(
        #""method": "GET", "path": "/things/{id}", "parameters": { "path.id": { "matches": "^[0-9]+$", "example": "1" } }"#
      ),
      "api/special.json": contract(#""method": "GET", "path": "/things/special""#),
      "api/make.json": contract(
        #""method": "POST", "path": "/things", "body": { "contains": { "a": 1 } }"#),
      "api/files.json": contract(#""method": "GET", "path": "/files/{rest...}""#),
      "api/kinds.json": contract(
        #""method": "GET", "path": "/kinds", "parameters": { "header.X-Kind": "a" }"#),
    ])
    try Self.expect("targets", near: Self.nearTargets) { line in
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      let more = words.count > 2 ? words[2] : ""
      let header = more.hasPrefix("{") ? [] : more.split(separator: ":", maxSplits: 1)
      let request = Request(
        words[0], words[1],
        headers: header.count == 2
          ? [HeaderField(name: String(header[0]), value: String(header[1].dropFirst()))] : [],
        body: more.hasPrefix("{") ? Array(more.utf8) : [])
      let explanation = library.index.explain(request)
      guard let candidate = explanation.candidate else {
        return [explanation.complaint]
          + explanation.nearMisses.map { unmatched in
            "\(unmatched.contract.id): \(unmatched.differences.map(\.description).joined(separator: "; "))"
          }
      }
      let served = candidate.unsteeredCase(for: RequestParts(request))
      return ["\(candidate.contract.id)#\(served?.name ?? "nothing")"]
    }
  }

  // MARK: - Upstreams

  @Test("upstreams")
  func upstreams() throws {
    try Self.expect("upstreams", near: NearInputs.few(8, NearInputs.ofJSON)) { line in
      let library = Self.library([
        "api/upstream.json": line,
        "api/thing.json": Sample.contract(member: #""summary": "Thing""#),
      ])
      guard let upstream = library.upstreams.first(where: { $0.name == "api" }) else {
        return Self.complaints(library) + ["not read"]
      }
      var words = [upstream.baseURL?.text ?? "no address"] + upstream.hosts
      words += upstream.headers.map { "\($0.name): \($0.value)" }
      words += upstream.secrets.map {
        "\($0.header) \($0.template) \($0.environmentName)\($0.isOptional ? " optional" : "")"
      }
      words += upstream.rate.map { ["\($0)"] } ?? []
      if upstream.failedPercent != 0 { words.append("failed \(upstream.failedPercent)") }
      words += [upstream.summary, upstream.owner, upstream.retired].compactMap(\.self)
      words += upstream.state.map { "\($0)" } + upstream.scenarios.map { "\($0)" }
      words += upstream.waivers.map { "\($0.rule): \($0.reason)" }
      return Self.complaints(library) + [words.joined(separator: ", ")]
    }
  }
}
