package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings
import UnderstudyJSON

extension History {
  /// A finding for each upstream or case that could not be checked on this many last runs. A
  /// run is a UTC day on which requests were sent. Denied or limited access is not an outage.
  ///
  /// A case is reported only if its upstream is not.
  ///
  /// - Parameters:
  ///   - upstreams: those included.
  ///   - caseIDs: the included cases; `nil` for all.
  package func outages(
    runCount: Int, of upstreams: [Upstream], _ caseIDs: Set<String>? = nil
  ) -> [Finding] {
    let asked = Dictionary(grouping: records.filter { $0.result != .notExercised }) {
      $0.identity.upstream
    }
    return upstreams.sorted { $0.name < $1.name }.flatMap { upstream -> [Finding] in
      let own = asked[upstream.name] ?? []
      if let outage = Outage(own, runCount: runCount, where: { $0.isUnchecked }) {
        return [upstream.finding(of: outage)]
      }
      let cases = Dictionary(grouping: own, by: \.identity.caseID)
      return upstream.contracts.flatMap { contract in
        contract.cases.compactMap { served in
          let id = "\(contract.id)#\(served.name)"
          guard caseIDs?.contains(id) ?? true, let records = cases[id] else { return nil }
          return Outage(records, runCount: runCount, where: { $0.isPartlyUnchecked }).map {
            upstream.finding(of: $0, in: served, of: contract)
          }
        }
      }
    }
  }
}

/// The last runs in a row on which nothing could be checked.
private struct Outage {
  let runCount: Int
  let readers: [String]
  let kind: FindingType

  /// Returns `nil` when there are fewer.
  ///
  /// - Parameters:
  ///   - records: oldest first.
  ///   - isOut: whether the records of a run count.
  init?(_ records: [HistoryRecord], runCount: Int, where isOut: ([HistoryRecord]) -> Bool) {
    let runs = Dictionary(grouping: records) { $0.at.date }.sorted { $0.key > $1.key }
      .map(\.value).prefix(while: isOut)
      .map { $0.filter { $0.result == .couldNotCheck } }
    guard runs.count >= max(1, runCount) else { return nil }
    self.runCount = runs.count
    let recent = runs.prefix(runCount)
    readers = Set(recent.joined().compactMap(\.identity.consumer)).sorted()
    if recent.joined().allSatisfy({ $0.cause == nil || $0.cause == .away }) {
      kind = .outage
    } else if recent.allSatisfy({ $0.contains { $0.cause == .refused } }) {
      kind = .accessRefused
    } else {
      kind = .unchecked
    }
  }
}

extension [HistoryRecord] {
  fileprivate var isUnchecked: Bool { allSatisfy { $0.result == .couldNotCheck } }

  /// Whether the response of a case, or a service that reads it, was never checked, and nothing
  /// failed, since failures are findings already.
  fileprivate var isPartlyUnchecked: Bool {
    !contains { $0.result == .fail }
      && Dictionary(grouping: self, by: \.identity.consumer).values.contains(where: \.isUnchecked)
  }
}

extension Upstream {
  fileprivate func finding(of outage: Outage) -> Finding {
    let fix =
      switch outage.kind {
      case .outage:
        (owner.map { "ask \($0); if" } ?? "if")
          + " it is gone for good, say so in its upstream.json: \"retired\": \"REASON\""
      case .accessRefused:
        secrets.isEmpty
          ? "name the secret it needs in its upstream.json" : "check whether \(secretNames)"
      default:
        "run understudy drift \(name) to see why, and set \"rate\" in its upstream.json to what it"
          + " allows"
      }
    return finding(of: outage, named: name, at: Place(file, basePosition), fix: fix)
  }

  fileprivate func finding(
    of outage: Outage, in served: Case, of contract: Contract
  ) -> Finding {
    let id = "\(contract.id)#\(served.name)"
    let fix =
      switch outage.kind {
      case .outage:
        (owner.map { "ask \($0); if" } ?? "if")
          + " it is gone for good, remove \"live\" from the case"
      case .accessRefused:
        secrets.isEmpty
          ? "name the secret it needs in upstream.json, or remove \"live\" from the case"
          : "check whether \(secretNames) for this request"
      default: "run understudy drift \(id) to see why"
      }
    return finding(
      of: outage, named: id, at: Place(contract.file, served.source.position), fix: fix)
  }

  private var secretNames: String {
    "\(secrets.map(\.environmentName).joined(separator: ", ")) is set and still valid"
  }

  private func finding(
    of outage: Outage, named name: String, at place: Place, fix: String
  ) -> Finding {
    let what =
      switch outage.kind {
      case .outage: "no response from \(name) could be checked"
      case .accessRefused: "access to \(name) is refused"
      default: "no case of \(name) could be checked"
      }
    return Finding(
      .error, outage.kind,
      what + " on \(outage.runCount.of("run")) in a row"
        + (outage.readers.isEmpty
          ? "" : ", read by \(outage.readers.joined(separator: ", "))")
        + (owner.map { "; owner: \($0)" } ?? ""), at: place, fix: fix)
  }
}
