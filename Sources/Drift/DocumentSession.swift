package import UnderstudyConsumers
package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting
package import UnderstudyFindings
package import UnderstudyInterchange
import UnderstudyJSON
package import UnderstudySuite

/// A drift run against OpenAPI documents in place of the live APIs: nothing is sent, and neither
/// responses nor history are stored.
package struct DocumentSession: Sendable {
  /// What `understudy drift --against` was asked for.
  package struct Options {
    /// The documents, with the names of their upstreams.
    package var documents: [(upstream: String, api: DocumentedAPI)] = []
    /// The selected cases; all when empty.
    package var globs: [CaseGlob] = []
    /// The lowest severity that fails a check.
    package var failsOn = Finding.Severity.error
    package var accepted: AcceptedDrift?
    /// What commands read.
    package var learned = LearnedReads()

    package init() {}
  }

  private let library: ContractLibrary
  private let plan: DriftPlan
  private let cases: [DocumentedCase]
  /// The checks of contracts whose operation the documents do not have.
  private var settled: [Check] = []
  /// The findings on documents as a whole: moved servers, and operations without contracts.
  private var findings: [Finding] = []
  private let accepted: AcceptedDrift?
  private let failsOn: Finding.Severity
  private let words: [String]

  /// Reads what the documents say of the selected cases, and reports what is wrong in them.
  package init(
    _ library: ContractLibrary, _ registry: ConsumerRegistry, _ options: Options
  ) throws(Failure) {
    self.library = library
    accepted = options.accepted
    failsOn = options.failsOn
    words =
      options.globs.map(\.text) + options.documents.flatMap { ["--against", $0.api.file] }
    var planned = DriftPlan.Options()
    planned.learned = options.learned
    planned.documented = Set(options.documents.map(\.upstream))
    for upstream in library.upstreams where upstream.baseURL == nil {
      planned.baseURLs[upstream.name] = WebURL(scheme: "http", host: "\(upstream.name).invalid")
    }
    plan = DriftPlan(library, registry, planned, environment: { _ in nil }) { contract, served in
      options.globs.selects(contract, served)
    }
    var cases: [DocumentedCase] = []
    for (name, api) in options.documents {
      guard let upstream = library.upstreams.first(where: { $0.name == name }) else { continue }
      let match = OperationMatch(api, upstream)
      if let moved = Self.moved(upstream, api, match) { findings.append(moved) }
      let planned = cases.count
      let liveCases = Dictionary(
        grouping: plan.liveCases.filter { $0.contract.upstreamName == name }, by: \.contract.id)
      for contract in upstream.contracts {
        guard let liveCases = liveCases[contract.id], let first = liveCases.first else { continue }
        guard let operation = match.operation(of: contract) else {
          settled.append(Self.removed(first, from: api, failsOn))
          continue
        }
        cases += try Self.cases(liveCases, of: contract, operation)
      }
      let undocumented = cases[planned...].filter(\.isUndocumented)
      if !undocumented.isEmpty { findings.append(Self.undocumented(undocumented, in: api)) }
      if upstream.contracts.allSatisfy({ liveCases[$0.id] != nil || $0.cases.isEmpty }) {
        findings += match.uncovered.map {
          Finding(
            .note, .operationAdded, "no contract covers \($0.subject)", at: $0.place)
        }
      }
    }
    self.cases = cases
  }

  private static func cases(
    _ liveCases: [PlannedCase], of contract: Contract, _ operation: DocumentedOperation
  ) throws(Failure) -> [DocumentedCase] {
    var cases: [DocumentedCase] = []
    // What the document forbids need not have a response there.
    let responses = liveCases.filter { liveCase in
      liveCase.served.refusal == nil
        || operation.response(for: liveCase.served.status ?? 400) != nil
    }
    for liveCase in responses.isEmpty ? liveCases : responses {
      cases.append(try DocumentedCase(liveCase, in: operation))
    }
    let first = cases.firstIndex { $0.liveCase.served.status ?? 200 < 400 }
    if let first { cases[first].rules = try RequestRules(of: operation) }
    if operation.isDeprecated, !cases.isEmpty {
      cases[first ?? 0].findings.append(Self.deprecated(operation, contract))
    }
    let known = Set(contract.cases.compactMap(\.status))
    let responded = Set(cases.flatMap { $0.responses.map(\.response.status) })
    for (key, place) in operation.statuses {
      guard let status = Int(key), !known.contains(status), !responded.contains(status) else {
        continue
      }
      cases[first ?? 0].findings.append(
        Finding(
          .note, .statusAdded, "no case has status \(status) (see \(place))",
          at: Place(contract.file, contract.source["cases"]?.position)))
    }
    return cases
  }

  /// Reports that no server has the path of the upstream's address any more. A document that names
  /// another host may describe another deployment.
  private static func moved(
    _ upstream: Upstream, _ api: DocumentedAPI, _ match: OperationMatch
  ) -> Finding? {
    guard let base = upstream.baseURL, !match.usesBases, let server = api.servers.first,
      !api.servers.contains(where: { $0.path == upstream.basePath })
    else { return nil }
    let isSame = api.servers.contains { $0.host == nil || $0.host == base.host }
    return Finding(
      isSame ? .error : .warning, .serverMoved,
      "found the server \(server.text), expected the path of \(base), which is the address of"
        + " \(upstream.name)", at: server.place,
      fix: "change \"baseURL\" in \(upstream.file), or correct \(api.file)")
  }

  /// Reports a deprecated operation: whoever sends the request has to move sooner or later.
  private static func deprecated(
    _ operation: DocumentedOperation, _ contract: Contract
  ) -> Finding {
    Finding(
      contract.hasConsumers ? .warning : .note, .deprecated,
      "\(operation.subject) is deprecated (see \(operation.place))",
      at: Place(contract.file, contract.source["request"]?.position),
      fix: contract.hasConsumers ? "move to what replaces it, or accept it with a reason" : nil)
  }

  private static let namesMax = 8

  /// Makes one finding of all cases of an upstream, since few documents list all failures.
  private static func undocumented(_ cases: [DocumentedCase], in api: DocumentedAPI) -> Finding {
    let names = cases.prefix(namesMax).map {
      "\($0.liveCase.identity.caseID) (\($0.liveCase.served.status ?? 0))"
    }
    let rest = cases.count > namesMax ? " and \(cases.count - namesMax) more" : ""
    return Finding(
      .note, .statusUndocumented,
      "no response for \(cases.count.of("case")) of failure:"
        + " \(names.joined(separator: ", "))\(rest)", at: Place(api.file))
  }

  /// Reports an operation that is gone. It is an error even if no contract says who uses it:
  /// whoever sends the request fails.
  private static func removed(
    _ liveCase: PlannedCase, from api: DocumentedAPI, _ failsOn: Finding.Severity
  ) -> Check {
    let contract = liveCase.contract
    var names: [String] = []
    for name in contract.cases.flatMap(\.expectations).map(\.consumer) where !names.contains(name) {
      names.append(name)
    }
    let users = names.isEmpty ? "" : ", used by \(names.joined(separator: ", "))"
    return .checked(
      liveCase.identity, at: liveCase.place,
      findings: [
        Finding(
          .error, .operationRemoved,
          "no operation \(contract.request.method) \(contract.request.path) in"
            + " \(api.file)\(users)",
          at: Place(contract.file, contract.source["request"]?.position),
          fix:
            "remove the contract, or add the operation to \(api.file), or accept it with a reason"
        )
      ], failsOn: failsOn)
  }

  /// Gives the responses to the consumers. Cases that are left when the task is cancelled could not
  /// be checked.
  package func report(toolVersion: String) async -> Report {
    let (startedAt, start) = (Moment.now, ContinuousClock.now)
    let results = await DocumentRun(cases, plan, library, failsOn: failsOn).results()
    var checks = results.flatMap(\.checks) + settled + plan.settled
    var findings = findings
    if let accepted {
      let applied = accepted.applied(to: checks, failsOn: failsOn, now: startedAt)
      checks = applied.checks
      findings += applied.findings
    }
    findings += results.unknownReaders(in: checks)
    let run = Run(
      command: (["understudy drift"] + words).joined(separator: " "), toolVersion: toolVersion,
      plannedCount: checks.count, failsOn: failsOn, startedAt: startedAt.rfc3339,
      duration: ContinuousClock.now - start)
    return Report(run, checks: checks, findings: findings, owners: library.owners)
  }
}
