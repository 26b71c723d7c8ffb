package import ContractModel
package import Diagnostics
import JSON

/// Where recorded contracts go.
package struct RecordingTarget: Sendable {
  /// The folder of contracts.
  package let folder: String
  package let upstreamName: String
  /// Of the live API; `nil` when the upstream has none.
  package let baseURL: BaseURL?
  /// The upstream as it is there already.
  package let upstream: Upstream?

  package init(folder: String, upstreamName: String, baseURL: BaseURL?, upstream: Upstream?) {
    self.folder = folder
    self.upstreamName = upstreamName
    self.baseURL = baseURL
    self.upstream = upstream
  }

  var upstreamFolder: String { "\(folder)/\(upstreamName)" }
}

/// What contracts recorded exchanges come to, before anything is written.
///
/// A contract that is there keeps all it has, unless it is to be replaced: statuses that it does not
/// have become cases of it.
package struct Recording: Sendable {
  package let contracts: [RecordedContract]
  /// The files to be written, by path, in order; what is there is left alone.
  package private(set) var files: [RecordedFile] = []
  /// What lint says of the files once they are there.
  package private(set) var diagnostics: [Diagnostic] = []

  package init(
    of exchanges: [RecordedExchange], for target: RecordingTarget, paths: [PathTemplate],
    mask: SecretMask, replaces: (Contract) -> Bool = { _ in false }
  ) throws(RecordingError) {
    let groups = Self.groups(exchanges, target, paths)
    var taken: Set<String> = Set((target.upstream?.contracts ?? []).map(\.name))
    // What `upstream.json` is called by.
    taken.insert("upstream")
    var contracts: [RecordedContract] = []
    for group in groups {
      let existing = target.upstream?.contracts.first { group.isAnswered(by: $0) }
      let draft = RecordedDraft(group: group, target: target, mask: mask)
      let contract: RecordedContract
      if let existing, !replaces(existing) {
        contract = try draft.extending(existing)
      } else {
        contract = draft.contract(named: existing?.name ?? draft.name(avoiding: taken))
          .described(replaces: existing != nil)
      }
      taken.insert(contract.name)
      contracts.append(contract)
    }
    self.contracts = contracts
    files = contracts.flatMap(\.files)
    guard !files.isEmpty else { return }
    if target.upstream == nil { files.insert(Self.upstreamFile(target), at: 0) }
    try lint(target)
  }

  private static func groups(
    _ exchanges: [RecordedExchange], _ target: RecordingTarget, _ paths: [PathTemplate]
  ) -> [RecordedGroup] {
    var groups: [RecordedGroup] = []
    for exchange in exchanges {
      // Of contracts that are there, the one with the fewest parameters is meant.
      let known = (target.upstream?.contracts ?? [])
        .filter { $0.request.method == exchange.method }.flatMap(\.request.paths)
        .sorted { $0.parameterNames.count < $1.parameterNames.count }
      let (template, isGuess) = PathGuess(templates: paths + known)
        .template(for: exchange.segments)
      if let index = groups.firstIndex(where: { $0.isFor(exchange.method, template) }) {
        groups[index].add(exchange)
      } else {
        var group = RecordedGroup(method: exchange.method, template: template, isGuess: isGuess)
        group.add(exchange)
        groups.append(group)
      }
    }
    return groups
  }

  private static func upstreamFile(_ target: RecordingTarget) -> RecordedFile {
    var writer = JSONWriter()
    writer.object { object in
      object.schemaLine(of: "upstream", in: target.folder)
      object.member("summary", "Recorded from \(target.baseURL?.authority ?? target.upstreamName)")
      if let baseURL = target.baseURL { object.member("baseURL", baseURL.description) }
      object.key("headers")
      object.object { $0.member("User-Agent", RecordingProbe.userAgent) }
    }
    return RecordedFile(
      path: "\(target.upstreamFolder)/upstream.json", bytes: writer.laidOutFile, isNew: true)
  }

  // MARK: - Lint

  private static let waivable: Set<String> = [
    "no-404-case", "no-empty-case", "no-malformed-case", "no-slow-case", "no-broken-case",
  ]

  /// Warnings of what was not seen are waived in the new files, since it was not seen; all else is
  /// for people to mend.
  private mutating func lint(_ target: RecordingTarget) throws(RecordingError) {
    let found = try complaints(target)
    for (index, file) in files.enumerated() where file.isNew {
      let rules = found.filter { $0.file == file.path }.map(\.rule)
        .filter(Self.waivable.contains)
      guard !rules.isEmpty else { continue }
      files[index] = file.waiving(rules)
    }
    diagnostics = try complaints(target)
  }

  private func complaints(_ target: RecordingTarget) throws(RecordingError) -> [Diagnostic] {
    let bytes = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    do throws(LoadError) {
      let library = try ContractLibrary.load(target.folder, with: bytes)
      return library.diagnostics.filter { bytes[$0.file] != nil }
    } catch {
      throw RecordingError(message: error.message, fix: error.fix)
    }
  }
}

/// Why nothing can be made of what was recorded.
package struct RecordingError: Error, Hashable, Sendable {
  package let message: String
  package let fix: String?
}

extension RecordedGroup {
  func isAnswered(by contract: Contract) -> Bool {
    contract.request.method == method
      && contract.request.paths.contains { $0.segments.hasShape(of: template) }
  }
}
