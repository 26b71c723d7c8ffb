import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySecrets

/// Makes contracts from stub mappings: one for each method and path.
///
/// The folder reads and writes WireMock's stub mappings. Read `WireMockStub`; this file, which
/// groups stubs by method and path; `WireMockURL`, `WireMockMatcher`, `WireMockBody` and
/// `WireMockResponse`, which translate the parts of a stub; `WireMockEndpoint`, which makes a
/// contract of a group; then `WireMockPlan`. `StubReader` does this for single stubs of a running
/// server. `WireMockExport` and `WireMockStubText` are the way back, and `WireMockOrigin`
/// recognises what they wrote.
///
/// A stub with a condition that no contract can express is left out as a whole: without the
/// condition it would match more requests. Where a contract matches other requests than its stubs,
/// a note says so.
struct WireMockImport {
  private let source: ImportSource
  /// Whether every response has expressions, not only those of stubs that say so.
  private let isTemplated: Bool
  /// Whether conditions have secrets as they are, since nothing is written.
  private let keepsSecrets: Bool
  /// Whether somebody has already looked for what is not served.
  private let isChecked: Bool
  private var originals: [WireMockContract] = []
  private var endpoints: [WireMockEndpoint] = []
  private var places: [[String]: Int] = [:]
  private(set) var notes: [ImportNote] = []
  /// What the stubs were exported with, if all of them are as they were.
  private(set) var upstream: ContractOrigin.Upstream?

  init(
    _ source: ImportSource, isTemplated: Bool = false, keepsSecrets: Bool = false,
    isChecked: Bool = false
  ) throws(Failure) {
    self.source = source
    self.isTemplated = isTemplated
    self.keepsSecrets = keepsSecrets
    self.isChecked = isChecked
    var stubs: [WireMockStub] = []
    for document in source.documents {
      stubs += try WireMockStub.all(in: document, from: stubs.count)
      notes += StubForm.problems(around: document.root).map(document.note)
    }
    let unchanged = restore(stubs)
    if unchanged.count < stubs.count { upstream = nil }
    for stub in stubs where !unchanged.contains(stub.number) { add(stub) }
    notes += WireMockPrecedence(endpoints).notes
  }

  /// Takes back the contracts of which all stubs are as they were exported; returns their numbers.
  private mutating func restore(_ stubs: [WireMockStub]) -> Set<Int> {
    var groups: [String: [(origin: WireMockOrigin, stub: WireMockStub)]] = [:]
    var order: [String] = []
    for stub in stubs {
      guard let origin = WireMockOrigin(of: stub) else { continue }
      if groups[origin.contract] == nil { order.append(origin.contract) }
      groups[origin.contract, default: []].append((origin, stub))
    }
    var restored: Set<Int> = []
    for name in order {
      let group = groups[name] ?? []
      guard Set(group.map(\.origin.number)).count == group.count,
        group.allSatisfy({ $0.origin.count == group.count }),
        let first = group.first(where: { $0.origin.source != nil }),
        let source = first.origin.source
      else { continue }
      var files: [(path: String, bytes: [UInt8])] = []
      for path in first.origin.files {
        guard let bytes = try? body(path, of: first.stub)
        else { continue }
        files.append((path, bytes))
      }
      originals.append(
        WireMockContract(
          draft: ContractDraft(named: name, of: source, files: files), stubs: group.map(\.stub)))
      restored.formUnion(group.map(\.stub.number))
      upstream = upstream ?? group.lazy.compactMap(\.origin.upstream).first
    }
    return restored
  }

  private func body(_ path: String, of stub: WireMockStub) throws(Failure) -> [UInt8] {
    try source.file(at: path, in: WireMockLibrary.bodiesFolder(of: stub.document.file))
  }

