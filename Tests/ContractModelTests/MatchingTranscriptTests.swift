import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyContractModel

/// What requests lead to, and what is said of them: the files of `Fixtures/Transcripts`.
@Suite struct MatchingTranscriptTests {
  private static func expect(
    _ name: String, near: (String) -> [String] = { _ in [] },
    _ outcome: (String) throws -> [String]
  ) throws {
    let transcript = try Transcript(name, near: near, outcome)
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }

  private static func library(_ files: [String: String]) -> ContractLibrary {
    ContractLibrary(reading: Sample.files.merging(files) { $1 })
  }

  private static func complaints(_ library: ContractLibrary) -> [String] {
    library.findings.filter { !Set.missingCases.contains($0.type) }.map { finding in
      "\(finding.severity) \(finding.file) \(finding.type.rawValue): \(finding.message)"
        + "\(finding.fix.map { " (\($0))" } ?? "")"
    }
  }

  private static func elements(_ line: String) throws -> [JSONValue] {
    Array(try JSONDocument(parsing: Array(line.utf8)).root.elements)
  }

  private static func text(_ value: JSONValue) -> String {
    String(decoding: value.compact, as: UTF8.self)
  }

  /// Those of an array with as many elements.
  private static func nearArrays(_ line: String) -> [String] {
    let count = (try? elements(line).count) ?? 0
    return NearInputs.ofJSON(line).filter { (try? elements($0).count) == count }
  }

