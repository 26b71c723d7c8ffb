import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON

/// Contracts that an import has made for one upstream, and how they differ from those that exist.
struct UpstreamPlan {
  /// A contract, and what is known of where it comes from.
  struct Made {
    var draft: ContractDraft
    /// The text of its file.
    fileprivate(set) var bytes: [UInt8] = []
    var remarks: [String] = []
    /// Says why something of it is not as in the document.
    let note: (ImportNote.Kind, String) -> [ImportNote]

    var name: String { draft.name }

    init(
      _ draft: ContractDraft, remarks: [String] = [],
      note: @escaping (ImportNote.Kind, String) -> [ImportNote]
    ) {
      (self.draft, self.remarks, self.note) = (draft, remarks, note)
    }
  }

  /// Warnings about responses that another tool's format does not have.
  private static let waivable: Set<FindingType> = [
    .no404Case, .noEmptyCase, .noMalformedCase, .noSlowCase, .noBrokenCase, .unsetState,
  ]

  private let options: ImportOptions
  private let upstream: String
  private let folder: String
  private let known: Upstream?
  /// What was wrong before.
  private let oldErrors: Set<String>
  /// What `upstream.json` said before it was exported.
  private var original: JSONValue?
  /// What it says of another new upstream, with these rules waived.
  private let describe: (JSONText?) -> JSONText
  private let reasonToWaive: String
  private var contracts: [Made]
  private var notes: [ImportNote]

  /// - Parameters:
  ///   - original: what `upstream.json` said before the contracts were exported; the options may name
  ///     another live API.
  ///   - keepReason: why an existing contract is not replaced by one of the same name; `nil` if it
  ///     may be.
  ///   - finish: what is done to each contract at last.
  static func plan(
    _ contracts: [Made], of upstream: String, restoring original: JSONValue? = nil,
    _ options: ImportOptions, notes: [ImportNote],
    waiving reason: String, keeping keepReason: (Contract) -> String?,
    finishing finish: (inout ContractDraft) -> Void = { _ in },
    describing describe: @escaping (_ waivers: JSONText?) -> JSONText
  ) throws(Failure) -> ImportPlan {
    let library = try RecordingTarget.library(in: options.folder)
    let known = library?.upstreams.first { $0.name == upstream }
    var plan = UpstreamPlan(
      options: options, upstream: upstream,
      folder: options.folder == "." ? upstream : "\(options.folder)/\(upstream)", known: known,
      oldErrors: Set(library?.findings.filter { $0.severity == .error }.map(\.line) ?? []),
      original: original.map { $0.at(options.upstream?.baseURL) }, describe: describe,
      reasonToWaive: reason, contracts: contracts,
      notes: notes)
    plan.maskSecrets()
    plan.dropUnservable(library?.consumers ?? [])
    for index in plan.contracts.indices {
      finish(&plan.contracts[index].draft)
      plan.keepWaivers(ofContractAt: index)
      plan.contracts[index].bytes = plan.contracts[index].draft.text.fileBytes
    }
    plan.keepOthers(keepReason)
    plan.dropOwnWaivers()
    return try plan.made()
  }

  private mutating func made() throws(Failure) -> ImportPlan {
    var files = self.files(waiving: [])
    try dropRivals(files)
    files = self.files(waiving: [])
    var findings = try lint(files)
    if dropWrong(findings) {
      files = self.files(waiving: [])
      findings = try lint(files)
    }
    for (key, reason) in Self.droppable
    where findings.contains(where: { concerns(key, $0) }) && drop(key, because: reason) {
      files = self.files(waiving: [])
      findings = try lint(files)
    }
    // What remains is about the upstream itself, such as a host that another has.
    if let error = findings.first(where: {
      $0.severity == .error && !oldErrors.contains($0.line)
    }) {
      throw Failure(
        message: "cannot write \(folder): \(error.line)",
        fix: "name the upstream to import into with --upstream")
    }
    let warnings = findings.filter { Self.waivable.contains($0.type) }
    if known != nil { waive(warnings) }
    files = self.files(waiving: Set(warnings.map(\.type)))
    var plan = ImportPlan()
    plan.notes = notes
    let root = FileRoot(options.folder)
    for file in files where (try? root.read(file.path)) != file.bytes {
      plan.changes.append(
        .write(RecordedFile(path: file.path, bytes: file.bytes, isNew: true)))
    }
    let changed = Set(plan.changes.map(\.path))
    for made in contracts where changed.contains(path(of: made)) {
      let request = made.draft["request"]?.root
      plan.drafts.append(
        ImportDraft(
          upstream: upstream, name: made.name, method: request?["method"]?.string ?? "",
          path: request?["path"]?.string ?? "",
          fate: known?.contract(named: made.name) == nil ? .new : .replaced,
          cases: made.draft.cases.map { ($0.name, $0.status) }, remarks: made.remarks))
    }
    return plan
  }

