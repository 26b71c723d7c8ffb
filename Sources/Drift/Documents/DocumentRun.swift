import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON

/// Gives the responses of a document to the consumers of its cases, and checks them.
///
/// The folder checks contracts against an OpenAPI document. Read `OperationMatch`, which finds the
/// operation of each contract; `DocumentComparison`, which makes the responses that the document
/// allows for a case, with bodies from `DocumentBodies`; `DocumentedCase`, which has the result;
/// `RequestRules`, which says what requests must have; then this file. `FilledBody` and
/// `BodyVariants` change bodies that were made from a schema.
///
/// Nothing is sent, and the same document always gives the same findings. A made body has the
/// values of the contract's example wherever the document allows them, so that a difference is the
/// document's. Responses for a case are limited in number; after the first, each shows a difference
/// that those before it do not.
struct DocumentRun: Sendable {
  /// The time limit for a consumer and one response; a command may start slowly.
  private static let limit = Duration.seconds(60)

  let failsOn: Finding.Severity
  private let cases: [DocumentedCase]
  private let index: RequestIndex
  private let prober: Prober

  init(
    _ cases: [DocumentedCase], _ plan: DriftPlan, _ library: ContractLibrary,
    failsOn: Finding.Severity
  ) {
    self.cases = cases
    self.failsOn = failsOn
    let index = library.index
    self.index = index
    prober = Prober(
      upstreams: plan.upstreams, index: index,
      source: { liveCase, _ in
        StandIn(
          LiveResponse(of: liveCase.served), for: liveCase, index, others: [], scope: .forced)
      }, bypassesCaches: false, limit: { Self.limit })
  }

  /// In the order of the cases. If the task is cancelled, the rest could not be checked.
  func results() async -> [LiveCaseResult] {
    var results = [LiveCaseResult?](repeating: nil, count: cases.count)
    await withTaskGroup(of: (Int, LiveCaseResult).self) { group in
      for place in cases.indices {
        group.addTask { (place, await result(of: cases[place])) }
      }
      for await (place, result) in group { results[place] = result }
    }
    return results.compactMap(\.self)
  }

  private func result(of documented: DocumentedCase) async -> LiveCaseResult {
    let liveCase = documented.liveCase
    var attempts: [LiveCaseAttempt] = []
    for response in documented.responses {
      guard !Task.isCancelled else {
        return LiveCaseResult(
          liveCase, liveCase.unchecked(because: "the run was interrupted"), knowsReaders: true)
      }
      attempts.append(await prober.giving(response.response, to: liveCase))
    }
    let findings = findings(of: documented, attempts)
    let isSilent = attempts.isEmpty && findings.isEmpty
    let check: Check =
      isSilent
      ? .notExercised(
        liveCase.identity, at: liveCase.place,
        because: documented.isUndocumented
          ? "\(documented.place) has no response for its status"
          : "\(documented.place) says nothing about responses")
      : .checked(liveCase.identity, at: liveCase.place, findings: findings, failsOn: failsOn)
    let consumerChecks = liveCase.readers.indices.map { consumerCheck($0, documented, attempts) }
    return LiveCaseResult(
      liveCase, [check] + consumerChecks,
      knowsReaders: attempts.first.map { liveCase.knowsReaders($0.readings) } ?? true)
  }

  // MARK: - The response

  private func findings(
    of documented: DocumentedCase, _ attempts: [LiveCaseAttempt]
  ) -> [Finding] {
    let liveCase = documented.liveCase
    var samples = zip(documented.responses, attempts).map { response, attempt in
      let readers = attempt.readers(of: liveCase)
      // Few documents list all headers: what nobody reads is not missed.
      let differences = response.differences.filter { difference in
        difference.type != .headerRemoved || readers.contains { $0.reads(difference) == true }
      }
      return (differences: differences, readers: readers)
    }
    if let first = attempts.first {
      samples.append((documented.breaches, first.readers(of: liveCase, areContent: true)))
    }
    return Comparison(samples, from: liveCase.contract).findings + documented.findings
      + requestFindings(documented, attempts.first)
  }

