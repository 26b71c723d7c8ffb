import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON

/// The stubs of a session, and what its clients have set.
struct StubTable: Sendable {
  /// A stub as clients see it, and the contracts that serve it.
  struct Stub: Sendable {
    let id: String
    let json: JSONText
    let value: JSONValue
    let contracts: [Contract]
    /// If two stubs match, the one with the lower priority responds; if they are equal, the one
    /// with the higher number.
    let priority: Int
    let number: Int
    /// Whether it came from a file of the folder.
    let isOfFolder: Bool
    /// The file that has it alone.
    var file: String?

    /// Whether a client had it written, so that its file goes with it.
    var isPersistent: Bool { value["persistent"]?.bool ?? false }

    var scenario: String? { value["scenarioName"]?.string }

    /// Its contracts with their turns.
    var rankedContracts: [RankedContract] {
      contracts.enumerated().map {
        RankedContract(
          $0.element, ContractRank(priority: priority, number: number, place: $0.offset))
      }
    }
  }

  /// How many contracts of removed stubs are kept, to explain the requests that they served.
  private static let knownCountMax = 20_000
  private static let usualPriority = 5

  /// The stubs, by their ids in lower case.
  private var byID: [String: Stub] = [:]
  private(set) var settings = StubSettings()
  /// What clients wrote beneath `__files`; `nil` for what they deleted.
  private(set) var files: [String: [UInt8]?] = [:]
  /// The reasons why stubs of the folder, or parts of them, are not served as they say.
  private(set) var refusals: [String] = []
  private let options: WireMockAPI.Options
  /// What has changed since the last call of `takeChange`. `isNew`: whether all contracts of an
  /// earlier table have to go.
  private var removed: Set<String> = []
  private var changedIDs: Set<String> = []
  private var isNew = true
  private var lastNumber = 0
  /// How many contracts all stubs have.
  private var contractCount = 0
  /// How often each name was given out. Names are not used again, so that a logged request always
  /// belongs to its stub.
  private var nameCounts: [String: Int] = [:]
  /// The stubs by the names of their contracts, removed ones included.
  private var known: [String: JSONText] = [:]

  init(of documents: [ForeignDocument], _ options: WireMockAPI.Options) {
    self.options = options
    add(documents)
  }

  /// The stubs in the order of their numbers.
  var stubs: [Stub] { byID.values.sorted { $0.number < $1.number } }

  /// The contracts in the order in which WireMock would ask their stubs.
  var contracts: [Contract] {
    byID.values.flatMap(\.rankedContracts).sorted { $0.rank < $1.rank }.map(\.contract)
  }

  func stub(_ id: String) -> Stub? { byID[id.lowercased()] }

  /// The stub that a contract serves, or served.
  func stub(ofContract name: String) -> JSONText? { known[name] }

  /// What the server has to change since the last call; `nil` if nothing.
  mutating func takeChange() -> RankedChange? {
    guard isNew || !removed.isEmpty || !changedIDs.isEmpty else { return nil }
    var change = RankedChange()
    change.removesOthers = isNew
    change.removed = removed
    change.added = changedIDs.compactMap { byID[$0] }.flatMap(\.rankedContracts)
    (isNew, removed, changedIDs) = (false, [], [])
    return change
  }

  // MARK: - Changes

  private mutating func add(_ documents: [ForeignDocument], as numbers: [String: Int] = [:]) {
    for document in documents {
      func refuse(_ problems: [FormProblem]) {
        refusals += problems.map {
          "\(Place(document.file, $0.position)): left out, because \($0.reason)"
        }
      }
      refuse(document.repeated + StubForm.problems(around: document.root))
      for root in Self.stubs(in: document.root) {
        let problems = StubForm.problems(in: root)
        refuse(problems)
        if problems.contains(where: \.isGrave) { continue }
        do throws(AdminRefusal) {
          let isAlone = document.root["mappings"] == nil && document.root.kind == .object
          let stub = try put(
            root, isOfFolder: true, file: isAlone ? document.file : nil, numbers: numbers)
          refusals += warnings(on: stub).map { "\(document.place(of: root)): \($0)" }
        } catch {
          guard case .wrong(_, let reason) = error else { continue }
          refusals.append("\(document.place(of: root)): left out, because \(reason)")
        }
      }
    }
  }

  /// What a stub that is served does not do.
  private func warnings(on stub: Stub) -> [String] {
    let missing = StubText.missingFile(of: stub.value["response"] ?? .null) { file($0) }
    return [missing.map { "requests get 500, because there is no file \($0) beneath __files" }]
      .compactMap(\.self)
      + StubText.code(in: stub.value).map { "served without \($0), which is code" }
  }

  private static func stubs(in root: JSONValue) -> [JSONValue] {
    let list = root["mappings"] ?? root
    return list.kind == .array ? Array(list.elements) : [root]
  }

  /// Takes the stubs of the folder as they are now.
  ///
  /// - Parameter others: whether those that clients made stay.
  mutating func read(_ documents: [ForeignDocument], keepingOthers others: Bool) {
    let numbers =
      others
      ? Dictionary(
        byID.map { ($0.key, $0.value.number) }, uniquingKeysWith: max) : [:]
    _ = remove { !others || $0.isOfFolder }
    refusals = []
    // A stub that was there before keeps its turn.
    add(documents, as: numbers)
  }

