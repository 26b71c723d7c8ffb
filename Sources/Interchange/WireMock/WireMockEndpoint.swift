import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// One method and path of a stub, with what it asks and responses.
struct WireMockCandidate {
  let stub: WireMockStub
  let method: String
  let path: WireMockURL.Path
  /// Conditions on query and headers, by key: `query.page`.
  var parameters: [(key: String, condition: JSONText)]
  var body: JSONText?

  /// How WireMock orders stubs: lower priorities first, then the newest.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    (left.stub.priority, right.stub.number) < (right.stub.priority, left.stub.number)
  }

  /// The names of the query parameters that it has conditions on.
  var queryNames: [String] {
    parameters.map(\.key).filter { $0.hasPrefix("query.") && $0 != "query.*" }.map {
      String($0.dropFirst("query.".count))
    }
  }

  /// What the stub asks of the state: that its scenario is where it must be.
  var state: JSONText? {
    guard let scenario = stub.scenario, let required = stub.value["requiredScenarioState"]?.string
    else { return nil }
    // The value is compared as it is; names and new values may have expressions.
    return .object([
      (WireMockTemplate.plain(scenario), required == Self.start ? .null : .string(required))
    ])
  }

  /// What it makes of the state.
  var change: JSONText? {
    guard let scenario = stub.scenario, let new = stub.value["newScenarioState"]?.string else {
      return nil
    }
    return .object([
      (
        WireMockTemplate.plain(scenario),
        new == Self.start ? .null : .string(WireMockTemplate.plain(new))
      )
    ])
  }

  /// A scenario begins so, which is a state that was never set.
  private static let start = "Started"
}

/// The stubs for one method and shape of path, which become a contract.
struct WireMockEndpoint {
  let method: String
  /// With the names that the contract's parameters have.
  private(set) var path: WireMockURL.Path
  private(set) var candidates: [WireMockCandidate] = []

  init(_ first: WireMockCandidate) {
    method = first.method
    path = first.path
    add(first)
  }

  mutating func add(_ candidate: WireMockCandidate) {
    for (index, name) in candidate.path.names where path.names[index] == nil {
      path.names[index] = name
    }
    candidates.append(candidate)
  }

  /// `things-id`, with the method unless it is GET.
  var stem: String {
    let words = path.segments.enumerated().map { ($1?.decodedQuery ?? path.name(of: $0)).slug }
    let named = (words + (path.hasTail ? ["rest"] : [])).filter { !$0.isEmpty }
    let stem = named.isEmpty ? "root" : named.joined(separator: "-")
    return method == "GET" ? stem : "\(method.lowercased())-\(stem)"
  }

  /// A contract, and what did not fit.
  func contract(
    _ response: (WireMockCandidate, WireMockURL.Path) throws(WireMockStub.Unusable) ->
      WireMockResponse
  ) -> WireMockContract {
    var contract = WireMockContract(method: method, path: path.template)
    var served: [(candidate: WireMockCandidate, response: WireMockResponse)] = []
    for candidate in candidates.sorted(by: WireMockCandidate.precedes) {
      do throws(WireMockStub.Unusable) {
        let response = try response(candidate, path)
        contract.notes += response.notes.map { candidate.stub.note($0, $1, because: $2) }
        served.append((candidate, response))
      } catch {
        contract.notes.append(
          candidate.stub.note(.leftOut, error.pointer, because: error.reason))
      }
    }
    guard !served.isEmpty else { return contract }
    let conditions = served.map { self.conditions(of: $0.candidate) }
    let common = Self.common(conditions)
    let bodies = Set(served.map { $0.candidate.body })
    let body = bodies.count == 1 ? bodies.first ?? nil : nil
    contract.parameters = common
    contract.body = body
    let commonKeys = Set(common.map(\.key))
    var hasDefault = false
    var asked: Set<JSONText> = []
    for (index, (candidate, response)) in served.enumerated() {
      let own = conditions[index].filter { !commonKeys.contains($0.key) }
      let ownBody = body == nil ? candidate.body : nil
      let request = own.map { ($0.key, $0.condition as JSONText?) } + [("body", ownBody)]
      let asks = !own.isEmpty || ownBody != nil
      var when: JSONText?
      if asks || candidate.state != nil {
        when = .object([("request", asks ? .object(request) : nil), ("state", candidate.state)])
      }
      let isAsked = when.map { !asked.insert($0).inserted } ?? false
      if hasDefault || isAsked {
        contract.notes.append(
          candidate.stub.note(.skipped, because: "an earlier stub matches all of its requests"))
        when = nil
      }
      let isDefault = when == nil && !hasDefault && !isAsked
      contract.add(candidate, response, when: when, isDefault: isDefault)
      hasDefault = hasDefault || isDefault
    }
    return contract
  }

