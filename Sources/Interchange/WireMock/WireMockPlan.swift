import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON

/// The contracts of an upstream made from stub mappings, and how they differ from those that exist.
struct WireMockPlan {
  /// Warnings about answers that no stub has.
  private static let waivable: Set<FindingType> = [
    .no404Case, .noEmptyCase, .noMalformedCase, .noSlowCase, .noBrokenCase, .unsetState,
  ]

  private let options: ImportOptions
  private let upstream: String
  private let folder: String
  private var plan = ImportPlan()
  private var contracts: [Made]

  /// A contract with the bytes of its file.
  private struct Made {
    let name: String
    let path: String
    let contract: WireMockContract
    let bytes: [UInt8]
  }

  static func plan(
    _ source: ImportSource, _ options: ImportOptions
  ) throws(Failure) -> ImportPlan {
    var work = try WireMockPlan(source, options)
    try work.make()
    return work.plan
  }

  private init(_ source: ImportSource, _ options: ImportOptions) throws(Failure) {
    var stubs = try WireMockImport(source)
    self.options = options
    upstream = options.upstream?.name ?? WireMockLibrary.upstreamName
    let folder = options.folder == "." ? upstream : "\(options.folder)/\(upstream)"
    self.folder = folder
    contracts = stubs.contracts().map { name, contract in
      Made(
        name: name, path: "\(folder)/\(name).json", contract: contract,
        bytes: contract.json.fileBytes)
    }
    plan.notes = stubs.notes
  }

  private mutating func make() throws(Failure) {
    let root = FileRoot(options.folder)
    let known = try RecordingTarget.library(in: options.folder)?.upstreams.first {
      $0.name == upstream
    }
    keepOthers(known)
    var files = self.files(isNew: known == nil)
    var findings = try lint(files)
    if dropWrong(findings) {
      files = self.files(isNew: known == nil)
      findings = try lint(files)
    }
    rules = Set(findings.map(\.type)).intersection(Self.waivable)
    files = self.files(isNew: known == nil)
    for file in files where (try? root.read(file.path)) != file.bytes {
      plan.changes.append(
        .write(RecordedFile(path: file.path, bytes: file.bytes, isNew: true)))
    }
    let changed = Set(plan.changes.map(\.path))
    for made in contracts where changed.contains(made.path) {
      let (name, contract) = (made.name, made.contract)
      let exists = known?.contract(named: name) != nil
      plan.drafts.append(
        ImportDraft(
          upstream: upstream, name: name, method: contract.method, path: contract.path,
          fate: exists ? .replaced : .new, cases: contract.cases.map { ($0.name, $0.status) },
          remarks: []))
    }
  }

  /// What the contracts of a new upstream may violate.
  private var rules: Set<FindingType> = []

  /// A contract that was not made from stubs stays as it is.
  private mutating func keepOthers(_ known: Upstream?) {
    guard let known, !options.replacesContracts else { return }
    leaveOut { made in
      known.contract(named: made.name).flatMap {
        $0.isOfWireMock ? nil : "\($0.id) exists and was not imported; --force replaces it"
      }
    }
  }

  /// Drops the contracts for which there is a reason.
  private mutating func leaveOut(because reason: (Made) -> String?) {
    // A stub may be in several contracts.
    var noted = Set(plan.notes)
    var kept: [Made] = []
    for made in contracts {
      guard let reason = reason(made) else {
        kept.append(made)
        continue
      }
      for note in made.contract.stubs.map({ $0.note(.leftOut, because: reason) })
      where noted.insert(note).inserted {
        plan.notes.append(note)
      }
    }
    contracts = kept
  }

  /// Drops the contracts in which lint finds errors; returns whether there are errors.
  private mutating func dropWrong(_ findings: [Finding]) -> Bool {
    var errors: [String: Finding] = [:]
    for finding in findings where finding.severity == .error && errors[finding.file] == nil {
      errors[finding.file] = finding
    }
    leaveOut { errors[$0.path].map { "lint finds an error: \($0.message)" } }
    return !errors.isEmpty
  }

  private func files(isNew: Bool) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    if isNew, !contracts.isEmpty {
      files.append(
        (
          "\(folder)/upstream.json",
          JSONText.object([
            ("summary", .string("Imported from WireMock")),
            (
              "waive",
              rules.isEmpty
                ? nil
                : .object(
                  rules.map(\.rawValue).sorted().map { ($0, .string("imported: no stub has it")) })
            ),
          ]).fileBytes
        ))
    }
    var seen: Set<String> = []
    for made in contracts {
      for file in made.contract.files where seen.insert(file.path).inserted {
        files.append(("\(folder)/\(file.path)", file.bytes))
      }
      files.append((made.path, made.bytes))
    }
    return files
  }

  private func lint(_ files: [(path: String, bytes: [UInt8])]) throws(Failure) -> [Finding] {
    // The folder of no files need not exist.
    if files.isEmpty { return [] }
    let bytes = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    return try ContractLibrary.load(options.folder, with: bytes).findings.filter {
      bytes[$0.file] != nil
    }
  }
}

extension JSONText {
  var fileBytes: [UInt8] {
    root.map { Array("\($0.laidOut())\n".utf8) } ?? bytes
  }
}

extension Contract {
  fileprivate var isOfWireMock: Bool {
    source[WireMockContract.originKey]?.string == WireMockContract.origin
  }
}