  private func path(of made: Made) -> String { "\(folder)/\(made.name).json" }

  private mutating func maskSecrets() {
    for index in contracts.indices {
      let places = contracts[index].draft.maskSecrets()
      guard !places.isEmpty else { continue }
      let made = contracts[index]
      contracts[index].remarks.append(
        "masked, since they look secret: \(places.joined(separator: ", "))")
      guard let note = made.note(.masked, "it looks secret").first else { continue }
      notes += places.map {
        ImportNote(
          .masked, "\(upstream)/\(made.name): \($0)", at: note.place, note.pointer,
          because: note.reason)
      }
    }
  }

  /// A note on the upstream itself.
  private mutating func note(_ kind: ImportNote.Kind, because reason: String) {
    guard let note = contracts.first?.note(kind, reason).first else { return }
    notes.append(
      ImportNote(kind, "\(folder)/upstream.json", at: note.place, note.pointer, because: reason))
  }

  /// Contracts come without what this folder has nothing for.
  private mutating func dropUnservable(_ consumers: [Consumer]) {
    if let original, let known, !known.source.isEqual(to: original) {
      note(.skipped, because: "it exists and is kept")
    }
    let declared = Set(consumers.filter { $0.upstreamNames.contains(upstream) }.map(\.name))
    let isLive = known.map { $0.baseURL != nil } ?? (description(waiving: nil)["baseURL"] != nil)
    for index in contracts.indices {
      for reason in contracts[index].draft.dropUnservable(isLive: isLive, declared) {
        notes += contracts[index].note(.leftOut, reason).prefix(1)
      }
    }
  }

  /// What an exported upstream may have that is wrong elsewhere, and why.
  private static let droppable = [
    ("secrets", "its secrets have the name of another upstream"),
    ("scenarios", "its scenarios name what is not imported"),
  ]

  private func concerns(_ key: String, _ finding: Finding) -> Bool {
    finding.severity == .error && finding.file == "\(folder)/upstream.json"
      && (finding.type == .secret) == (key == "secrets")
  }

  /// Returns whether the exported upstream had this.
  private mutating func drop(_ key: String, because reason: String) -> Bool {
    guard let source = original, source[key] != nil else { return false }
    let others = source.members.filter { $0.key != key }
    original = JSONText.object(others.map { ($0.key, .value($0.value)) }).root
    note(.leftOut, because: reason)
    return true
  }

  private func description(waiving waivers: JSONText?) -> JSONValue {
    original ?? describe(waivers).root ?? .null
  }

  /// A contract that was made otherwise stays as it is.
  private mutating func keepOthers(_ keepReason: (Contract) -> String?) {
    guard let known, !options.replacesContracts else { return }
    let (root, folder) = (FileRoot(options.folder), folder)
    leaveOut { made in
      guard let contract = known.contract(named: made.name),
        (try? root.read("\(folder)/\(made.name).json")) != made.bytes
      else { return nil }
      return keepReason(contract)
    }
  }

  /// A contract that responds to the same requests under another name stays, too.
  private mutating func dropRivals(_ files: [(path: String, bytes: [UInt8])]) throws(Failure) {
    guard let known, !contracts.isEmpty else { return }
    let own = Set(contracts.map(\.name))
    let rivals = Dictionary(
      known.contracts.filter { !own.contains($0.name) }.map { ($0.rivalry, $0.id) },
      uniquingKeysWith: { first, _ in first })
    guard !rivals.isEmpty else { return }
    let made = try library(with: files).upstreams.first { $0.name == upstream }
    leaveOut { contract in
      made?.contract(named: contract.name).flatMap { rivals[$0.rivalry] }.map {
        "\($0) responds to the same requests"
      }
    }
  }

  /// Drops the contracts for which there is a reason.
  private mutating func leaveOut(because reason: (Made) -> String?) {
    // A note may be about several contracts.
    var noted = Set(notes)
    contracts.removeAll { made in
      guard let reason = reason(made) else { return false }
      notes += made.note(.leftOut, reason).filter { noted.insert($0).inserted }
      return true
    }
  }

