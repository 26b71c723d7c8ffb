import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySuite
import UnderstudyTestSupport

/// Whatever has changed, an update of a case is whole or not there.
@Suite struct UpdatePropertyTests {
  @Test(
    "after an update drift is silent, lint is clean, and the fake serves what the API sent",
    arguments: 0..<12)
  func whole(seed: Int) async throws {
    var leftCount = 0
    for round in 0..<8 {
      var dice = Dice(seed: UInt64(seed * 100 + round))
      let stage = try UpdateStage(&dice)
      leftCount += try await stage.check()
    }
    // Of the 24 cases, few have what no edit can say.
    #expect(leftCount <= 4)
  }
}

/// A contract with three live cases, and what the API sends for each of them now.
private struct UpdateStage {
  private static let pages = ["ok": "1", "two": "2", "three": "3"]

  private let folder = TestFolder()
  private var contracts: String { "\(folder.path)/contracts" }
  private let contract: String
  private let live: [String: Response]

  private struct Response {
    var status = 200
    var headers = ["Content-Type": "application/json", "X-Kind": "thing"]
    var body: Sample
  }

  init(_ dice: inout Dice) throws {
    let isList = dice.below(3) == 0
    func body() -> Sample {
      isList
        ? .array((0..<dice.pick([1, 2, 3])).map { _ in Self.item(&dice) }) : Self.item(&dice)
    }
    let bodies = ["ok": body(), "two": body(), "three": body(), "own": body()]
    let isInherited = dice.below(2) == 0
    let old = bodies.mapValues(\.json)
    let ok = try #require(old["ok"])
    let samples = try (isInherited ? ["ok", "three", "own"] : Array(bodies.keys).sorted()).map {
      try JSONDocument(parsing: old[$0] ?? "").root
    }
    let schema =
      dice.below(4) == 0 ? "" : ", \"schema\": \(InferredSchema(samples: samples).text.laidOut())"
    func ownBody(_ name: String) -> String { ", \"body\": \(old[name] ?? "")" }
    contract = """
      {
        "summary": "A thing",
        "request": {
          "method": "GET", "path": "/things/{page}", "parameters": { "path.page": { "example": "1" } }
        },
        "cases": {
          "ok": {
            "status": 200,
            "headers": { "Content-Type": "application/json", "X-Kind": "thing" },
            "body": \(ok)\(schema), "live": {}
          },
          "two": {
            "like": "ok"\(isInherited ? "" : ownBody("two")),
            "live": { "parameters": { "path.page": "2" } }
          },
          "three": {
            "like": "ok"\(ownBody("three")), "live": { "parameters": { "path.page": "3" } }
          },
          "own": { "like": "ok"\(ownBody("own")) },
          "cut-short": { "like": "ok", "malform": { "truncateAt": \(ok.utf8.count / 2) } },
          "late": { "like": "three", "delay": { "fixed": "1s" } },
          "reset": { "fault": "CONNECTION_RESET_BY_PEER" }
        },
        "waive": { "no-404-case": "no page is missing", "no-empty-case": "there is always a tag" }
      }

      """
    // The same change in all responses, or in some.
    let mutation = Mutation(&dice, isList: isList)
    var live: [String: Response] = [:]
    for name in Self.pages.keys.sorted() {
      let source = name == "two" && isInherited ? "ok" : name
      var response = Response(body: bodies[source] ?? .null)
      if dice.below(4) > 0 { mutation.apply(to: &response.body, &dice) }
      if dice.below(6) == 0 { Mutation(&dice, isList: isList).apply(to: &response.body, &dice) }
      if dice.below(8) == 0 { response.status = 201 }
      if dice.below(8) == 0 { response.headers["X-Kind"] = dice.pick([nil, "other"]) }
      live[name] = response
    }
    self.live = live
  }

