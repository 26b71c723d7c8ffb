package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings
import UnderstudyJSON

extension History {
  /// A finding for each upstream or case that could not be checked on this many last nights. A
  /// night is a UTC day on which requests were sent. Denied or limited access is not an outage.
  ///
  /// A case is reported only if its upstream is not.
  ///
  /// - Parameters:
  ///   - upstreams: those included.
  ///   - caseIDs: the included cases; `nil` for all.
  package func outages(
    nightCount: Int, of upstreams: [Upstream], _ caseIDs: Set<String>? = nil
  ) -> [Finding] {
    let asked = Dictionary(grouping: records.filter { $0.verdict != .notExercised }) {
      $0.identity.upstream
    }
    return upstreams.sorted { $0.name < $1.name }.flatMap { upstream -> [Finding] in
      let own = asked[upstream.name] ?? []
      if let outage = Outage(own, nightCount: nightCount, where: { $0.isUnchecked }) {
        return [upstream.finding(of: outage)]
      }
      let cases = Dictionary(grouping: own, by: \.identity.caseID)
      return upstream.contracts.flatMap { contract in
        contract.cases.compactMap { played in
          let id = "\(contract.id)#\(played.name)"
          guard caseIDs?.contains(id) ?? true, let records = cases[id] else { return nil }
          return Outage(records, nightCount: nightCount, where: { $0.isPartlyUnchecked }).map {
            upstream.finding(of: $0, in: played, of: contract)
          }
        }
      }
    }
  }
}

/// The last nights in a row on which nothing could be checked.
private struct Outage {
  let nightCount: Int
  let readers: [String]
  let kind: FindingType

  /// Returns `nil` when there are fewer.
  ///
  /// - Parameters:
  ///   - records: oldest first.
  ///   - isOut: whether the records of a night count.
  init?(_ records: [HistoryRecord], nightCount: Int, where isOut: ([HistoryRecord]) -> Bool) {
    let nights = Dictionary(grouping: records) { $0.at.date }.sorted { $0.key > $1.key }
      .map(\.value).prefix(while: isOut)
      .map { $0.filter { $0.verdict == .couldNotCheck } }
    guard nights.count >= max(1, nightCount) else { return nil }
    self.nightCount = nights.count
    let recent = nights.prefix(nightCount)
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
  fileprivate var isUnchecked: Bool { allSatisfy { $0.verdict == .couldNotCheck } }

  /// Whether the answer of a case, or a service that reads it, was never judged, and nothing
  /// failed, since failures are findings already.
  fileprivate var isPartlyUnchecked: Bool {
    !contains { $0.verdict == .fail }
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
    of outage: Outage, in played: Case, of contract: Contract
  ) -> Finding {
    let id = "\(contract.id)#\(played.name)"
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
      of: outage, named: id, at: Place(contract.file, played.source.position), fix: fix)
  }

  private var secretNames: String {
    "\(secrets.map(\.environmentName).joined(separator: ", ")) is set and still valid"
  }

  private func finding(
    of outage: Outage, named name: String, at place: Place, fix: String
  ) -> Finding {
    let what =
      switch outage.kind {
      case .outage: "found no answer from \(name) that can be judged"
      case .accessRefused: "found access to \(name) refused"
      default: "found no case of \(name) that could be checked"
      }
    return Finding(
      .error, outage.kind,
      what + " on \(outage.nightCount.of("night")) in a row"
        + (outage.readers.isEmpty
          ? "" : ", read by \(outage.readers.joined(separator: ", "))")
        + (owner.map { "; owner: \($0)" } ?? ""), at: place, fix: fix)
  }
}
