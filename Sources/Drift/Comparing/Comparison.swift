package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyDrafting
package import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// The differences between live responses to one request and their case.
package struct Comparison {
  /// A response, and the consumers that received it.
  package struct Sample {
    package let response: LiveResponse
    package let readers: [Reader]

    package init(_ live: LiveResponse, readers: [Reader] = []) {
      self.response = live
      self.readers = readers
    }
  }

  /// One difference, with all responses that show it.
  private struct Sighting {
    let difference: ResponseDifference
    var count = 0
    /// The index of the last response that showed it.
    var last = -1
    var severity: Finding.Severity
    var names: [String]
  }

  package let findings: [Finding]

  /// Of one response.
  package init(
    _ live: LiveResponse, to probe: Case, of contract: Contract, readers: [Reader], now: Moment
  ) {
    self.init([Sample(live, readers: readers)], to: probe, of: contract, now: now)
  }

  /// - Parameters:
  ///   - samples: values that differ between responses are volatile, and not a finding unless a
  ///     consumer broke; other differences seen in only some responses are intermittent.
  ///   - now: the current time, for checks of dates.
  package init(_ samples: [Sample], to probe: Case, of contract: Contract, now: Moment) {
    let expectation = ExpectedResponse(of: probe, in: contract, now: now)
    self.init(
      samples.map { (expectation.differences(from: $0.response), $0.readers) }, from: contract)
  }

  /// - Parameter samples: what is different in each response.
  init(_ samples: [(differences: [ResponseDifference], readers: [Reader])], from contract: Contract)
  {
    var sightings: [Sighting] = []
    var places: [ResponseDifference.Identity: Int] = [:]
    for (number, sample) in samples.enumerated() {
      for difference in sample.differences {
        let severity = sample.readers.severity(of: difference, in: contract)
        let names = sample.readers.names(of: difference)
        let place = places[difference.identity] ?? sightings.count
        if place == sightings.count {
          places[difference.identity] = place
          sightings.append(Sighting(difference: difference, severity: severity, names: names))
        }
        if sightings[place].last != number { sightings[place].count += 1 }
        sightings[place].last = number
        sightings[place].severity = min(sightings[place].severity, severity)
        sightings[place].names += names.filter { !sightings[place].names.contains($0) }
      }
    }
    sightings.removeAll {
      $0.count < samples.count && $0.difference.isVolatile && $0.severity > .error
    }
    let unread = sightings.filter { $0.names.isEmpty }
    let additions = Dictionary(grouping: unread.map(\.difference), by: \.addition)
    var findings: [Finding] = []
    var folded: Set<ResponseDifference.Addition> = []
    for sighting in sightings {
      let difference = sighting.difference
      if sighting.names.isEmpty, let addition = difference.addition,
        let group = additions[addition], group.count > 1
      {
        guard folded.insert(addition).inserted else { continue }
        findings.append(ResponseDifference.finding(ofAdditions: group, to: addition, in: contract))
      } else {
        findings.append(
          difference.finding(
            sighting.severity, readBy: sighting.names,
            Finding.Frequency(sighting.count, of: samples.count), in: contract))
      }
    }
    self.findings = findings
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
  let probe: Case
  let contract: Contract
  /// The case and those it is `like`, nearest first; each fills in what the one before omits.
  let sources: [JSONValue]
  /// In seconds since 1970.
  let now: Moment

  init(of probe: Case, in contract: Contract, now: Moment) {
    self.probe = probe
    self.contract = contract
    self.now = now
    var sources = [probe.source]
    while let name = sources.last?["like"]?.string, sources.count < contract.cases.count,
      let next = contract.case(named: name)
    {
      sources.append(next.source)
    }
    self.sources = sources
  }

  func differences(from live: LiveResponse) -> [ResponseDifference] {
    guard let response = probe.response else { return [] }
    var differences: [ResponseDifference] = []
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

  private func statusDifference(_ live: LiveResponse, _ expected: Int) -> ResponseDifference {
    let found = live.status
    let known = contract.cases.first { $0.status == found && $0.kind == .good }
    let hint = known.map { ", as in the case \"\($0.name)\"" } ?? ""
    let aim = (300..<400).contains(found) ? live.header("location") : nil
    let way = aim.map { " to \(Self.shown(location: $0))" } ?? ""
    var difference = ResponseDifference(
      type: .status, subject: "",
      message: "found status \(found)\(way)\(hint), expected \(expected)",
      position: place(of: "status"), diff: ["-\(expected)", "+\(found)"])
    if found / 100 != expected / 100 {
      difference.fix = "add a case with status \(found), or correct the request of this case"
    }
    return difference
  }

  /// Without credentials and fragment.
  private static func shown(location: String) -> String {
    SecretMask.standard.masked(target: String(location.prefix { $0 != "#" })).excerpt
  }

  private func slowness(of response: LiveResponse) -> [ResponseDifference] {
    guard let live = probe.live, let max = live.latencyMax, response.latency > max else {
      return []
    }
    return [
      ResponseDifference(
        type: .performance, subject: "",
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
    (sources.lazy.compactMap { $0[key] }.first ?? probe.source).position
  }
}