  private static func item(_ dice: inout Dice) -> Sample {
    var members: [(String, Sample)] = [
      ("id", .number(dice.below(1000))), ("name", .string(dice.pick(["Ann", "Bob", "Cy"]))),
      ("at", .string("2026-0\(1 + dice.below(9))-11T10:00:00Z")),
      ("tags", .array((0..<1 + dice.below(3)).map { .string("tag \($0)") })),
      ("owner", .object([("name", .string("O")), ("age", .number(dice.below(90)))])),
    ]
    if dice.below(2) == 0 { members.append(("note", .string("x"))) }
    return .object(members)
  }

  /// Updates the contract, checks what has become of it, and returns how many cases were left.
  func check() async throws -> Int {
    for (name, text) in files {
      try folder.write(Array(text.utf8), "\(contracts)/\(name)")
    }
    let before = try ContractLibrary.load([contracts])
    try #require(before.findings.isEmpty, "\(before.findings)\n\(contract)")
    let server = try await FakeServer.start(upstream)
    let url = try #require(server.baseURL(of: "things"))
    let first = try await drift(against: url, isUpdating: true)
    let second = try await drift(against: url, isUpdating: false)
    let served = try await served(by: before)
    await server.close()
    let after = try ContractLibrary.load([contracts])
    let story = try story(first.leftOver)
    // What is waived may now be unfounded; the update says so.
    #expect(after.findings.map(\.description) == first.lint.map(\.description), "\(story)")
    let rest = after.findings.filter { $0.type != .unusedWaiver }
    #expect(rest.map(\.description) == [], "\(story)")
    let left = Set(first.leftOver.map(\.caseID))
    for check in second.report.checks where !left.contains(check.identity.caseID) {
      #expect(check.result == .pass && check.findings.isEmpty, "\(check.text)\n\(story)")
    }
    let servedNow = try await self.served(by: after)
    for (name, response) in live where !left.contains("things/thing#\(name)") {
      // What has not changed in kind keeps its values, or those of the case that it is like.
      let check = first.report.checks.first { $0.identity.caseID == "things/thing#\(name)" }
      let isSame = check?.findings.allSatisfy { $0.path == nil } ?? false
      let others = [served[name] ?? []] + live.values.map { Array($0.body.json.utf8) }
      let allowed = try ([Array(response.body.json.utf8)] + (isSame ? others : [])).map {
        try JSONDocument(parsing: $0).root
      }
      let root = try JSONDocument(parsing: servedNow[name] ?? []).root
      #expect(allowed.contains { $0.isEqual(to: root) }, "\(name): \(response.body.json)\n\(story)")
    }
    return left.count
  }

  private var files: [String: String] {
    [
      "things/upstream.json": """
      { "summary": "Things", "baseURL": "https://things.example" }
      """,
      "things/thing.json": contract,
    ]
  }

  /// What stands for the live API.
  private var upstream: ContractLibrary {
    let cases = live.sorted { $0.key < $1.key }.map { name, response in
      let headers = response.headers.sorted { $0.key < $1.key }.map {
        "\($0.key.quoted): \($0.value.quoted)"
      }
      return """
        "\(name)": { "status": \(response.status), "headers": { \(headers.joined(separator: ", ")) },
          "body": \(response.body.json),
          "when": { "request": { "path.page": "\(Self.pages[name] ?? "")" } } }
        """
    }
    return ContractLibrary(reading: [
      "things/upstream.json": #"{ "summary": "Things" }"#,
      "things/thing.json": """
      { "summary": "A thing", "request": { "method": "GET", "path": "/things/{page}" },
        "cases": { \(cases.joined(separator: ",")) } }
      """,
    ])
  }

