import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting

extension EarlierResponses {
  /// An upstream may change its response without changing the tag, so every response is fetched in
  /// full after this time.
  private static let ageMax = Duration.seconds(7 * 86_400)

  /// For each case, the responses of the last run in which its upstream could be checked.
  package init(in folder: CaptureFolder, to plan: DriftPlan, now: Moment) {
    self.init(of: plan.upstreams)
    let runs = folder.runs(
      since: Moment(unixSeconds: now.unixSeconds - Int(Self.ageMax.components.seconds)))
    for liveCase in plan.liveCases {
      for run in runs {
        guard let file = run.file(of: liveCase.identity) else { continue }
        add(file, now)
        if file.exchanges.contains(where: { $0.outcome.inconclusive(expecting: nil) == nil }) {
          break
        }
      }
    }
  }

  private mutating func add(_ file: CaptureFile, _ now: Moment) {
    for exchange in file.exchanges {
      guard let baseURL = file.baseURLs[exchange.upstream],
        let response = EarlierResponse(exchange, at: file.at), now - response.wholeAt < Self.ageMax,
        response.wholeAt <= now
      else { continue }
      add(response, to: exchange.method, at: baseURL, exchange.target)
    }
  }
}

extension EarlierResponse {
  fileprivate init?(_ exchange: KeptExchange, at: Moment) {
    guard ["GET", "HEAD"].contains(exchange.method),
      let selectors = exchange.selectors, case .response(let response) = exchange.outcome,
      response.status == 200, let tag = response.header("etag"), Self.isTag(tag)
    else { return nil }
    let wholeAt = response.wholeAt ?? at
    self.init(
      tag: tag,
      response: LiveResponse(
        status: response.status, headers: response.lasting, body: response.body,
        latency: response.latency,
        wholeAt: wholeAt),
      selectors: selectors, wholeAt: wholeAt)
  }
}
