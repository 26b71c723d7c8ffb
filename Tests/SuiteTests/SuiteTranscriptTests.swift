import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyFakeServer
@testable import UnderstudySuite

/// Each rule of a run at its limits: the files of `Fixtures/Transcripts`.
@Suite struct SuiteTranscriptTests {
  private static func expect(
    _ name: String, near: (String) -> [String] = { _ in [] },
    _ outcome: (String) throws -> [String]
  ) throws {
    let transcript = try Transcript(name, near: near, outcome)
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }

  private static func json(_ text: String) throws -> JSONValue {
    try JSONDocument(parsing: Array(text.utf8)).root
  }

  // MARK: - Mutants

  @Test("mutants, what is demanded, and what becomes of the body")
  func mutants() throws {
    try Self.expect("mutants", near: NearInputs.ofJSON) { line in
      let body = try JSONDocument(parsing: Array(line.utf8))
      let reads = ReadPaths()
      Self.read(body.root, at: [], into: reads)
      let plan = MutantPlan(
        of: body, reads: reads, tolerances: [Tolerance(tokens: ["r", "*"], mutations: [.null])])
      let response = ClientResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: body.bytes, url: "u")
      return plan.mutants.map { mutant in
        let mutated = mutant.applied(to: response, body: body)
        let type = mutated?.headers["Content-Type"] == "application/json" ? "" : " as HTML"
        return "\(mutant.name) \(mutant.demand)\(type): \(mutated.map(Self.shown) ?? "nothing")"
      }
    }
  }

  private static func read(_ value: JSONValue, at steps: [ReadPaths.Step], into reads: ReadPaths) {
    reads.add(steps, value.kind == .object || value.kind == .array ? .opened : .taken)
    for member in value.members where member.key != "u" {
      let inner = steps + [.key(member.key)]
      if member.key == "t" {
        reads.add(inner, .tested)
      } else {
        read(member.value, at: inner, into: reads)
      }
    }
    for element in value.elements { read(element, at: steps + [.element], into: reads) }
  }

  private static func shown(_ response: ClientResponse) -> String {
    let text = String(decoding: response.body, as: UTF8.self)
    return text.count < 90 ? text : "\(text.prefix(20))… of \(response.body.count)"
  }

  @Test("checks of outcomes")
  func comparisons() throws {
    try Self.expect("checks") { line in
      let words = line.split(separator: " ").map(String.init)
      let outcome: ConsumerOutcome =
        switch words[0] {
        case "value": .value(try Self.json(words[1]))
        case "error": .error(ConsumerError(words[1]))
        case "undeclared": .undeclared("ouch")
        case "unreadable": .unreadable("1:1: it is odd")
        default: .notStarted("no such file")
        }
      return try [Mutant.Demand.error, .errorOrSameValue, .sameValue, .any].map { demand in
        let comparison = MutantComparison(
          outcome, of: Mutant(.html, demand), expected: try Self.json("7"), errorNames: ["known"])
        return "\(demand): \(comparison.map { "\($0.type.rawValue) \($0.message)" } ?? "fine")"
      }
    }
  }

  @Test("places of maps")
  func maps() throws {
    let places: [[ReadPaths.Step]] = [
      [], [.key("m")], [.key("l")], [.element], [.key("m"), .element], [.element, .key("l")],
      [.element, .key("l"), .element], [.key("m"), .element, .key("n")],
    ]
    try Self.expect("maps", near: NearInputs.ofJSON) { line in
      let (bodies, schema) = (try Self.json(line)[0] ?? .null, try Self.json(line)[1] ?? .null)
      let cases = bodies.elements.enumerated().map { number, body in
        let text = String(decoding: body.compact, as: UTF8.self)
        let isFirst = number == 0 && !schema.isNull
        let more =
          isFirst ? #", "schema": \#(String(decoding: schema.compact, as: UTF8.self))"# : ""
        return #""c\#(number)": { "status": 200, "body": \#(text)\#(more) }"#
      }
      let library = ContractLibrary(reading: [
        "api/upstream.json": "{}",
        "api/a.json": """
        { "request": { "method": "GET", "path": "/a" }, "cases": { \(cases.joined(separator: ",")) } }
        """,
      ])
      guard let contract = library.contracts.first else { return ["not read"] }
      let maps = MapPlaces(of: contract.cases[0], in: contract)
      return places.filter(maps.contain).map { place in
        place.isEmpty
          ? "the whole"
          : place.map { if case .key(let key) = $0 { key } else { "*" } }.joined(separator: "/")
      }
    }
  }

  // MARK: - Checks

  private static func plan(_ library: ContractLibrary) -> SuitePlan {
    SuitePlan(library, ConsumerRegistry([SmallSuite.good]))
  }

  @Test("requests of a check")
  func journals() throws {
    let checks = Self.plan(SmallSuite.library).checks
    try Self.expect("requests") { line in
      let colon = try #require(line.firstIndex(of: ":"))
      let check = try #require(checks.first { $0.served.name == line[..<colon] })
      let parts = line[colon...].dropFirst(2).replacing(" …", with: "").split(separator: ",")
        .map { $0.drop { $0 == " " } }
      let refused = parts.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
      let journal = parts.filter { !$0.hasPrefix("!") }.map(Self.entry)
      let findings = RequestComparison(
        check, journal, refused: refused, brokenHandshakeCount: 0,
        hasEnded: !line.hasSuffix(" …"), SmallSuite.library.index
      ).findings
      return findings.map { finding in
        "\(finding.severity) \(finding.type.rawValue) \(finding.message)"
          + (finding.fix.map { " (\($0))" } ?? "")
      }
    }
  }

  private static func entry(_ text: Substring) -> JournalEntry {
    let words = text.split(separator: " ")
    let names = words[0].split(separator: "#", omittingEmptySubsequences: false)
    let isServed = names.count == 2
    var record = JournalRecord(sequence: 1, receivedAt: .epoch)
    record.reason = words.count > 1 ? JournalRecord.Reason(rawValue: String(words[1])) : nil
    record.outcome = .responded
    record.isUnmatched = !isServed
    guard isServed else {
      return JournalEntry(record, Request(String(words[0]), String(words[1])), served: nil)
    }
    return JournalEntry(
      record, Request("GET", "/joke/v1/random"),
      served: ServedCase(contract: String(names[0]), caseName: String(names[1])))
  }

  @Test("time limits of a check")
  func limits() throws {
    try Self.expect("limits") { line in
      let bar = try #require(line.range(of: " | "))
      let library = ContractLibrary(reading: [
        "consumers.json":
          #"{ "jokes.random": { "upstreams": ["joke"], "errors": { "e": null } } }"#,
        "joke/upstream.json": "{}",
        "joke/random.json": """
        { "request": { "method": "GET", "path": "/a" }, "cases": { "it": { \(line[..<bar.lowerBound]),
          "expect": { "jokes.random": { \(line[bar.upperBound...]) } } } } }
        """,
      ])
      guard let check = Self.plan(library).checks.first else {
        return library.findings.map(\.message)
      }
      let limit = check.timeMax(timeScale: 0.1, guardTime: .seconds(30))
      return ["\(check.expectsTimeout), \(check.delayMax), \(limit)"]
    }
  }
}
