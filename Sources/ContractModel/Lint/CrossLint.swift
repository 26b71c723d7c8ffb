import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Checks across files: names in other files, overlapping requests, missing cases.
struct CrossLint {
  let upstreams: [Upstream]
  let consumers: [Consumer]
  let consumersFile: String
  let batch: Batch

  func check() {
    let names = LibraryNames(upstreams, consumers)
    for upstream in upstreams {
      ReachabilityLint(upstream: upstream, batch: batch).check()
      let settable = settableStates(of: upstream)
      var brokenRules: Set<String> = []
      for contract in upstream.contracts {
        let complaints = batch.complaints(for: contract.file)
        let expectations = ExpectationLint(contract: contract, names: names, complaints: complaints)
        let templates = TemplateLint(contract, names, complaints)
        for played in contract.cases {
          expectations.check(played)
          templates.check(played)
        }
        LiveLint(contract: contract, upstream: upstream, complaints: complaints).check()
        brokenRules.formUnion(
          CoverageLint(contract: contract, waivers: upstream.waivers, complaints: complaints)
            .check(settableStates: settable))
      }
      CoverageLint.check(
        upstream.waivers, areNeededBy: brokenRules, batch.complaints(for: upstream.file))
    }
    for consumer in consumers { check(consumer, names) }
    checkHosts()
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