  private mutating func add(_ stub: WireMockStub) {
    guard let request = stub.request, request.kind == .object else {
      notes.append(stub.note(.leftOut, because: "it has no request"))
      return
    }
    let problems = isChecked ? [] : StubForm.problems(in: stub.value)
    if problems.contains(where: \.isGrave) {
      notes += problems.map(stub.note)
      return
    }
    var unusable: String?
    do throws(WireMockStub.Unusable) {
      let url = try WireMockURL(request)
      let body = try WireMockBody(request)
      let parameters = try parameters(request, stub)
      var seen: Set<ImportNote> = []
      notes += (url.notes + body.notes).map { stub.note($0.kind, $0.pointer, because: $0.reason) }
        .filter { seen.insert($0).inserted }
      for method in try methods(request) {
        for variant in url.variants {
          insert(
            WireMockCandidate(
              stub: stub, method: method, path: variant.path,
              parameters: Self.joined(variant.parameters + parameters), body: body.written))
        }
      }
    } catch {
      unusable = error.pointer
      notes.append(stub.note(.leftOut, error.pointer, because: error.reason))
    }
    notes += problems.filter { $0.pointer != unusable }.map(stub.note)
  }

  /// One condition for each key: a URL and a matcher may ask for the same parameter.
  private static func joined(
    _ all: [(key: String, condition: JSONText)]
  ) -> [(key: String, condition: JSONText)] {
    var joined: [(key: String, condition: JSONText)] = []
    var places: [String: Int] = [:]
    for (key, condition) in all {
      guard let place = places[key] else {
        places[key] = joined.count
        joined.append((key, condition))
        continue
      }
      guard let both = condition.joined(with: joined[place].condition) else {
        joined.append((key, condition))
        continue
      }
      if joined[place].condition != condition { joined[place].condition = both }
    }
    return joined
  }

  private func methods(_ request: JSONValue) throws(WireMockStub.Unusable) -> [String] {
    if let names = request["method"]?["oneOf"]?.elements.compactMap(\.string) {
      guard !names.isEmpty else {
        throw WireMockStub.Unusable("/request/method", "the matcher is empty")
      }
      return names
    }
    let name = request["method"]?.string ?? "ANY"
    if name == "ANY" { return RequestPattern.methods }
    guard RequestPattern.methods.contains(name) else {
      throw WireMockStub.Unusable("/request/method", "a contract has no method \(name)")
    }
    return [name]
  }

  private mutating func insert(_ candidate: WireMockCandidate) {
    let key = [candidate.method] + candidate.path.shape
    if let place = places[key] {
      endpoints[place].add(candidate)
    } else {
      places[key] = endpoints.count
      endpoints.append(WireMockEndpoint(candidate))
    }
  }

  // MARK: - Conditions

  private static let unusable = [
    "customMatcher": "a custom matcher is code", "clientIp": "requests come from this machine",
    "port": "a contract has no port", "scheme": "the fake speaks HTTP",
  ]