  /// Drops the contracts in which lint finds errors; returns whether there are errors.
  private mutating func dropWrong(_ findings: [Finding]) -> Bool {
    var errors: [String: Finding] = [:]
    for finding in findings where finding.severity == .error && errors[finding.file] == nil {
      errors[finding.file] = finding
    }
    let folder = folder
    leaveOut {
      errors["\(folder)/\($0.name).json"].map { "lint finds an error: \($0.message)" }
    }
    return !errors.isEmpty
  }

  private func files(waiving rules: Set<FindingType>) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    if known == nil, !contracts.isEmpty {
      let waivers = JSONObject(
        rules.map(\.rawValue).sorted().map { ($0, .string(reasonToWaive)) })
      let description = description(waiving: waivers.isEmpty ? nil : waivers.text)
      files.append(("\(folder)/upstream.json", JSONText.value(description).fileBytes))
    }
    var seen: Set<String> = []
    for made in contracts {
      for file in made.draft.files where seen.insert(file.path).inserted {
        files.append(("\(folder)/\(file.path)", file.bytes))
      }
      files.append((path(of: made), made.bytes))
    }
    return files
  }

  // MARK: - Waivers of contracts

  /// What an existing contract waives, another import leaves as it is.
  private mutating func keepWaivers(ofContractAt index: Int) {
    guard !options.replacesContracts,
      let waivers = known?.contract(named: contracts[index].name)?.source["waive"]
    else { return }
    contracts[index].draft.setWaivers(JSONObject(of: waivers))
  }

  /// A contract that changes may no longer need what the import waived; what it needs is waived
  /// again.
  private mutating func dropOwnWaivers() {
    guard !options.replacesContracts, let known else { return }
    let root = FileRoot(options.folder)
    for index in contracts.indices where known.contract(named: contracts[index].name) != nil {
      let own = JSONObject(of: contracts[index].draft["waive"]?.root)
      var kept = own
      for (rule, reason) in own.all where reason.root?.string == reasonToWaive { kept[rule] = nil }
      guard kept.all.count < own.all.count,
        (try? root.read(path(of: contracts[index]))) != contracts[index].bytes
      else { continue }
      contracts[index].draft.setWaivers(kept)
      contracts[index].bytes = contracts[index].draft.text.fileBytes
    }
  }

  /// An upstream that exists is left as it is, so each contract that is written waives its own.
  private mutating func waive(_ warnings: [Finding]) {
    let root = FileRoot(options.folder)
    for index in contracts.indices {
      let path = path(of: contracts[index])
      let rules = Set(warnings.filter { $0.file == path }.map(\.type.rawValue))
      guard !rules.isEmpty, (try? root.read(path)) != contracts[index].bytes else { continue }
      var waivers = JSONObject(of: contracts[index].draft["waive"]?.root)
      for rule in rules.sorted() { waivers[rule] = .string(reasonToWaive) }
      contracts[index].draft.setWaivers(waivers)
      contracts[index].bytes = contracts[index].draft.text.fileBytes
    }
  }

  private func lint(_ files: [(path: String, bytes: [UInt8])]) throws(Failure) -> [Finding] {
    // The folder of no files need not exist.
    if files.isEmpty { return [] }
    let paths = Set(files.map(\.path))
    let consumersFile =
      options.folder == "." ? "consumers.json" : "\(options.folder)/consumers.json"
    // Consumers may use upstreams that come later.
    return try library(with: files).findings.filter {
      paths.contains($0.file) || $0.severity == .error && $0.file != consumersFile
    }
  }

  private func library(
    with files: [(path: String, bytes: [UInt8])]
  ) throws(Failure) -> ContractLibrary {
    let bytes = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    return try ContractLibrary.load(options.folder, with: bytes)
  }
}

extension Contract {
  /// Equal for two contracts between which nothing decides.
  fileprivate var rivalry: [String] {
    [request.method, String(request.conditionCount)] + (request.paths.first?.shape ?? [])
  }
}

extension ContractDraft {
  fileprivate mutating func setWaivers(_ waivers: JSONObject) {
    self["waive"] = nil
    tail["waive"] = waivers.isEmpty ? nil : waivers.text
  }
}

extension Finding {
  fileprivate var line: String { "\(file): \(message)" }
}

extension JSONValue {
  /// An `upstream.json` with this live API, if one is given.
  fileprivate func at(_ baseURL: WebURL?) -> JSONValue {
    guard let baseURL else { return self }
    let others = members.filter { $0.key != "baseURL" }
    return JSONText.object(
      others.map { ($0.key, .value($0.value)) } + [("baseURL", .string(baseURL.text))]
    ).root ?? self
  }
}
