package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFindings
import UnderstudyJSON
package import UnderstudySecrets

/// The contracts made from recorded exchanges, before anything is written.
///
/// An existing contract keeps its content unless it is to be replaced; missing statuses are added
/// as cases. No other existing file is changed.
///
/// The target makes contracts from requests and their responses, for `Recording`, imports and
/// `drift`. Read `RecordedExchange` in `Exchanges`, which is the input; `RecordingTarget` in
/// `Destination`, which says where contracts go; this file; then `RecordedDraft` in `Contracts`,
/// which makes one contract, with schemas from `Inference`. `RecordedReplay` sends every recorded
/// request to the finished contracts, and a `FileChange` writes a file.
///
/// No secret reaches a file: an exchange whose secrets cannot be masked is refused. A contract in
/// which lint finds an error is left out. Each recorded request ends up in `replayed`, in
/// `unrecorded` with the reason, or in `refusals`.
package struct Recording: Sendable {
  /// The `User-Agent` sent to live APIs.
  package static let userAgent = "understudy"

  package private(set) var contracts: [RecordedContract] = []
  /// The files to write, by path, in order; other files are left alone.
  package private(set) var files: [RecordedFile] = []
  /// What lint reports for the new files, and for those left out because of errors.
  package private(set) var findings: [Finding] = []
  /// Why something was not recorded, other than lint findings.
  package private(set) var refusals: [Failure] = []
  /// The requests to which the contracts respond differently from the live API.
  package private(set) var unrecorded: [UnrecordedRequest] = []
  /// The keys of all other requests.
  package private(set) var replayed: Set<Int> = []

  /// `own` are files written by the caller and unchanged since. `differs` compares responses as later
  /// checks of the live API do. `guessesSlugs` is for callers that have all exchanges at once.
  package init(
    of exchanges: [RecordedExchange], for target: RecordingTarget, paths: [PathTemplate],
    mask: SecretMask, guessesSlugs: Bool = false,
    replaces: (Contract) -> Bool = { _ in false }, own: Set<String> = [],
    differs: ResponseComparison
  ) throws(Failure) {
    try target.checkSound()
    let mask = mask.adding(seen: exchanges.flatMap(\.secrets))
    let safe = exchanges.filter { exchange in
      guard let refusal = exchange.refusal(mask) else { return true }
      refusals.append(refusal)
      return false
    }
    let shelf = FileNamer(target, own: own)
    let known = target.contractsByEndpoint
    for group in try groups(safe, target, paths, mask, guessesSlugs: guessesSlugs) {
      try target.checkGoesOn()
      let existing = known[group.endpoint]
      let draft = RecordedDraft(group: group, target: target, shelf: shelf)
      do throws(Failure) {
        if let existing, replaces(existing) {
          // The caller knows which of its own files it may overwrite.
          let bodies = target.bodies(onlyOf: existing)
          let old = own.isEmpty ? bodies : bodies.intersection(own)
          shelf.giveUp(old)
          contracts.append(draft.contract(named: { existing.name }).replacing(old))
        } else if let existing {
          contracts.append(try draft.extending(existing))
        } else {
          contracts.append(draft.contract(named: { shelf.contractName(draft.stem) }))
        }
      } catch {
        refusals.append(error)
      }
    }
    try target.checkGoesOn()
    // Lint must see only the live cases that remain.
    if collectFiles(target) { try dropLive(target, mask, differs) }
    let drafted = contracts
    try target.checkGoesOn()
    while collectFiles(target), try !lint(target) {}
    try target.checkGoesOn()
    try replay(drafted, target, mask)
  }

  /// Removes `live` from cases that the live API would not respond to the same way again.
  private mutating func dropLive(
    _ target: RecordingTarget, _ mask: SecretMask, _ differs: ResponseComparison
  ) throws(Failure) {
    let replay = RecordedReplay(try written(target), target, mask)
    for index in contracts.indices {
      contracts[index].dropLive(
        of: replay.unsteadyCases(of: contracts[index], differs: differs))
    }
  }

  /// Replays the requests against the contracts: those with a different response are not recorded.
  private mutating func replay(
    _ drafted: [RecordedContract], _ target: RecordingTarget, _ mask: SecretMask
  ) throws(Failure) {
    let replay = RecordedReplay(try written(target), target, mask)
    for contract in drafted {
      for (number, request) in contract.requests.enumerated() {
        if let loss = replay.loss(of: number, in: contract) {
          unrecorded.append(loss)
        } else {
          replayed.insert(request.exchange.requestKey)
        }
      }
    }
  }

  /// The contracts as if everything were written.
  private func written(_ target: RecordingTarget) throws(Failure) -> ContractLibrary {
    guard !files.isEmpty || target.upstream != nil else { return ContractLibrary(reading: [:]) }
    return try target.library(
      with: Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 }))
  }

  /// Files that are no longer needed.
  package var removals: [String] {
    Set(contracts.flatMap(\.oldBodies)).subtracting(files.map(\.path)).sorted()
  }

  /// The files of one endpoint's contract that can be rewritten from its exchanges.
  package func wholeFiles(of endpoint: String) -> [RecordedFile] {
    let paths = Set(contracts.filter { $0.endpoint == endpoint }.flatMap(\.paths))
    return files.filter { $0.isNew && paths.contains($0.path) }
  }

  /// Collects the files to write; returns whether there are any.
  private mutating func collectFiles(_ target: RecordingTarget) -> Bool {
    files = contracts.flatMap(\.files)
    guard !files.isEmpty else { return false }
    if target.upstream == nil { files.insert(Self.upstreamFile(target), at: 0) }
    return true
  }

  /// The siblings that one contract may have: more would gain too little for their time.
  private static let siblingCountMax = 200

  private mutating func groups(
    _ exchanges: [RecordedExchange], _ target: RecordingTarget, _ paths: [PathTemplate],
    _ mask: SecretMask, guessesSlugs: Bool
  ) throws(Failure) -> [RecordedGroup] {
    let found = exchanges.map { target.template(for: $0, paths) }
    try target.checkGoesOn()
    let slugs = guessesSlugs ? SlugGuess(exchanges, found) : nil
    var groups: [RecordedGroup] = []
    var places: [String: Int] = [:]
    var owners: [Int] = []
    for (index, exchange) in exchanges.enumerated() {
      try target.checkGoesOn()
      let (template, isGuess) =
        slugs?.templates[index] ?? (found[index].segments, found[index].source == .guess)
      var group = RecordedGroup(
        method: exchange.method, template: template, isGuess: isGuess,
        operation: exchange.operation, mask: mask)
      let place = places[group.endpoint] ?? groups.count
      owners.append(place)
      guard place < groups.count else {
        places[group.endpoint] = place
        group.add(exchange)
        groups.append(group)
        continue
      }
      let isSibling = slugs?.changed.contains(index) ?? false
      if isSibling, groups[place].requests.count >= Self.siblingCountMax,
        !groups[place].has(exchange)
      {
        unrecorded.append(
          UnrecordedRequest(
            request: exchange.title(mask),
            reason:
              "a contract is made from \(Self.siblingCountMax) different requests at most",
            isKept: false, key: exchange.requestKey))
      } else {
        groups[place].add(exchange)
      }
    }
    for offer in slugs?.offers ?? [] { groups[owners[offer.first]].offer = offer }
    return groups
  }

  private static func upstreamFile(_ target: RecordingTarget) -> RecordedFile {
    let text: JSONText = [
      "$schema": SchemaLine.address(of: "upstream", in: target.folder),
      "summary": "Recorded from \(target.baseURL?.authority ?? target.upstreamName)",
      "baseURL": target.baseURL.map { .string($0.description) },
      "headers": ["User-Agent": .string(Self.userAgent)],
    ]
    return RecordedFile(
      path: "\(target.upstreamFolder)/upstream.json", bytes: text.fileBytes, isNew: true)
  }

  // MARK: - Lint

  /// Waives warnings about unseen responses in the new files; everything else is left for people to
  /// fix. Fails when a contract was dropped for its errors: the rest must be checked again.
  private mutating func lint(_ target: RecordingTarget) throws(Failure) -> Bool {
    let found = Dictionary(grouping: try complaints(target), by: \.file)
    for index in contracts.indices { contracts[index].waive(found) }
    _ = collectFiles(target)
    let left = try complaints(target)
    let wrong = Set(left.filter { $0.severity == .error }.map(\.file))
    guard !wrong.isEmpty else {
      findings += left
      return true
    }
    let isWrong = { (contract: RecordedContract) in
      contract.paths.contains(where: wrong.contains)
    }
    // An error in none of the contracts drops them all.
    let dropsAll = !contracts.contains(where: isWrong)
    findings += left.filter { $0.severity == .error }
    contracts.removeAll { !$0.paths.isEmpty && (dropsAll || isWrong($0)) }
    return false
  }

  /// What lint reports for the new files, and for other files of the upstream because of them.
  private func complaints(_ target: RecordingTarget) throws(Failure) -> [Finding] {
    let bytes = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    let library = try target.library(with: bytes)
    return library.findings.filter { finding in
      bytes[finding.file] != nil || finding.severity == .error && target.holds(finding)
    }
  }
}
