import Diagnostics
package import Findings

extension History {
  /// A finding for each upstream that could not be checked at all on its last nights, so many of
  /// them: days, in UTC, on which it was asked.
  ///
  /// - Parameter upstreams: those that matter.
  package func outages(
    nightCount: Int, of upstreams: Set<String>, owners: [String: String] = [:]
  ) -> [Finding] {
    var days: [String: [Int: [HistoryRecord]]] = [:]
    for record in records
    where record.verdict != .notExercised && upstreams.contains(record.identity.upstream) {
      days[record.identity.upstream, default: [:]][record.at / 86_400, default: []].append(record)
    }
    return days.keys.sorted().compactMap { upstream in
      let nights = (days[upstream] ?? [:]).sorted { $0.key > $1.key }.prefix(nightCount)
      guard nights.count == nightCount,
        nights.allSatisfy({ $0.value.allSatisfy { $0.verdict == .couldNotCheck } })
      else { return nil }
      return Finding(
        .error, .outage,
        // No reason: the same words each night, until something changes.
        "found no answer of \(upstream) that can be judged on \(nightCount.of("night")) in a row",
        fix: (owners[upstream].map { "ask \($0); if" } ?? "if")
          + " it is gone for good, say so in its upstream.json: \"retired\": \"REASON\"")
    }
  }
}