  private func consumerCheck(
    _ place: Int, _ documented: DocumentedCase, _ attempts: [LiveCaseAttempt]
  ) -> Check {
    let liveCase = documented.liveCase
    let reader = liveCase.readers[place]
    let (identity, spot) = (liveCase.identity(of: reader), liveCase.place(of: reader))
    guard !attempts.isEmpty else {
      return .notExercised(
        identity, at: spot, because: "\(documented.place.file) has no response for it")
    }
    // A response that is as the contract says cannot break anyone but by its values.
    let readings = zip(documented.responses, attempts).filter { !$0.0.differences.isEmpty }
      .map { $0.1.readings[place] }
    let broken = readings.first(where: \.isBroken)
    if broken == nil, !readings.isEmpty, !readings.contains(where: \.isContent) {
      return .couldNotCheck(
        identity, at: spot,
        because: readings.first?.inconclusive?.reason ?? "there was no outcome")
    }
    let findings = (broken?.findings ?? []).map {
      $0.with(message: "\($0.message) (see \(documented.place))", fix: $0.fix)
    }
    return .checked(identity, at: spot, findings: findings, failsOn: failsOn)
  }

  // MARK: - The request

  /// A request that the document does not allow would be refused, so it is an error whoever sends
  /// it. Where all senders are known and none sends it, only the contract is wrong: a warning.
  private func requestFindings(
    _ documented: DocumentedCase, _ attempt: LiveCaseAttempt?
  ) -> [Finding] {
    guard let rules = documented.rules else { return [] }
    let liveCase = documented.liveCase
    var order: [RequestRules.Breach] = []
    var senders: [RequestRules.Breach: [String]] = [:]
    func add(_ breaches: [RequestRules.Breach], by name: String?) {
      for breach in breaches {
        if senders[breach] == nil { order.append(breach) }
        senders[breach, default: []] += name.map { [$0] } ?? []
      }
    }
    let upstreamKeys = Set(
      liveCase.upstream.upstream.secrets.map { "header.\($0.header.lowercased())" })
    var sent: [(name: String?, request: Request)] = []
    for (reader, reading) in zip(liveCase.readers, attempt?.readings ?? []) {
      let own =
        reading.sent
        ?? reading.exchanges.first { liveCase.isServed(for: $0, index) }.map { Request($0) }
      if let own { sent.append((reader.consumer.name, own)) }
    }
    let isKnown =
      !sent.isEmpty && sent.count == liveCase.readers.count && liveCase.strangers.isEmpty
    if let example = try? liveCase.contract.exampleRequest(for: liveCase.served) {
      var request = Request(
        liveCase.upstream.request(example), method: example.method,
        target: example.path + (example.query.map { "?\($0)" } ?? ""))
      // Where the contract names no type, whoever sends it does.
      if example.headerValue("content-type") == nil {
        request.headers.removeAll { $0.key == "content-type" }
      }
      sent.append((nil, request))
    }
    for (name, request) in sent {
      add(rules.breaches(of: request, sending: upstreamKeys), by: name)
    }
    let breaches = order.map { breach in
      let names = senders[breach] ?? []
      return finding(
        on: breach, names.isEmpty && (isKnown || breach.isLeftOut) ? .warning : .error, by: names,
        of: liveCase)
    }
    (order, senders) = ([], [:])
    for (name, request) in sent { add(rules.deprecated(in: request), by: name) }
    return breaches
      + order.map { breach in
        let names = senders[breach] ?? []
        return finding(
          on: breach, names.isEmpty ? .note : .warning, .deprecated, by: names, of: liveCase)
      }
  }

  private func finding(
    on breach: RequestRules.Breach, _ severity: Finding.Severity,
    _ type: FindingType = .requestInvalid, by names: [String], of liveCase: PlannedCase
  ) -> Finding {
    let request = liveCase.contract.source["request"]
    let parameter = liveCase.contract.request.parameters.first {
      $0.key.lowercased() == breach.key.lowercased()
    }
    let source = parameter?.source ?? (breach.key == "body" ? request?["body"] : nil) ?? request
    let senders = names.joined(separator: ", ")
    return Finding(
      severity, type,
      breach.message + (names.isEmpty ? "" : ", sent by \(senders)") + " (see \(breach.place))",
      at: Place(liveCase.contract.file, source?.position),
      fix: severity == .note
        ? nil
        : (names.isEmpty ? "change the request of the contract" : "change what \(senders) sends")
          + ", or correct \(breach.place.file), or accept it with a reason")
  }
}