  /// Adds a stub, or replaces the one of its id.
  mutating func put(
    _ root: JSONValue, id given: String? = nil, isOfFolder: Bool = false, file: String? = nil,
    numbers: [String: Int] = [:]
  ) throws(AdminRefusal) -> Stub {
    try FieldCheck(root).object()
    if !isOfFolder, let problem = StubForm.problems(in: root).first { throw AdminRefusal(problem) }
    let id = given ?? (root["id"] ?? root["uuid"])?.string ?? StubID.random()
    guard StubID.isValid(id) else {
      throw .wrong("/id", "found \"\(id)\", expected a UUID, such as \(StubID.random())")
    }
    let old = stub(id)
    let stub = try made(
      StubText.shown(root, id: id), id: id,
      number: old?.number ?? numbers[id.lowercased()] ?? lastNumber + 1,
      isOfFolder: isOfFolder, file: file ?? old?.file)
    insert(stub)
    return stub
  }

  private mutating func made(
    _ json: JSONText, id: String, number: Int, isOfFolder: Bool, file: String? = nil
  ) throws(AdminRefusal) -> Stub {
    let value = json.root ?? .null
    let reader = StubReader(isTemplated: options.isTemplated, bodyFile: bodyFile)
    do throws(StubRefusal) {
      let text = StubText.served(value, settings, options) { self.file($0) }
      let isForNone = options.isLenient && StubText.isForCodeAlone(value)
      let contracts = isForNone ? [] : try reader.contracts(of: text) { freeName($0) }
      return Stub(
        id: id, json: json, value: value, contracts: contracts,
        priority: value["priority"]?.wholeNumber ?? Self.usualPriority, number: number,
        isOfFolder: isOfFolder, file: file)
    } catch {
      throw AdminRefusal(error)
    }
  }

  private mutating func freeName(_ stem: String) -> String {
    let count = (nameCounts[stem] ?? 0) + 1
    nameCounts[stem] = count
    return count == 1 ? stem : "\(stem)-\(count)"
  }

  private mutating func insert(_ stub: Stub) {
    let key = stub.id.lowercased()
    if let old = byID.updateValue(stub, forKey: key) { forget(old) }
    contractCount += stub.contracts.count
    changedIDs.insert(key)
    lastNumber = max(lastNumber, stub.number)
    for contract in stub.contracts { known[contract.name] = stub.json }
    guard known.count > contractCount + Self.knownCountMax else { return }
    known = [:]
    for stub in byID.values { for contract in stub.contracts { known[contract.name] = stub.json } }
  }

  /// Forgets the contracts of a stub that is removed or replaced.
  private mutating func forget(_ stub: Stub) {
    contractCount -= stub.contracts.count
    for contract in stub.contracts { removed.insert(contract.name) }
  }

  mutating func remove(_ id: String) -> Stub? {
    guard let stub = byID.removeValue(forKey: id.lowercased()) else { return nil }
    forget(stub)
    return stub
  }

  mutating func remove(where isMeant: (Stub) -> Bool) -> [Stub] {
    stubs.filter(isMeant).compactMap { remove($0.id) }
  }

  /// Notes that a stub is saved in a file.
  mutating func markSaved(_ id: String, in file: String) {
    guard let old = stub(id) else { return }
    let json = StubText.persistent(old.value)
    byID[id.lowercased()] = Stub(
      id: id, json: json, value: json.root ?? .null, contracts: old.contracts,
      priority: old.priority, number: old.number, isOfFolder: true, file: file)
    for contract in old.contracts { known[contract.name] = json }
  }

  mutating func set(_ settings: StubSettings) {
    self.settings = settings
    makeAgain { _ in true }
  }

  /// Adds a file that no stub names yet.
  mutating func addFile(_ path: String, _ bytes: [UInt8]) { files[path] = .some(bytes) }

  mutating func setFile(_ path: String, to bytes: [UInt8]?) {
    files[path] = .some(bytes)
    makeAgain { $0.value["response"]?["bodyFileName"] != nil }
  }

  /// Makes the contracts of stubs whose responses depend on something else that has changed.
  private mutating func makeAgain(where isMeant: (Stub) -> Bool) {
    for stub in stubs where isMeant(stub) {
      let new = try? made(
        stub.json, id: stub.id, number: stub.number, isOfFolder: stub.isOfFolder, file: stub.file)
      if let new { insert(new) }
    }
  }

  // MARK: - Files

  private var bodyFile: StubReader.BodyFile {
    { [files, folder = options.folder] path in
      Result { () throws(Failure) in
        if let written = files[path] {
          guard let written else { throw Failure(message: "no file \(path)") }
          return written
        }
        guard let folder else {
          throw Failure(message: "no file \(path): the server has no folder")
        }
        return try FileRoot("\(folder)/__files").read("\(folder)/__files/\(path)")
      }
    }
  }

  func file(_ path: String) -> [UInt8]? { try? bodyFile(path).get() }
}
