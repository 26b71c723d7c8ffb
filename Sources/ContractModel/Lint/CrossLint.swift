import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySystem

/// Checks across files: names of other contracts, overlapping requests, missing cases.
struct CrossLint {
  let upstreams: [Upstream]
  let consumers: [Consumer]
  let names: LibraryNames
  let consumersFile: String
  let batch: LoadingBatch

  /// - Parameter checksExpectations: whether what consumers expect is checked, too.
  func check(checksExpectations: Bool) {
    if checksExpectations {
      checkCompanions()
      for consumer in consumers { check(consumer) }
    }
    batch.add(
      AllProcessors.map(upstreams, threadCountMax: batch.threadCountMax) { upstream in
        ReachabilityLint(upstream: upstream).check()
      }.joined())
    checkHosts()
  }

  /// Reports expectations that name cases of contracts that do not exist.
  private func checkCompanions() {
    let contracts = upstreams.flatMap(\.contracts).filter(\.hasCompanions)
    guard !contracts.isEmpty else { return }
    let names = ContractNames(upstreams)
    for contract in contracts {
      let lint = CompanionLint(
        contract: contract, names: names, complaints: batch.complaints(for: contract.file))
      lint.check()
    }
  }

  /// Warns of missing cases, and of waivers that nothing needs.
  func checkCoverage() {
    let broken = batch.filesWithErrors
    let tasks = upstreams.flatMap { upstream in
      let settable = SettableStates(of: upstream)
      return upstream.contracts.map {
        CoverageTask(
          contract: $0, isWhole: !broken.contains($0.file), waivers: upstream.waivers,
          settableStates: settable)
      }
    }
    let brokenRules = batch.add(
      AllProcessors.map(tasks, itemsAtOnce: 16, threadCountMax: batch.threadCountMax) { task in
        let complaints = Complaints(file: task.contract.file)
        let lint = CoverageLint(
          contract: task.contract, isWhole: task.isWhole, waivers: task.waivers,
          complaints: complaints)
        return Noted(lint.check(settableStates: task.settableStates), complaints)
      })
    checkWaivers(brokenRules)
  }

  private struct CoverageTask: Sendable {
    let contract: Contract
    let isWhole: Bool
    let waivers: [Waiver]
    let settableStates: SettableStates
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
            "\(other.name) already uses host \"\(host + upstream.basePath)\"",
            fix: "give one of them its own \"hosts\"")
        }
        for place in places { seen[place] = upstream }
      }
    }
  }

  private func check(_ consumer: Consumer) {
    for (index, upstream) in consumer.upstreamNames.enumerated()
    where !names.hasUpstream(upstream) {
      batch.complaints(for: consumersFile).add(
        .unknownEndpoint, at: consumer.source["upstreams"]?[index] ?? consumer.source,
        "upstream \"\(upstream)\" does not exist",
        fix: spellingSuggestion(for: upstream, among: names.upstreams, noun: "the upstreams"))
    }
  }
}
