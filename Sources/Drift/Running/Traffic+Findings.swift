import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

extension [Traffic] {
  /// Reports for each upstream which requests failed, that it was given up, and that its rate left
  /// out cases.
  func findings(of results: [LiveCaseResult], _ upstreams: [Upstream]) -> [Finding] {
    let results = Dictionary(grouping: results) { $0.liveCase.upstream.name }
    let traffic = Dictionary(
      map { ($0.upstream, $0) }, uniquingKeysWith: { first, _ in first })
    return upstreams.flatMap { upstream -> [Finding] in
      guard let traffic = traffic[upstream.name] else { return [] }
      let results = results[upstream.name] ?? []
      return [
        upstream.round(of: results), traffic.givenUp(upstream, results), traffic.failures(upstream),
      ].compactMap(\.self)
    }
  }
}

extension Upstream {
  fileprivate func round(of results: [LiveCaseResult]) -> Finding? {
    let leftOutCount = results.count { $0.isLeftOut && !$0.isCut }
    let checkedCount = results.count { !$0.isLeftOut }
    guard leftOutCount > 0, checkedCount > 0, let rate = rate?.words else { return nil }
    let runCount = (results.count - 1) / checkedCount + 1
    return Finding(
      .note, .rate,
      "requested \(checkedCount) of \(results.count.of("case")) of \(name), as its rate of"
        + " \(rate) allows; a round of all cases takes"
        + " \(runCount.of("run")), and those that have waited longest come first",
      at: Place(file, nil),
      fix: "raise \"rate\" in \(file) if \(name) allows more, or run drift more often")
  }
}

extension Traffic {
  fileprivate func givenUp(_ upstream: Upstream, _ results: [LiveCaseResult]) -> Finding? {
    guard isGivenUp else { return nil }
    let count = results.count { result in
      result.exchanges.allSatisfy {
        if case .withheld = $0.exchange.outcome { true } else { false }
      }
    }
    return Finding(
      .note, .givenUp,
      "gave up \(upstream.name) after 3 time-outs in a row"
        + (count > 0
          ? "; no request was sent for \(count) of \(results.count.of("case"))" : ""),
      at: Place(upstream.file, upstream.basePosition),
      fix: "check whether \(upstream.name) is up, or allow more time with --timeout")
  }

  /// Unless all failed: then no check has passed, and each says why.
  fileprivate func failures(_ upstream: Upstream) -> Finding? {
    guard failedCount > 0, failedCount < sentCount else { return nil }
    let isFlaky = failedCount * 100 >= sentCount * upstream.failedPercent
    let kinds = failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) × \($0.key)" }
    return Finding(
      isFlaky ? .warning : .note, .requestsFailed,
      "\(failedCount) of \(sentCount.of("request")) to \(upstream.name) failed:"
        + " \(kinds.joined(separator: ", "))",
      at: Place(upstream.file, upstream.basePosition),
      fix: isFlaky
        ? (upstream.owner.map { "ask \($0), or " } ?? "")
          + "set \"failedPercent\" in \(upstream.file) to what is normal for it" : nil)
  }
}
