import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON

/// Does what one request to the admin API asks for.
struct AdminWork: Sendable {
  let api: WireMockAPI
  let server: FakeServer
  let session: String
  let request: Request
  let values: [String]
  /// Whether requests are shown as they were sent, with their secrets.
  let showsSecrets: Bool

  func respond(_ route: AdminRoute) -> OwnResponse {
    do throws(AdminRefusal) {
      return try responseOrRefuse(route)
    } catch {
      return error.response
    }
  }

  private func responseOrRefuse(_ route: AdminRoute) throws(AdminRefusal) -> OwnResponse {
    switch route {
    case .listAll, .listStubs: return try listStubs()
    case .addStub: return .json(try put(try body()).json, status: 201)
    case .oldAdd:
      _ = try put(try body())
      return .empty(201)
    case .oldEdit:
      let root = try body()
      guard let id = (root["id"] ?? root["uuid"])?.string, table.stub(id) != nil else {
        throw .wrong("/id", "no stub has this id")
      }
      _ = try put(root, id: id)
      return .empty(204)
    case .oldRemove:
      let root = try body()
      remove { stub in
        if let id = (root["id"] ?? root["uuid"])?.string { return stub.id == id }
        return stub.value["request"].map { value in
          StubText.pattern(root["request"] ?? .null).root?.isEqual(to: value) ?? false
        } ?? false
      }
      return .empty(200)
    case .getStub: return .json(try stub().json)
    case .putStub: return .json(try put(try body(), id: try stub().id).json)
    case .deleteStub:
      let id = try stub().id
      remove(by: { [$0.remove(id)].compactMap(\.self) })
      return .emptyObject
    case .deleteStubs:
      remove { _ in true }
      return .emptyObject
    case .resetStubs:
      try resetStubs()
      return .empty(200)
    case .saveStubs:
      _ = try folder()
      // Stubs that files of the folder have as they are stay as they are.
      try api.withFolder { () throws(AdminRefusal) in
        for stub in table.stubs where !stub.isOfFolder || stub.isPersistent { try save(stub) }
      }
      return .empty(200)
    case .importStubs: return try importStubs()
    case .findStubs:
      let pattern = try contentPattern()
      return .json(Self.list(table.stubs.reversed().filter { Self.has($0, pattern) }))
    case .removeStubs:
      let pattern = try contentPattern()
      remove { Self.has($0, pattern) }
      return .emptyObject
    case .nearOfRequest: return try nearOfRequest()
    case .scenarios: return listScenarios()
    case .resetScenarios:
      resetScenarios()
      return .emptyObject
    case .setScenario: return try setScenario()
    case .getSettings: return .json(["settings": table.settings.json])
    case .postSettings, .putSettings:
      let settings = try StubSettings(try body())
      change { $0.set(settings) }
      return .emptyObject
    case .patchSettings:
      var settings = table.settings
      try settings.extend(with: try body())
      change { $0.set(settings) }
      return .emptyObject
    case .health: return health()
    case .version: return .json(["version": .string(UnderstudyVersion.text)])
    case .shutdown: return shutdown()
    case .listFiles: return .json(.strings(files()))
    case .getFile, .putFile, .deleteFile: return try file(route)
    case .recordingStatus: return recordingStatus()
    case .startRecording: return try startRecording()
    default: throw .unknown
    }
  }

  // MARK: - What it works with

  var table: StubTable { api.table(of: session) }

  @discardableResult
  func change<Value>(_ body: (inout StubTable) -> Value) -> Value {
    api.change(session, on: server, body)
  }

