import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting

extension EarlierAnswers {
  /// An upstream may change its answer without changing the tag, so every answer is fetched in full
  /// after this time.
  private static let ageMax = Duration.seconds(7 * 86_400)

  /// For each case, the answers of the last run in which its upstream could be judged.
  package init(in folder: EvidenceFolder, to plan: DriftPlan, now: Moment) {
    self.init(of: plan.upstreams)
    let runs = folder.runs(
      since: Moment(unixSeconds: now.unixSeconds - Int(Self.ageMax.components.seconds)))
    for probe in plan.probes {
      for run in runs {
        guard let file = run.file(of: probe.identity) else { continue }
        add(file, now)
        if file.exchanges.contains(where: { $0.outcome.inconclusive(expecting: nil) == nil }) {
          break
        }
      }
    }
  }

  private mutating func add(_ file: EvidenceFile, _ now: Moment) {
    for exchange in file.exchanges {
      guard let baseURL = file.baseURLs[exchange.upstream],
        let answer = EarlierAnswer(exchange, at: file.at), now - answer.wholeAt < Self.ageMax,
        answer.wholeAt <= now
      else { continue }
      add(answer, to: exchange.method, at: baseURL, exchange.target)
    }
  }
}

extension EarlierAnswer {
  fileprivate init?(_ exchange: KeptExchange, at: Moment) {
    guard ["GET", "HEAD"].contains(exchange.method),
      let selectors = exchange.selectors, case .answer(let answer) = exchange.outcome,
      answer.status == 200, let tag = answer.header("etag"), Self.isTag(tag)
    else { return nil }
    let wholeAt = answer.wholeAt ?? at
    self.init(
      tag: tag,
      answer: LiveAnswer(
        status: answer.status, headers: answer.lasting, body: answer.body, latency: answer.latency,
        wholeAt: wholeAt),
      selectors: selectors, wholeAt: wholeAt)
  }
}
