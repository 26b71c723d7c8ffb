package import UnderstudyConsumers
package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFindings
import UnderstudyJSON
package import UnderstudySuite

/// The live cases of a run, and those it cannot check.
package struct DriftPlan: Sendable {
  /// The cases, in the order of their contracts.
  package private(set) var liveCases: [PlannedCase] = []
  /// Results known without a request: not exercised, or a missing secret.
  package private(set) var settled: [Check] = []
  /// Every upstream with a live API, whether it is asked or not.
  package let upstreams: [LiveUpstream]
  private let registry: ConsumerRegistry
  private let consumers: [Consumer]
  private let otherTools: [String: String]
  private let options: Options

  /// What decides which cases are planned, and where their requests go.
  package struct Options: Sendable {
    /// Addresses that replace live APIs, by upstream name.
    package var baseURLs: [String: WebURL] = [:]
    /// Whether a secret that is not set is a failure.
    package var requiresSecrets = false
    /// The ids of cases with stored responses; `nil` when the live APIs are used.
    package var responded: Set<String>?
    /// What commands read.
    package var learned = LearnedReads()
    /// The upstreams that a document stands in for, where every good case is planned; `nil` when
    /// requests are sent or were sent.
    package var documented: Set<String>?

    package init() {}
  }

  package init(
    _ library: ContractLibrary, _ registry: ConsumerRegistry, _ options: Options,
    environment: (String) -> String?, where selects: (Contract, Case) -> Bool = { _, _ in true }
  ) {
    self.registry = registry
    consumers = library.consumers
    otherTools = registry.otherTools(of: library.consumers)
    self.options = options
    upstreams = [LiveUpstream](library, options.baseURLs, environment: environment)
    for upstream in library.upstreams {
      for contract in upstream.contracts {
        let cases = contract.cases.filter { selects(contract, $0) }
        if let documented = options.documented {
          guard documented.contains(upstream.name) else { continue }
          addDocumented(contract, of: upstream, cases)
        } else {
          add(contract, of: upstream, cases)
        }
      }
    }
  }

  private mutating func add(_ contract: Contract, of upstream: Upstream, _ cases: [Case]) {
    let live = cases.filter(\.isLive)
    guard !live.isEmpty else {
      // One line for each contract, since most cases are not live.
      if let first = cases.first(where: { $0.name == contract.defaultCase?.name }) ?? cases.first {
        leaveOut(
          contract, first,
          because: upstream.baseURL == nil
            ? "\(upstream.name) has no live API: upstream.json names no \"baseURL\""
            : cases.count < contract.cases.count
              ? "it is not live" : "no case of this contract is live"
        )
      }
      return
    }
    for served in live { add(contract, of: upstream, served) }
  }

  private mutating func addDocumented(
    _ contract: Contract, of upstream: Upstream, _ cases: [Case]
  ) {
    guard let live = upstreams.first(where: { $0.name == upstream.name }) else { return }
    let good = cases.filter { $0.kind == .good && $0.response != nil }
    if good.isEmpty, let first = cases.first {
      leaveOut(
        contract, first, because: "a document cannot have slow, broken or malformed responses")
    }
    for served in good { plan(contract, live, served) }
  }

  private mutating func add(_ contract: Contract, of upstream: Upstream, _ served: Case) {
    let isServed = options.responded?.contains("\(contract.id)#\(served.name)")
    if let reason = upstream.retired, isServed != true, options.baseURLs[upstream.name] == nil {
      return leaveOut(contract, served, because: "\(upstream.name) is retired: \(reason)")
    }
    guard let live = upstreams.first(where: { $0.name == upstream.name }) else {
      return leaveOut(contract, served, because: "\(upstream.name) has no live API")
    }
    let isSafe = served.live?.isSafe ?? false
    guard ["GET", "HEAD"].contains(contract.request.method) || isSafe else {
      return leaveOut(
        contract, served,
        because: "\(contract.request.method) could change something, and \"live\" does not say that"
          + " it is safe")
    }
    if isServed != true, let missing = live.missingSecrets.first {
      return add(contract, served, without: missing, upstream)
    }
    if isServed == false {
      return leaveOut(contract, served, because: "the replayed run did not request it")
    }
    plan(contract, live, served)
  }

  private mutating func plan(_ contract: Contract, _ live: LiveUpstream, _ served: Case) {
    var readers: [PlannedCase.Reader] = []
    var strangers: [PlannedCase.Stranger] = []
    for expectation in served.expectations {
      guard let consumer = registry.callee(expectation.consumer, among: consumers) else {
        let tool = otherTools[expectation.consumer]
        strangers.append(PlannedCase.Stranger(name: expectation.consumer, toolName: tool))
        settled.append(
          .notExercised(
            Check.Identity(contract.id, served.name, consumer: expectation.consumer),
            at: Place(contract.file, expectation.source.position),
            because: tool.map { "only \($0) can call \(expectation.consumer): run `\($0) drift`" }
              ?? "this tool has no service \(expectation.consumer)"))
        continue
      }
      if let companion = expectation.companions.first {
        settled.append(
          .notExercised(
            Check.Identity(contract.id, served.name, consumer: consumer.name),
            at: Place(contract.file, expectation.source.position),
            because: "it needs \(companion.contractID(beside: contract)) to serve"
              + " \"\(companion.caseName)\", which only a fake can do"))
      } else {
        let entry = options.learned.entry(of: consumer.name, in: served, of: contract)
        readers.append(
          PlannedCase.Reader(
            expectation: expectation, consumer: consumer,
            learned: entry?.readPaths(in: served)))
      }
    }
    liveCases.append(
      PlannedCase(
        contract: contract, served: served, upstream: live, readers: readers,
        strangers: strangers))
  }

  private mutating func leaveOut(_ contract: Contract, _ served: Case, because reason: String) {
    settled.append(
      .notExercised(
        Check.Identity(contract.id, served.name, consumer: nil),
        at: Place(contract.file, served.source.position), because: reason))
  }

  private mutating func add(
    _ contract: Contract, _ served: Case, without name: String, _ upstream: Upstream
  ) {
    guard options.requiresSecrets else {
      return leaveOut(contract, served, because: "secret \(name) is not set")
    }
    settled.append(
      .checked(
        Check.Identity(contract.id, served.name, consumer: nil),
        at: Place(contract.file, served.source.position),
        findings: [
          Finding(
            .error, .secretMissing, "missing secret \(name), which \(upstream.name) needs",
            at: Place(upstream.file, nil), fix: "set \(name) in the environment of this command")
        ]))
  }
}
