import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudySecrets

/// The entries of one upstream.
struct HARPart {
  /// The limit of different requests to one endpoint: more would gain little for their time.
  private static let requestCountMax = 200
  /// The limit of repetitions of one request.
  private static let repeatCountMax = 200
  /// The limit of different credentials: each is searched for in every text.
  private static let secretCountMax = 1_000

  private let target: RecordingTarget
  private var exchanges: [RecordedExchange] = []
  private var secrets: Set<String> = []
  /// The first entry with a request and the number of such entries, by the exchange's `requestKey`.
  private var requests: [Int: (first: HARImport.Usable, count: Int)] = [:]
  /// The number of different requests to each endpoint.
  private var endpoints: [String: Int] = [:]

  init(_ target: RecordingTarget) { self.target = target }

  /// - Returns: why the entry is left out, if it is.
  mutating func add(_ one: HARImport.Usable, at path: String) -> [ImportNote] {
    let entry = one.entry
    let exchange = RecordedExchange(
      method: entry.method, path: path, query: entry.url.query, headers: entry.headers,
      body: entry.body, responses: [entry.response])
    let own = Set(
      entry.headers.filter { SecretNames.standard.hides($0.name) }
        .flatMap { SecretMask.parts(of: $0.value, inHeader: $0.name) } + exchange.secrets)
    guard own.isSubset(of: secrets) || secrets.count < Self.secretCountMax else {
      let reason = "more than \(Self.secretCountMax) different credentials were sent before it"
      return [ImportNote(.leftOut, one, because: reason)]
    }
    let key = exchange.requestKey
    if let known = requests[key] {
      guard known.count < Self.repeatCountMax else {
        let reason = "the same request came more than \(Self.repeatCountMax) times"
        return [ImportNote(.leftOut, one, because: reason)]
      }
      requests[key]?.count += 1
    } else {
      let endpoint = target.endpoint(of: exchange)
      guard endpoints[endpoint, default: 0] < Self.requestCountMax else {
        let reason = "a contract is made from \(Self.requestCountMax) different requests at most"
        return [ImportNote(.leftOut, one, because: reason)]
      }
      endpoints[endpoint, default: 0] += 1
      requests[key] = (one, 1)
    }
    secrets.formUnion(own)
    exchanges.append(exchange)
    return []
  }

  /// Makes the contracts, and adds them to the plan.
  func record(_ options: ImportOptions, into plan: inout ImportPlan) throws(Failure) {
    let mask = SecretMask(seen: secrets)
    let safe = exchanges.filter { exchange in
      guard let refusal = exchange.refusal(mask) else { return true }
      if let one = requests[exchange.requestKey]?.first {
        let (title, reason) = (exchange.title(mask), refusal.message)
        plan.notes.append(
          ImportNote(.leftOut, title, at: one.place, one.pointer, because: reason))
      }
      return false
    }
    guard !safe.isEmpty else { return }
    let recording = try Recording(
      of: safe, for: target, paths: options.paths, mask: mask, guessesSlugs: true,
      replaces: { _ in options.replacesContracts }, differs: options.differs)
    if let refusal = recording.refusals.first { throw refusal }
    let root = target.root
    let changes = recording.changes.filter { !$0.isDone(in: root) }
    plan.changes += changes
    note(recording, in: &plan)
    let paths = Set(changes.map(\.path))
    for contract in recording.contracts
    where contract.fate != .impossible
      && contract.paths.contains(where: paths.contains)
    {
      plan.drafts.append(ImportDraft(contract, of: target.upstreamName))
    }
  }

  private func note(_ recording: Recording, in plan: inout ImportPlan) {
    for request in recording.unrecorded {
      guard let one = requests[request.key]?.first else { continue }
      let reason = request.isKept ? "\(request.reason); --force replaces it" : request.reason
      plan.notes.append(
        ImportNote(.leftOut, request.request, at: one.place, one.pointer, because: reason))
    }
    for finding in recording.findings where finding.severity == .error {
      plan.notes.append(
        ImportNote(
          .leftOut, finding.file, at: Place(finding.file), finding.path.map { "\($0)" } ?? "",
          because: "lint finds an error: \(finding.message)"))
    }
    for contract in recording.contracts {
      guard let one = contract.firstRequestKey.flatMap({ requests[$0]?.first }) else { continue }
      let masked =
        contract.maskedPlaces + contract.secretHeaders.map { "header.\($0)" }
        + contract.secretParameters.map { "query.\($0)" }
      for place in masked {
        plan.notes.append(
          ImportNote(
            .masked, "\(target.upstreamName)/\(contract.name): \(place)", at: one.place,
            one.pointer, because: "it is secret"))
      }
    }
  }
}

extension ImportDraft {
  init(_ contract: RecordedContract, of upstream: String) {
    self.init(
      upstream: upstream, name: contract.name, method: contract.method, path: contract.path,
      fate: contract.fate, cases: contract.cases.map { ($0.name, $0.status) },
      remarks: contract.guessRemarks + contract.remarks)
  }
}