  private mutating func parameters(
    _ request: JSONValue, _ stub: WireMockStub
  ) throws(WireMockStub.Unusable) -> [(key: String, condition: JSONText)] {
    for (key, reason) in Self.unusable.sorted(by: { $0.key < $1.key })
    where request[key] != nil && !(key == "scheme" && request[key]?.string == "http") {
      throw WireMockStub.Unusable("/request/\(key)", reason)
    }
    var all: [(key: String, condition: JSONText)] = []
    if let host = request["host"], !host.isNull {
      guard let name = try WireMockMatcher(pointer: "/request/host").condition(host).root?.string
      else { throw WireMockStub.Unusable("/request/host", "a host is compared by its text alone") }
      all.append(
        (
          "header.Host",
          ["matches": "^\(JavaPattern.escaped(name))(?::[0-9]+)?$"]
        ))
    }
    for member in (request["pathParameters"] ?? .null).members {
      let place = "/request/pathParameters/\(member.key.escapedForPointer)"
      all.append(
        (
          "path.\(member.key.parameterName)",
          try WireMockMatcher(pointer: place).condition(member.value)
        ))
    }
    for member in (request["queryParameters"] ?? .null).members {
      let place = "/request/queryParameters/\(member.key.escapedForPointer)"
      all.append(
        ("query.\(member.key)", try WireMockMatcher(pointer: place).condition(member.value)))
    }
    for member in (request["headers"] ?? .null).members {
      let place = "/request/headers/\(member.key.escapedForPointer)"
      var condition = try WireMockMatcher(pointer: place).condition(member.value)
      if !keepsSecrets, let text = condition.root?.string,
        SecretScan.isSecret(header: member.key, text)
      {
        condition = masked(text)
        notes.append(stub.note(.masked, place, because: "it is secret"))
      }
      all.append(("header.\(member.key)", condition))
    }
    if let cookies = request["cookies"] { all += try self.cookies(cookies, stub) }
    if let credentials = request["basicAuthCredentials"] ?? request["basicAuth"], keepsSecrets {
      let text = "\(credentials["username"]?.string ?? ""):\(credentials["password"]?.string ?? "")"
      all.append(("header.Authorization", .string("Basic \(Base64.encode(Array(text.utf8)))")))
    } else if request["basicAuthCredentials"] != nil || request["basicAuth"] != nil {
      all.append(("header.Authorization", masked("Basic ")))
      notes.append(stub.note(.masked, "/request/basicAuthCredentials", because: "it is secret"))
    }
    return all
  }

  /// A condition on the scheme of credentials alone.
  private func masked(_ value: String) -> JSONText {
    let scheme = value.prefix { $0 != " " }
    guard scheme.endIndex < value.endIndex else { return ["absent": false] }
    return ["matches": "^\(JavaPattern.escaped(String(scheme))) "]
  }

  private func cookies(
    _ cookies: JSONValue, _ stub: WireMockStub
  ) throws(WireMockStub.Unusable) -> [(key: String, condition: JSONText)] {
    var condition: JSONText?
    for member in cookies.members.reversed() {
      let place = "/request/cookies/\(member.key.escapedForPointer)"
      let asked = try WireMockMatcher(pointer: place).condition(member.value)
      guard let read = asked.root, let own = WireMockCookie(member.key).condition(read) else {
        throw WireMockStub.Unusable(place, "a cookie is compared by its text or a pattern")
      }
      guard let both = own.joined(with: condition) else {
        throw WireMockStub.Unusable(place, "only patterns can be negated together")
      }
      condition = both
    }
    return condition.map { [("header.Cookie", $0)] } ?? []
  }

  // MARK: - Contracts

  mutating func contracts() -> [WireMockContract] {
    var names = UniqueNames(taken: originals.map(\.draft.name) + ["upstream"])
    // A stub for any method is in several contracts.
    var noted = Set(notes)
    var all = originals
    for endpoint in endpoints {
      var contract = endpoint.contract { candidate, path throws(WireMockStub.Unusable) in
        let template = WireMockTemplate(
          path: candidate.path, shown: path, method: candidate.method,
          query: candidate.queryNames, pointer: "/response",
          parameters: candidate.stub.response?["transformerParameters"])
        var response = try WireMockResponse(
          candidate.stub.response ?? .null, template: template, isTemplated: isTemplated,
          bodyFile: { name throws(Failure) in
            try body(name, of: candidate.stub)
          })
        response.add(WireMockCallbacks(of: candidate.stub.value, template))
        return response
      }
      notes += contract.notes.filter { noted.insert($0).inserted }
      guard !contract.draft.cases.isEmpty else { continue }
      contract.draft.name = names.name(contract.draft.name)
      all.append(contract)
    }
    return all
  }
}

extension WireMockURL.Variant {
  fileprivate var parameters: [(key: String, condition: JSONText)] {
    query.map { ("query.\($0.name)", $0.condition) }
      + (furtherQuery == .forbidden ? [("query.*", ["absent": true])] : [])
  }
}
