import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySystem

/// Checks across files: names in other files, overlapping requests, missing cases.
struct CrossLint {
  let upstreams: [Upstream]
  let consumers: [Consumer]
  let consumersFile: String
  let batch: Batch

  /// What there is to check one contract against.
  private struct Task: Sendable {
    let contract: Contract
    let upstream: Upstream
    let settableStates: Set<StateValue>
  }

  func check() {
    let names = LibraryNames(upstreams, consumers)
    let tasks = upstreams.flatMap { upstream in
      let settable = settableStates(of: upstream)
      return upstream.contracts.map {
        Task(contract: $0, upstream: upstream, settableStates: settable)
      }
    }
    let (run, exhaustedFiles) = (batch.run, batch.exhaustedFiles)
    let brokenRules = batch.add(
      AllProcessors.map(tasks, itemsAtOnce: 16, threadCountMax: batch.threadCountMax) { task in
        let file = task.contract.file
        let complaints = Complaints(
          file: file, run: run, saysExhausted: exhaustedFiles.contains(file))
        return Noted(Self.check(task, names, complaints), complaints)
      })
    batch.add(
      AllProcessors.map(upstreams, threadCountMax: batch.threadCountMax) { upstream in
        ReachabilityLint(upstream: upstream).check()
      }.joined())
    checkWaivers(brokenRules)
    for consumer in consumers { check(consumer, names) }
    checkHosts()
  }

  /// Returns the violated rules, waived ones included.
  private static func check(
    _ task: Task, _ names: LibraryNames, _ complaints: Complaints
  ) -> Set<String> {
    let (contract, upstream) = (task.contract, task.upstream)
    ConditionLint(contract: contract, complaints: complaints).check()
    let expectations = ExpectationLint(contract: contract, names: names, complaints: complaints)
    let templates = TemplateLint(contract, names, complaints)
    for played in contract.cases {
      expectations.check(played)
      templates.check(played)
    }
    LiveLint(contract: contract, upstream: upstream, complaints: complaints).check()
    return CoverageLint(contract: contract, waivers: upstream.waivers, complaints: complaints)
      .check(settableStates: task.settableStates)
  }

  /// Reports waivers of upstreams that no contract needs.
  private func checkWaivers(_ brokenRules: [Set<String>]) {
    var start = 0
    for upstream in upstreams {
      let end = start + upstream.contracts.count
      if !upstream.waivers.isEmpty {
        CoverageLint.check(
          upstream.waivers, areNeededBy: Set(brokenRules[start..<end].joined()),
          batch.complaints(for: upstream.file))
      }
      start = end
    }
  }

  /// Reports upstreams that share host, port and base path: requests cannot be assigned to one.
  private func checkHosts() {
    var seen: [String: Upstream] = [:]
    for upstream in upstreams {
      for (host, places) in upstream.ownPlaces {
        let places = places.map { $0 + upstream.basePath }
        if let other = places.lazy.compactMap({ seen[$0] }).first, other.name != upstream.name {
          batch.complaints(for: upstream.file).add(
            .ambiguous, at: nil,
            "found host \"\(host + upstream.basePath)\", which \(other.name)"
              + " already uses",
            fix: "give one of them its own \"hosts\"")
        }
        for place in places { seen[place] = upstream }
      }
    }
  }

  private func check(_ consumer: Consumer, _ names: LibraryNames) {
    for (index, upstream) in consumer.upstreamNames.enumerated()
    where !names.hasUpstream(upstream) {
      batch.complaints(for: consumersFile).add(
        .unknownEndpoint, at: consumer.source["upstreams"]?[index] ?? consumer.source,
        "found upstream \"\(upstream)\", which does not exist",
        fix: spellingSuggestion(for: upstream, among: names.upstreams, noun: "the upstreams"))
    }
  }

  /// The state values that a case or scenario of this upstream can set.
  private func settableStates(of upstream: Upstream) -> Set<StateValue> {
    var states = Set(upstream.scenarios.flatMap(\.state))
    for contract in upstream.contracts {
      for played in contract.cases { states.formUnion(played.then) }
    }
    return states
  }
}