  private func conditions(
    of candidate: WireMockCandidate
  ) -> [(key: String, condition: JSONText)] {
    let patterns = candidate.path.patterns.sorted { $0.key < $1.key }.map { index, pattern in
      (
        key: "path.\(path.name(of: index))",
        condition: JSONText.object([("matches", .string(pattern))])
      )
    }
    return patterns + candidate.parameters
  }

  private struct Asked: Hashable {
    let key: String
    let condition: JSONText

    init(_ asked: (key: String, condition: JSONText)) {
      (key, condition) = (asked.key, asked.condition)
    }
  }

  /// The conditions that all have. That there is no further query parameter is only common where
  /// all name the same ones.
  private static func common(
    _ all: [[(key: String, condition: JSONText)]]
  ) -> [(key: String, condition: JSONText)] {
    guard let first = all.first else { return [] }
    let shared = all.dropFirst().reduce(into: Set(first.map(Asked.init))) { shared, own in
      shared.formIntersection(own.map(Asked.init))
    }
    var common = first.filter { shared.contains(Asked($0)) }
    let keys = Set(common.map(\.key))
    let hasOtherQuery = all.contains {
      $0.contains { $0.key.hasPrefix("query.") && !keys.contains($0.key) }
    }
    if hasOtherQuery { common.removeAll { $0.key == "query.*" } }
    return common
  }
}

/// A contract made of stubs, before it is written.
struct WireMockContract {
  struct Case {
    let name: String
    let status: Int?
    let json: JSONText
  }

  let method: String
  let path: String
  var parameters: [(key: String, condition: JSONText)] = []
  var body: JSONText?
  private(set) var cases: [Case] = []
  private var names = UniqueNames()
  private var defaultName: String?
  private(set) var files: [(path: String, bytes: [UInt8])] = []
  private var filePaths: Set<String> = []
  /// The stubs of its cases, in order.
  private(set) var stubs: [WireMockStub] = []
  var notes: [ImportNote] = []
  /// How many names were tried for its cases, for tests.
  var nameStepCount: Int { names.stepCount }
  /// The text of a contract that was exported.
  private var original: JSONValue?

  init(method: String, path: String) {
    self.method = method
    self.path = path
  }

  /// A contract as it was before it was exported.
  init(
    original: JSONValue, files: [(path: String, bytes: [UInt8])], stubs: [WireMockStub]
  ) {
    self.original = original
    self.files = files
    self.stubs = stubs
    method = original["request"]?["method"]?.string ?? ""
    path = original["request"]?["path"]?.string ?? ""
    cases = (original["cases"] ?? .null).members.map {
      Case(name: $0.key, status: $0.value["status"]?.int, json: .value($0.value))
    }
  }

  mutating func add(
    _ candidate: WireMockCandidate, _ response: WireMockResponse, when: JSONText?, isDefault: Bool
  ) {
    let stub = candidate.stub
    let wanted = stub.name?.slug ?? ""
    let name = names.name(wanted.isEmpty ? response.stem : String(wanted.prefix(60)))
    if isDefault { defaultName = name }
    let origin = JSONText.object([
      ("id", stub.id.map { .string($0) }), ("metadata", stub.value["metadata"].map { .value($0) }),
    ])
    let members: [(String, JSONText?)] =
      [("summary", stub.name.map { .string($0) }), ("when", when), ("then", candidate.change)]
      + response.members.map { ($0.key, $0.value) }
      + [("x-wiremock", origin == .emptyObject ? nil : origin)]
    cases.append(
      Case(name: name, status: response.isFaultOnly ? nil : response.status, json: .object(members))
    )
    stubs.append(stub)
    if let file = response.file, filePaths.insert(file.path).inserted { files.append(file) }
  }

  /// By which a contract tells where it comes from, and that another import may replace it.
  static let originKey = "x-import"
  static let origin = "wiremock"

  /// As the file has it. Without a default case, a request that no case asks for is not served.
  var json: JSONText {
    if let original { return .value(original) }
    let isFirst = defaultName == cases.first?.name
    return .object([
      ("summary", .string("Imported from WireMock: \(method) \(path)")),
      (
        "request",
        .object([
          ("method", .string(method)), ("path", .string(path)),
          (
            "parameters",
            parameters.isEmpty ? nil : .object(parameters.map { ($0.key, $0.condition) })
          ),
          ("body", body),
        ])
      ),
      ("default", isFirst ? nil : defaultName.map { .string($0) } ?? .null),
      ("cases", .object(cases.map { ($0.name, $0.json) })),
      (Self.originKey, .string(Self.origin)),
    ])
  }
}