  private func drift(
    against url: String, isUpdating: Bool
  ) async throws -> (report: Report, leftOver: [ContractUpdate.Remainder], lint: [Finding]) {
    var options = DriftSession.Options()
    options.folder = "\(folder.path)/drift"
    options.baseURLs["things"] = WebURL(base: url)
    options.configuration.confirmPause = .zero
    let session = try DriftSession(
      ContractLibrary.load([contracts]), ConsumerRegistry([]), options, environment: { _ in nil },
      warn: { _, _ in })
    let outcome = session.outcome(of: await session.responses(), toolVersion: "1.2.3")
    guard isUpdating else { return (outcome.report, [], []) }
    let trial = try await session.update(.update, after: outcome)
    for file in trial.update.files { try file.write() }
    withExtendedLifetime(session) {}
    return (outcome.report, trial.update.leftOver, trial.lintFindings)
  }

  /// The bodies that a fake sends for the live requests.
  private func served(by library: ContractLibrary) async throws -> [String: [UInt8]] {
    let server = try await FakeServer.start(library)
    let url = try #require(server.baseURL(of: "things"))
    var connection = CurlConfiguration()
    connection.ignoresProxies = true
    let transport = CurlTransport(connection)
    var bodies: [String: [UInt8]] = [:]
    for (name, page) in Self.pages {
      bodies[name] = try await transport.send(ClientRequest(url: "\(url)/things/\(page)")).body
    }
    await transport.close()
    await server.close()
    return bodies
  }

  private func story(_ leftOver: [ContractUpdate.Remainder]) throws -> String {
    let file = "\(contracts)/things/thing.json"
    let text = String(decoding: try FileRoot(contracts).read(file), as: UTF8.self)
    return TextDiff.unified(contract, text)
      + live.map { "\n\($0.key): \($0.value.body.json)" }.joined()
      + leftOver.map { "\nleft \($0.caseID): \($0.reason)" }.joined()
  }
}

/// One way in which an API changes.
private enum Mutation {
  case remove(String)
  case add(String, Sample)
  case rename(String)
  case set(String, Sample)
  case wrap
  case unwrap
  case listed
  case grown
  case inside

  init(_ dice: inout Dice, isList: Bool) {
    let name = dice.pick(["id", "name", "at", "tags", "owner", "note"])
    let values: [Sample] = [
      .null, .bool(true), .number(7), .string("2026-01-01"), .string("z"), .array([.number(1)]),
      .array([.object([("a", .number(1))])]), .object([("b", .null)]),
      .object([("c", .object([("d", .array([.string("e")]))]))]),
    ]
    switch dice.below(10) {
    case 0, 1: self = .remove(name)
    case 2: self = .add("rank", dice.pick(values))
    case 3: self = .rename(name)
    case 4, 5: self = .set(name, dice.pick(values))
    case 6: self = .wrap
    case 7: self = isList ? .unwrap : .listed
    case 8: self = .grown
    default: self = .inside
    }
  }

  func apply(to body: inout Sample, _ dice: inout Dice) {
    switch (self, body) {
    case (.wrap, _): body = .object([("thing", body)])
    case (.listed, _): body = .array([body])
    case (.unwrap, .array(let elements)): body = elements.first ?? .null
    case (.grown, .array(let elements)): body = .array(elements + elements + elements)
    case (_, .array(var elements)):
      for place in elements.indices where dice.below(3) > 0 || place == 0 {
        apply(to: &elements[place], &dice)
      }
      body = .array(elements)
    case (_, .object(let members)): body = .object(changed(members))
    default: break
    }
  }

  private func changed(_ members: [(String, Sample)]) -> [(String, Sample)] {
    switch self {
    case .remove(let name): return members.filter { $0.0 != name }
    case .add(let name, let value): return members + [(name, value)]
    case .rename(let name): return members.map { ($0.0 == name ? "new-\(name)" : $0.0, $0.1) }
    case .set(let name, let value): return members.map { ($0.0, $0.0 == name ? value : $0.1) }
    case .inside:
      return members.map { name, value in
        guard case .object(let inner) = value else { return (name, value) }
        return (name, .object(inner.dropLast() + [("more", .number(1))]))
      }
    default: return members
    }
  }
}
