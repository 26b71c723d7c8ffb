import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// A case as an expected response.
struct ExpectedResponse {
  let liveCase: Case
  let contract: Contract
  /// The case and those it is `like`, nearest first; each fills in what the one before omits.
  let sources: [JSONValue]
  let now: Moment

  init(of liveCase: Case, in contract: Contract, now: Moment) {
    self.liveCase = liveCase
    self.contract = contract
    self.now = now
    var sources = [liveCase.source]
    while let name = sources.last?["like"]?.string, sources.count < contract.cases.count,
      let next = contract.case(named: name)
    {
      sources.append(next.source)
    }
    self.sources = sources
  }

  func differences(from live: LiveResponse) -> [Difference] {
    guard let response = liveCase.response else { return [] }
    var differences: [Difference] = []
    if live.status != response.status {
      differences.append(statusDifference(live, response.status))
      // A response of another status class has another body, and every field would be reported.
      guard live.status / 100 == response.status / 100 else {
        return differences + slowness(of: live)
      }
    }
    differences += headerDifferences(from: live, response)
    differences += bodyDifferences(from: live, response)
    return differences + slowness(of: live)
  }

  private func statusDifference(_ live: LiveResponse, _ expected: Int) -> Difference {
    let found = live.status
    let known = contract.cases.first { $0.status == found && $0.kind == .good }
    let hint = known.map { ", as in the case \"\($0.name)\"" } ?? ""
    let aim = (300..<400).contains(found) ? live.header("location") : nil
    let way = aim.map { " to \(Self.shown(location: $0))" } ?? ""
    var difference = Difference(
      type: .status,
      message: "found status \(found)\(way)\(hint), expected \(expected)",
      position: place(of: "status"), diff: ["-\(expected)", "+\(found)"])
    if found / 100 != expected / 100 {
      difference.fix = "add a case with status \(found), or correct the request of this case"
    }
    return difference
  }

  /// The target of a redirect, without credentials and fragment.
  private static func shown(location: String) -> String {
    SecretMask.standard.masked(target: String(location.prefix { $0 != "#" })).excerpt
  }

  private func slowness(of response: LiveResponse) -> [Difference] {
    guard let live = liveCase.live, let max = live.latencyMax, response.latency > max else {
      return []
    }
    return [
      Difference(
        type: .performance,
        message: "found a response after \(milliseconds(response.latency)), "
          + "expected one within \(milliseconds(max))",
        position: (live.source["latency"] ?? live.source).position)
    ]
  }

  private func milliseconds(_ time: Duration) -> String {
    "\(Int(clamping: (time / .milliseconds(1)).rounded())) ms"
  }

  /// The place of a member: in the case, or in one that it is `like`.
  func place(of key: String) -> SourcePosition {
    (sources.lazy.compactMap { $0[key] }.first ?? liveCase.source).position
  }
}
