import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON
import UnderstudySystem

// Scenarios, files, and the server itself.
extension AdminWork {
  private static let start = "Started"
  private static let upstream = WireMockLibrary.upstreamName

  private struct Scenario {
    let name: String
    var states: [String]
    var stubs: [StubTable.Stub]
  }

  /// The scenarios, in the order of their first stubs.
  private var knownScenarios: [Scenario] {
    var scenarios: [Scenario] = []
    for stub in table.stubs {
      guard let name = stub.scenario else { continue }
      let states = ["requiredScenarioState", "newScenarioState"].compactMap {
        stub.value[$0]?.string
      }
      let place = scenarios.firstIndex { $0.name == name } ?? scenarios.count
      if place == scenarios.count {
        scenarios.append(Scenario(name: name, states: [], stubs: []))
      }
      for state in states where !scenarios[place].states.contains(state) {
        scenarios[place].states.append(state)
      }
      scenarios[place].stubs.append(stub)
    }
    return scenarios
  }

  func listScenarios() -> OwnResponse {
    let state = server.state(of: Self.upstream, session: session)
    return .json(
      [
        "scenarios": .array(
          knownScenarios.map { scenario in
            [
              "id": .string(scenario.name), "name": .string(scenario.name),
              "state": .string(state[scenario.name] ?? Self.start),
              "possibleStates": .strings(scenario.states.sorted()),
              "mappings": .array(scenario.stubs.map(\.json)),
            ]
          })
      ])
  }

  func resetScenarios() {
    let state = server.state(of: Self.upstream, session: session)
    let nothing: [String: String?] = state.mapValues { _ in nil }
    _ = server.setState(nothing, of: Self.upstream, session: session)
  }

  func setScenario() throws(AdminRefusal) -> OwnResponse {
    let name = values.first ?? ""
    var wanted: String?
    if !request.body.isEmpty {
      let root = try body()
      if !root.isNull { try FieldCheck(root).keys(["state"]) }
      wanted = root["state"]?.string ?? "null"
    }
    guard let scenario = knownScenarios.first(where: { $0.name == name }) else {
      throw .other(.error(404, code: 404, "Scenario \(name) does not exist"))
    }
    if let wanted, wanted != Self.start, !scenario.states.contains(wanted) {
      throw .other(.error(422, code: 11, "Scenario \(name) does not support state \(wanted)"))
    }
    let value: String?? = .some(wanted == Self.start ? nil : wanted)
    guard server.setState([name: value ?? nil], of: Self.upstream, session: session) else {
      throw .other(.error(507, code: 50, "the state of this session is full"))
    }
    return .emptyObject
  }

  // MARK: - Files

  func files() -> [String] {
    let written = table.files
    var names: Set<String> = []
    if let folder = api.options.folder { collect("\(folder)/__files", "", into: &names, depth: 0) }
    names.subtract(written.keys)
    return names.union(written.filter { $0.value != nil }.keys).sorted()
  }

  private func collect(
    _ folder: String, _ prefix: String, into names: inout Set<String>, depth: Int
  ) {
    let root = FileRoot(folder)
    guard depth < 20, let found = try? root.names(in: folder) else { return }
    for name in found {
      switch try? root.kind(of: "\(folder)/\(name)") {
      case .folder:
        collect("\(folder)/\(name)", "\(prefix)\(name)/", into: &names, depth: depth + 1)
      case .file: names.insert(prefix + name)
      default: continue
      }
    }
  }

  func file(_ route: AdminRoute) throws(AdminRefusal) -> OwnResponse {
    let name = values.first ?? ""
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw .unknown
    }
    guard !name.utf8.contains(0) else {
      throw .wrong("/files", "found a NUL in the name of a file, expected none")
    }
    switch route {
    case .putFile:
      try api.withFolder { () throws(AdminRefusal) in
        try write(request.body, to: name)
        change { $0.setFile(name, to: request.body) }
      }
      return .json(.string(Base64.encode(request.body)))
    case .deleteFile:
      try api.withFolder { () throws(AdminRefusal) in
        guard table.file(name) != nil else { throw .unknown }
        try write(nil, to: name)
        change { $0.setFile(name, to: nil) }
      }
      return .empty(200)
    default:
      guard let bytes = table.file(name) else { throw .unknown }
      return OwnResponse(status: 200, contentType: "application/octet-stream", body: bytes)
    }
  }

  /// Where clients may not write files, only this server has them.
  func write(_ bytes: [UInt8]?, to name: String) throws(AdminRefusal) {
    guard let folder = api.options.folder else { return }
    let path = "\(folder)/__files/\(name)"
    do throws(Failure) {
      let root = FileRoot("\(folder)/__files")
      if let bytes { try root.write(bytes, to: path) } else { try root.remove(path) }
    } catch {
      throw .other(.error(500, code: 50, error.message))
    }
  }

  // MARK: - The server

  func health() -> OwnResponse {
    .json(
      [
        "status": "healthy", "message": "Understudy is ok",
        "version": .string(UnderstudyVersion.text),
        "uptimeInSeconds": .int(Moment.now.unixSeconds - api.startedAt.unixSeconds),
        "timestamp": .string(Moment.now.rfc3339),
      ])
  }

  func shutdown() -> OwnResponse {
    guard let shutdown = server.shutdown else {
      return .error(501, code: 50, "only the program that started this server can stop it")
    }
    var response = OwnResponse.empty(200)
    response.afterwards = shutdown
    return response
  }
}