  @Test("what a body differs in")
  func differences() throws {
    try Self.expect("differences", near: Self.nearArrays) { line in
      let parts = try Self.elements(line)
      let library = Self.library([
        "api/thing.json": Sample.contract(
          request: #"{ "method": "POST", "path": "/a", "body": \#(Self.text(parts[0])) }"#)
      ])
      guard Self.complaints(library).isEmpty else { return ["not read"] }
      let sent = Request("POST", "/api/v1/a", body: Array((parts[1].string ?? "").utf8))
      let explanation = library.index.explain(sent)
      guard explanation.contract == nil else { return ["accepted"] }
      return explanation.nearMisses.flatMap(\.differences).map { difference in
        "\(difference)\(difference.concernsBody ? "" : " (not of the body)")"
      }
    }
  }

  @Test("what is said of two contracts for one path")
  func rivals() throws {
    try Self.expect("rivals", near: NearInputs.few(4, Self.nearArrays)) { line in
      let requests = try Self.elements(line).map { value in
        let members = value.members.map { "\"\($0.key)\": \(Self.text($0.value))" }
        let path = value["path"] == nil ? [#""path": "/a/{id}""#] : []
        return "{ \(([#""method": "POST""#] + path + members).joined(separator: ", ")) }"
      }
      return Self.complaints(
        Self.library([
          "api/thing.json": Sample.contract(request: requests[0]),
          "api/whatsit.json": Sample.contract(request: requests[1]),
        ]))
    }
  }

  @Test("which case a request serves, and which ones can be forced on it")
  func whens() throws {
    // Of a contract without a default case.
    let bare = "no default: "
    func near(_ line: String) -> [String] {
      let hasDefault = !line.hasPrefix(bare)
      let members = hasDefault ? line : String(line.dropFirst(bare.count))
      return NearInputs.ofMembers(members).map { hasDefault ? $0 : bare + $0 }
    }
    try Self.expect("whens", near: near) { line in
      let hasDefault = !line.hasPrefix(bare)
      let library = Self.library([
        "api/thing.json": """
        { "request": { "method": "POST", "path": "/a" }\(hasDefault ? "" : #", "default": null"#),
          "cases": { \(hasDefault ? line : String(line.dropFirst(bare.count))) } }
        """
      ])
      guard let contract = library.contracts.first(where: { $0.id == "api/thing" }) else {
        return ["not read"]
      }
      let said = Self.complaints(library).filter { $0.hasPrefix("error") }
      let targets = ["/a", "/a?q=1", "/a?q=2"].flatMap { path in
        ["", "x"].map { Request("POST", "/api/v1\(path)", body: Array($0.utf8)) }
      }
      return said.map { "\($0)" }
        + targets.map { request in
          let shown = "\(request.query ?? "-")\(request.body.isEmpty ? "" : " x")"
          let explanation = library.index.explain(request)
          let differences = explanation.nearMisses.filter { $0.contract.id == "api/thing" }
            .flatMap(\.differences).map(\.description)
          return "\(shown): \(Self.served(request, by: contract))"
            + (differences.isEmpty ? "" : ", if it is first \(differences)")
        }
    }
  }

  private static func served(_ request: Request, by contract: Contract) -> String {
    let (parts, template) = (RequestParts(request), contract.request.paths[0])
    func name(_ count: Int, _ draw: Double, _ value: String?) -> String {
      let index = contract.caseIndexByWhen(count: count, draw: { draw }) { when in
        when.state.allSatisfy { $0.value.accepts(value, at: .epoch) }
          && parts.meets(when, in: template)
      }
      return (index.map { contract.cases[$0] } ?? contract.defaultCase)?.name ?? "none"
    }
    let found = [
      name(1, 0, nil), name(2, 0.25, nil), name(3, 0.5, nil), name(1, 0.99, nil),
      name(1, 0.99, "on"),
    ]
    let forced = contract.cases.indices.filter { index in
      contract.serves(
        forced: index, count: 2, meets: { parts.meets($0, in: template) },
        stateHolds: { $0.state.allSatisfy { $0.value.accepts("on", at: .epoch) } })
    }.map { contract.cases[$0].name }
    return "\(found.joined(separator: " ")), forced \(forced)"
  }

  @Test("why a request is refused")
  func refusals() throws {
    try Self.expect("refusals", near: NearInputs.ofMembers) { line in
      let library = Self.library([
        "api/thing.json": """
        { "request": { "method": "POST", "path": "/a" },
          "cases": { "ok": { "status": 200 }, "it": { \(line) } } }
        """
      ])
      let contract = library.contracts.first { $0.id == "api/thing" }
      switch contract?.case(named: "it")?.refusal {
      case .parameter(let condition): return ["\(condition.key): \(condition.expectation)"]
      case .body(let body, let isRequired):
        return ["body: \(body.tests.count), \(isRequired ? "required" : "may be empty")"]
      case nil: return ["nothing"]
      }
    }
  }

  @Test("which cases a pattern selects")
  func globs() throws {
    let cases = #""ok": { "status": 200 }, "slow": { "like": "ok", "delay": { "fixed": "1s" } }"#
    func contract(_ path: String) -> String {
      #"{ "request": { "method": "GET", "path": "\#(path)" }, "cases": { \#(cases) } }"#
    }
    let library = ContractLibrary(reading: [
      "dog/upstream.json": "{}", "dog/list.json": contract("/dogs"), "dog/a.json": contract("/a"),
      "dog-ceo/upstream.json": "{}", "dog-ceo/list.json": contract("/dogs"),
    ])
    try Self.expect("globs", near: NearInputs.ofText) { line in
      let glob = CaseGlob(line)
      let found = library.contracts.flatMap { contract in
        contract.cases.filter { [glob].selects(contract, $0) }.map { "\(contract.id)#\($0.name)" }
      }
      let traits = [
        glob.hasContract ? "has a contract" : nil, glob.hasCase ? "has a case" : nil,
        glob.matchesAll ? "matches all" : nil,
      ].compactMap(\.self)
      return ["\(found)"] + (traits.isEmpty ? [] : [traits.joined(separator: ", ")])
    }
  }

  /// With `⏎` for the end of a line.
  @Test("the parts of a form")
  func parts() throws {
    try Self.expect("parts", near: NearInputs.ofText) { line in
      BodyPart.all(in: Array(line.replacing("⏎", with: "\r\n").utf8)).map { part in
        let named = [("name", part.name), ("file", part.filename), ("type", part.contentType)]
          .compactMap { noun, value in value.map { "\(noun) \($0.debugDescription)" } }
        return (named + [part.body.text.debugDescription]).joined(separator: ", ")
      }
    }
  }

  @Test("times in templates")
  func moments() throws {
    // 2026-03-29 00:30:15.123456 UTC, half an hour before the clocks of Berlin change.
    let now = Moment(microseconds: 1_774_744_215_123_456)
    try Self.expect("moments", near: NearInputs.ofText) { line in
      do throws(Failure) {
        switch try MovingTime(line[...]).value(at: now) {
        case .text(let text): return ["text \(text)"]
        case .number(let number): return ["number \(number)"]
        }
      } catch {
        return ["\(error.message)\(error.fix.map { " (\($0))" } ?? "")"]
      }
    }
  }

  @Test("requests without their secrets")
  func masks() throws {
    let mask = SecretMask(seen: ["hush-0123456789"])
    try Self.expect("masked-requests") { line in
      let request = try Self.request(line)
      let masked = mask.masked(request)
      return Self.lines(masked)
    }
  }

  /// A method, a target, headers in braces, and a body: all but the first two may be missing.
  private static func request(_ line: String) throws -> Request {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    var (headers, body): ([HeaderField], [UInt8]) = ([], [])
    if words.count > 2 {
      let parts = try elements(words[2])
      headers = parts[0].members.map { HeaderField(name: $0.key, value: $0.value.string ?? "") }
      if parts.count > 1 {
        body = Array((parts[1].string ?? text(parts[1])).utf8)
        if body.starts(with: "gzip ".utf8) { body = [0x1F, 0x8B] + body.dropFirst(5) }
      }
    }
    return Request(words[0], words[1], headers: headers, body: body)
  }

  private static func lines(_ request: Request) -> [String] {
    [
      "\(request.method) \(request.path)\(request.query.map { "?\($0)" } ?? "")"
        + request.headers.map { " \($0.name): \($0.value)" }.joined()
    ] + (request.body.isEmpty ? [] : [String(decoding: request.body, as: UTF8.self)])
  }

  @Test("what is said of requests with secrets")
  func maskedDifferences() throws {
    let mask = SecretMask(seen: ["hush-0123456789"])
    let library = Self.library([
      "api/thing.json": #"""
      { "request": { "method": "PUT", "path": "/things/1",
          "parameters": { "query.page": "2", "query.token": "1", "header.Accept": "a",
            "header.X-Api-Key": "k" }, "body": { "text": "x" } },
        "cases": { "ok": { "status": 200 } } }
      """#,
      "api/choice.json": #"""
      { "request": { "method": "POST", "path": "/choices" }, "default": null,
        "cases": { "a": { "status": 200, "when": { "state": { "s": "on" },
          "request": { "query.key": "1", "body": { "equals": { "a": 1 } } } } } } }
      """#,
    ])
    try Self.expect("masked-differences") { line in
      let explanation = mask.masked(library.index.explain(try Self.request(line), countMax: 1))
      // Without its method.
      let shown = Self.lines(explanation.request).map { String($0.drop { $0 != " " }.dropFirst()) }
      return shown
        + explanation.nearMisses.flatMap { near in
          ["\(near.contract.id), \(near.distance)"] + near.differences.map { "- \($0)" }
        }
    }
  }
}
