package import ContractModel
import Diagnostics
package import Findings

extension History {
  /// A finding for each upstream of which nothing could be checked on its last nights, so many of
  /// them: days, in UTC, on which it was asked. Whoever refuses access or is asked too often has not
  /// gone.
  ///
  /// - Parameter upstreams: those that matter.
  package func outages(nightCount: Int, of upstreams: [Upstream]) -> [Finding] {
    let names = Set(upstreams.map(\.name))
    var days: [String: [Int: [HistoryRecord]]] = [:]
    for record in records
    where record.verdict != .notExercised && names.contains(record.identity.upstream) {
      days[record.identity.upstream, default: [:]][record.at / 86_400, default: []].append(record)
    }
    return upstreams.sorted { $0.name < $1.name }.compactMap { upstream in
      let nights = (days[upstream.name] ?? [:]).sorted { $0.key > $1.key }.prefix(nightCount)
        .map(\.value)
      guard nights.count == nightCount,
        nights.allSatisfy({ $0.allSatisfy { $0.verdict == .couldNotCheck } })
      else { return nil }
      return upstream.finding(of: nights)
    }
  }
}

extension Upstream {
  /// - Parameter nights: on which nothing could be checked.
  fileprivate func finding(of nights: [[HistoryRecord]]) -> Finding {
    let isAway = nights.joined().allSatisfy { $0.cause == nil || $0.cause == .away }
    let isRefused = nights.allSatisfy { $0.contains { $0.cause == .refused } }
    let readers = Set(nights.joined().compactMap(\.identity.consumer)).sorted()
    // No reason: the same words each night, until something changes.
    let span =
      " on \(nights.count.of("night")) in a row"
      + (readers.isEmpty ? "" : ", read by \(readers.joined(separator: ", "))")
      + (owner.map { "; owner: \($0)" } ?? "")
    let place = Place(file, basePosition)
    if isAway {
      return Finding(
        .error, .outage, "found no answer of \(name) that can be judged" + span, at: place,
        fix: (owner.map { "ask \($0); if" } ?? "if")
          + " it is gone for good, say so in its upstream.json: \"retired\": \"REASON\"")
    }
    if isRefused {
      let variables = secrets.map(\.environmentName)
      return Finding(
        .error, .accessRefused, "found access to \(name) refused" + span, at: place,
        fix: variables.isEmpty
          ? "name the secret that it wants in its upstream.json"
          : "see whether \(variables.joined(separator: ", ")) is set, and still holds")
    }
    return Finding(
      .error, .unchecked, "found nothing of \(name) that could be checked" + span, at: place,
      fix: "run understudy drift \(name) to see why, and let \"rate\" in its upstream.json be what"
        + " it allows")
  }
}
