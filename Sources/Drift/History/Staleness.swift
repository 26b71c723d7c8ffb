package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFindings
import UnderstudyHTTP

extension ContractLibrary {
  /// Live cases with their contracts, except those whose request could change something.
  package var liveCases: [(contract: Contract, liveCase: Case)] {
    upstreams.filter { $0.baseURL != nil && $0.retired == nil }.flatMap { upstream in
      upstream.contracts.flatMap { contract in
        let isReading = ["GET", "HEAD"].contains(contract.request.method)
        return contract.cases.filter { $0.live.map { isReading || $0.isSafe } ?? false }
          .map { (contract, $0) }
      }
    }
  }

  /// The owner of each upstream, by name.
  package var owners: [String: String] {
    var owners: [String: String] = [:]
    for upstream in upstreams { owners[upstream.name] = upstream.owner }
    return owners
  }
}

extension History {
  /// A finding for each contract with a live case not checked within this time.
  ///
  /// Only a checked response verifies a case; runs without responses or requests do not.
  package func staleness(
    of cases: [(contract: Contract, liveCase: Case)], ageMax: Duration, now: Moment
  ) -> [Finding] {
    var stale: [String: [(liveCase: Case, lastChecked: Moment?)]] = [:]
    var contracts: [Contract] = []
    for (contract, liveCase) in cases {
      let lastChecked = self["\(contract.id)#\(liveCase.name)"].lastChecked
      if let lastChecked, now - lastChecked <= ageMax { continue }
      if stale[contract.id] == nil { contracts.append(contract) }
      stale[contract.id, default: []].append((liveCase, lastChecked))
    }
    return contracts.map { contract in
      // No age, so the text stays the same until something changes.
      let words = (stale[contract.id] ?? []).map { liveCase, lastChecked in
        lastChecked.map { "\(liveCase.name) on \($0.date)" }
          ?? "\(liveCase.name) never"
      }
      return Finding(
        .error, .stale,
        "found \(contract.id) last checked: \(words.joined(separator: ", ")); expected within"
          + " \(ageMax.inLargestUnit)",
        at: Place(contract.file), fix: "run understudy drift \(contract.id)")
    }
  }
}
