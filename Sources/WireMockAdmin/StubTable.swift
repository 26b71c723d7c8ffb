import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON

/// The stubs of a session, and what its clients have set.
struct StubTable: Sendable {
  /// A stub as clients see it, and the contracts that play it.
  struct Stub: Sendable {
    let id: String
    let json: JSONText
    let value: JSONValue
    let contracts: [Contract]
    /// Of two that match, the lower priority answers, and then the higher number.
    let priority: Int
    let number: Int
    /// Whether it came from a file of the folder.
    let isOfFolder: Bool
    /// The file that has it alone.
    var file: String?

    /// Whether a client had it written, so that its file goes with it.
    var isPersistent: Bool { value["persistent"]?.bool ?? false }

    var scenario: String? { value["scenarioName"]?.string }
  }

  /// Stubs that are gone still explain so many requests.
  private static let knownCountMax = 20_000
  private static let usualPriority = 5

  /// By number.
  private(set) var stubs: [Stub] = []
  private(set) var settings = StubSettings()
  /// What clients wrote beneath `__files`; `nil` for what they deleted.
  private(set) var files: [String: [UInt8]?] = [:]
  /// What of the stubs of the folder cannot be played.
  private(set) var refusals: [String] = []
  /// Differs after every change, and from that of any other table.
  private(set) var version = StubTable.nextVersion()
  private let options: WireMockAPI.Options
  /// By id in lower case.
  private var places: [String: Int] = [:]
  private var lastNumber = 0
  /// By what a contract is about. Names are not used again, so that a request is always the one of its
  /// stub.
  private var nameCounts: [String: Int] = [:]
  /// The stubs by the names of their contracts, also those that are gone.
  private var known: [String: JSONText] = [:]

  init(of documents: [ForeignDocument], _ options: WireMockAPI.Options) {
    self.options = options
    add(documents)
  }

  /// In the order of WireMock.
  var contracts: [Contract] {
    stubs.sorted { ($0.priority, $1.number) < ($1.priority, $0.number) }.flatMap(\.contracts)
  }

  func stub(_ id: String) -> Stub? { places[id.lowercased()].map { stubs[$0] } }

  /// The stub that a contract plays, or played.
  func stub(ofContract name: String) -> JSONText? { known[name] }

  private static let versionCount = Atomic<Int>(0)

  private static func nextVersion() -> Int {
    versionCount.wrappingAdd(1, ordering: .relaxed).newValue
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
          _ = try put(
            root, isOfFolder: true, file: isAlone ? document.file : nil, numbers: numbers)
        } catch {
          guard case .wrong(_, let reason) = error else { continue }
          refusals.append("\(document.place(of: root)): left out, because \(reason)")
        }
      }
    }
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
        stubs.map { ($0.id.lowercased(), $0.number) }, uniquingKeysWith: max) : [:]
    stubs.removeAll { !others || $0.isOfFolder }
    indexStubs()
    refusals = []
    version = Self.nextVersion()
    add(documents, as: numbers)
    // A stub that was there before answers in its old turn.
    stubs.sort { $0.number < $1.number }
    indexStubs()
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
      let text = StubText.played(value, settings, isTemplated: options.isTemplated) {
        self.file($0)
      }
      let contracts = try reader.contracts(of: text) { freeName($0) }
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
    let place = places[stub.id.lowercased(), default: stubs.count]
    if place < stubs.count {
      stubs[place] = stub
    } else {
      stubs.append(stub)
      places[stub.id.lowercased()] = place
    }
    lastNumber = max(lastNumber, stub.number)
    if known.count > Self.knownCountMax { known = [:] }
    for contract in stub.contracts { known[contract.name] = stub.json }
    version = Self.nextVersion()
  }

  mutating func remove(where isMeant: (Stub) -> Bool) -> [Stub] {
    let removed = stubs.filter(isMeant)
    if !removed.isEmpty {
      stubs.removeAll(where: isMeant)
      indexStubs()
      version = Self.nextVersion()
    }
    return removed
  }

  private mutating func indexStubs() {
    places = Dictionary(
      stubs.enumerated().map { ($0.element.id.lowercased(), $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Makes one stub what it is, saved in a file.
  mutating func markSaved(_ id: String, in file: String) {
    guard let place = places[id.lowercased()] else { return }
    let old = stubs[place]
    let json = StubText.persistent(old.value)
    stubs[place] = Stub(
      id: id, json: json, value: json.root ?? .null, contracts: old.contracts,
      priority: old.priority, number: old.number, isOfFolder: true, file: file)
    for contract in old.contracts { known[contract.name] = json }
  }

  mutating func set(_ settings: StubSettings) {
    self.settings = settings
    makeAgain { _ in true }
  }

  mutating func setFile(_ path: String, to bytes: [UInt8]?) {
    files[path] = .some(bytes)
    makeAgain { $0.value["response"]?["bodyFileName"] != nil }
  }

  /// Makes the contracts of stubs whose answers depend on something else that has changed.
  private mutating func makeAgain(where isMeant: (Stub) -> Bool) {
    for (place, stub) in stubs.enumerated() where isMeant(stub) {
      let new = try? made(
        stub.json, id: stub.id, number: stub.number, isOfFolder: stub.isOfFolder, file: stub.file)
      guard let new else { continue }
      stubs[place] = new
      for contract in new.contracts { known[contract.name] = new.json }
    }
    version = Self.nextVersion()
  }

  // MARK: - Files

  private var bodyFile: StubReader.BodyFile {
    { [files, folder = options.folder] path in
      Result { () throws(Failure) in
        if let written = files[path] {
          guard let written else { throw Failure(message: "found no file \(path)") }
          return written
        }
        guard let folder else {
          throw Failure(message: "found no file \(path): the server has no folder")
        }
        return try FileRoot("\(folder)/__files").read("\(folder)/__files/\(path)")
      }
    }
  }

  func file(_ path: String) -> [UInt8]? { try? bodyFile(path).get() }
}