  /// The JSON in the request.
  func body() throws(AdminRefusal) -> JSONValue {
    guard !request.body.isEmpty else {
      throw .wrong("", "no body, expected JSON")
    }
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: request.body)
    } catch {
      throw .wrong(nil, error.message)
    }
    let (read, dropped) = document.withoutDuplicateKeys()
    if let problem = FormProblem.repeated(Array(dropped.prefix(1))).first {
      throw AdminRefusal(problem)
    }
    return read.root
  }

  func contentPattern() throws(AdminRefusal) -> StubPattern {
    let root = try body()
    guard root.kind == .object, root.count > 0 else {
      throw .wrong("", "found \(root.summary), expected a pattern")
    }
    do throws(StubRefusal) {
      return try StubPattern.content(root)
    } catch {
      throw AdminRefusal(error)
    }
  }

  static func has(_ stub: StubTable.Stub, _ pattern: StubPattern) -> Bool {
    stub.value["metadata"].map { pattern.matches(content: $0.compact) } ?? false
  }

  /// The id in the path.
  func id() throws(AdminRefusal) -> String {
    let id = values.first ?? ""
    guard StubID.isValid(id) else {
      throw .other(.error(400, code: 15, "'\(id)' is not a valid UUID"))
    }
    return id
  }

  private func stub() throws(AdminRefusal) -> StubTable.Stub {
    guard let stub = table.stub(try id()) else { throw .unknown }
    return stub
  }

  // MARK: - Stubs

  private func listStubs() throws(AdminRefusal) -> OwnResponse {
    let all = Array(table.stubs.reversed())
    let options = ListOptions(request)
    let shown = try options.page(of: all)
    return .json(Self.list(shown, total: all.count))
  }

  static func list(_ stubs: [StubTable.Stub], total: Int? = nil) -> JSONText {
    ["mappings": .array(stubs.map(\.json)), "meta": ["total": .int(total ?? stubs.count)]]
  }

  private func put(_ root: JSONValue, id: String? = nil) throws(AdminRefusal) -> StubTable.Stub {
    let isPersistent = root["persistent"]?.bool ?? false
    if isPersistent { _ = try folder() }
    return try api.withFolder { () throws(AdminRefusal) in
      let result = change { table -> Result<StubTable.Stub, AdminRefusal> in
        Result { () throws(AdminRefusal) in try table.put(root, id: id) }
      }
      let stub = try result.get()
      if isPersistent { try save(stub) }
      return stub
    }
  }

  private func remove(where isMeant: (StubTable.Stub) -> Bool) {
    remove(by: { $0.remove(where: isMeant) })
  }

  private func remove(by removing: (inout StubTable) -> [StubTable.Stub]) {
    api.withFolder {
      let removed = change(removing)
      guard let folder = api.options.folder else { return }
      for stub in removed where stub.isPersistent {
        if let file = stub.file { try? FileRoot(folder).remove(file) }
      }
    }
  }

  private func resetStubs() throws(AdminRefusal) {
    do throws(Failure) {
      try api.withFolder { () throws(Failure) in
        let documents = session.isEmpty ? try api.options.read() : []
        change { $0.read(documents, keepingOthers: false) }
      }
    } catch {
      throw .other(.error(500, code: 50, error.message))
    }
  }

  /// Resets everything to how it began: stubs, scenarios and the request log.
  func resetAll() async -> OwnResponse {
    do throws(AdminRefusal) { try resetStubs() } catch { return error.response }
    resetScenarios()
    await server.forgetRequests(session: session)
    return .empty(200)
  }

  /// Where stubs are saved.
  func folder() throws(AdminRefusal) -> String {
    guard let folder = api.options.folder else {
      throw .wrong("/persistent", "this server has no folder to write to")
    }
    return folder
  }

  /// Called with the folder held.
  func save(_ stub: StubTable.Stub) throws(AdminRefusal) {
    let folder = try folder()
    let path = stub.value["request"].flatMap { request in
      StubForm.urlKeys.lazy.compactMap { request[$0]?.string }.first
    }
    var name = (stub.value["name"]?.string ?? path ?? "").slug.prefix(60)
    while name.last == "-" { name.removeLast() }
    let file = stub.file ?? "\(folder)/mappings/\(name)\(name.isEmpty ? "" : "-")\(stub.id).json"
    let text = StubText.persistent(stub.value).root?.laidOut() ?? ""
    do throws(Failure) {
      try FileRoot(folder).write(Array("\(text)\n".utf8), to: file)
    } catch {
      throw .other(.error(500, code: 50, error.message))
    }
    change { $0.markSaved(stub.id, in: file) }
  }

  private func importStubs() throws(AdminRefusal) -> OwnResponse {
    let root = try body()
    try FieldCheck(root).keys(["mappings", "importOptions", "meta"])
    let options = root["importOptions"] ?? .null
    let policy = options["duplicatePolicy"]?.string ?? "OVERWRITE"
    guard ["OVERWRITE", "IGNORE"].contains(policy) else {
      throw .wrong(
        "/importOptions/duplicatePolicy", "found \"\(policy)\", expected OVERWRITE or IGNORE")
    }
    guard let mappings = root["mappings"], mappings.kind == .array else {
      throw .wrong("/mappings", "no mappings, expected an array of stubs")
    }
    // All or none: the stubs are made in a copy first.
    let result = change { table -> Result<Void, AdminRefusal> in
      Result { () throws(AdminRefusal) in
        var copy = table
        var ids: Set<String> = []
        for (index, stub) in mappings.elements.enumerated().reversed() {
          let id = (stub["id"] ?? stub["uuid"])?.string
          if policy == "IGNORE", let id, copy.stub(id) != nil {
            ids.insert(id)
            continue
          }
          do throws(AdminRefusal) {
            ids.insert(try copy.put(stub).id)
          } catch {
            throw error.within("/mappings/\(index)")
          }
        }
        if options["deleteAllNotInImport"]?.bool ?? false {
          _ = copy.remove { !ids.contains($0.id) }
        }
        table = copy
      }
    }
    try result.get()
    return .empty(200)
  }
}
