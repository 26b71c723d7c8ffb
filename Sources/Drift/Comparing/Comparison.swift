package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyDrafting
package import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// The differences between live responses to one request and their case.
///
/// The folder finds what differs between a response and its case, and how severe that is. Read
/// `ExpectedResponse`, which is the case as a response, with its extensions in `HeaderComparison`
/// and `BodyComparison`; `SchemaComparison` and `ShapeComparison`, which compare JSON by the schema
/// and then by the `Shape` of the example; `ConsumerReads`, which gives a difference its severity;
/// this file, which joins the differences of several responses; then `Difference`, which becomes a
/// finding.
///
/// Comparing sends nothing and reads no clock. Two responses that differ from their case in the
/// same way give differences of equal `identity`, by which they are counted. Values with secret
/// names never reach a message.
package struct Comparison {
  /// Each has the severity for the consumer that it affects most.
  let differences: [Difference]
  private let contract: Contract

  package var findings: [Finding] { differences.map { $0.finding(in: contract) } }

  /// The differences of one response, with a severity by the consumers that received it.
  ///
  /// - Parameter now: the current time, for checks of dates.
  package init(
    _ live: LiveResponse, to liveCase: Case, of contract: Contract, readers: [ConsumerReads],
    now: Moment
  ) {
    let expectation = ExpectedResponse(of: liveCase, in: contract, now: now)
    self.init([(expectation.differences(from: live), readers)], from: contract)
  }

  /// Values that differ between responses are volatile, and not a difference unless a consumer broke;
  /// other differences seen in only some responses are intermittent.
  ///
  /// - Parameter samples: what is different in each response, and the consumers that received it.
  init(_ samples: [(differences: [Difference], readers: [ConsumerReads])], from contract: Contract)
  {
    self.contract = contract
    var found: [Difference] = []
    var places: [Difference.Identity: Int] = [:]
    /// The responses that show each difference.
    var showing: [Set<Int>] = []
    for (number, sample) in samples.enumerated() {
      for difference in sample.differences {
        let place = places[difference.identity] ?? found.count
        if place == found.count {
          places[difference.identity] = place
          found.append(difference)
          showing.append([])
        }
        let severity = sample.readers.severity(of: difference, in: contract)
        found[place].severity = min(found[place].severity, severity)
        found[place].readers += sample.readers.names(of: difference).filter {
          !found[place].readers.contains($0)
        }
        showing[place].insert(number)
      }
    }
    for (place, numbers) in showing.enumerated() {
      found[place].frequency = Finding.Frequency(numbers.count, of: samples.count)
    }
    found.removeAll { $0.frequency != nil && $0.isVolatile && $0.severity > .error }
    let additions = Dictionary(grouping: found.filter(\.readers.isEmpty), by: \.addition)
    var folded: Set<Difference.Addition> = []
    differences = found.compactMap { difference in
      guard difference.readers.isEmpty, let addition = difference.addition,
        let group = additions[addition], group.count > 1
      else { return difference }
      return folded.insert(addition).inserted
        ? Difference(folding: group, addedTo: addition) : nil
    }
  }
}

extension LiveResponse {
  /// Whether a value differs from the one in the case.
  package func differs(from served: Case, in contract: Contract) -> Bool {
    let expected = ExpectedResponse(of: served, in: contract, now: BodySchema.moment)
    return !expected.differences(from: self).isEmpty
  }
}

/// A case as an expected response.
struct ExpectedResponse {
  let liveCase: Case
  let contract: Contract
  /// The case and those it is `like`, nearest first; each fills in what the one before omits.
  let sources: [JSONValue]
  /// In seconds since 1970.
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
