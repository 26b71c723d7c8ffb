package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyDrafting
package import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// The differences between live answers to one request and their case.
package struct Comparison {
  /// An answer, and the consumers that received it.
  package struct Sample {
    package let answer: LiveAnswer
    package let readers: [Reader]

    package init(_ answer: LiveAnswer, readers: [Reader] = []) {
      self.answer = answer
      self.readers = readers
    }
  }

  /// One difference, with all answers that show it.
  private struct Sighting {
    let difference: AnswerDifference
    var count = 0
    /// The index of the last answer that showed it.
    var last = -1
    var severity: Finding.Severity
    var names: [String]
  }

  package let findings: [Finding]

  /// Of one answer.
  package init(
    _ answer: LiveAnswer, to probe: Case, of contract: Contract, readers: [Reader], now: Moment
  ) {
    self.init([Sample(answer, readers: readers)], to: probe, of: contract, now: now)
  }

  /// - Parameters:
  ///   - samples: values that differ between answers are volatile, and not a finding unless a
  ///     consumer broke; other differences seen in only some answers are intermittent.
  ///   - now: the current time, for checks of dates.
  package init(_ samples: [Sample], to probe: Case, of contract: Contract, now: Moment) {
    let expectation = ExpectedAnswer(of: probe, in: contract, now: now)
    self.init(
      samples.map { (expectation.differences(from: $0.answer), $0.readers) }, from: contract)
  }

  /// - Parameter samples: what is different in each answer.
  init(_ samples: [(differences: [AnswerDifference], readers: [Reader])], from contract: Contract) {
    var sightings: [Sighting] = []
    var places: [AnswerDifference.Identity: Int] = [:]
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
    var folded: Set<AnswerDifference.Addition> = []
    for sighting in sightings {
      let difference = sighting.difference
      if sighting.names.isEmpty, let addition = difference.addition,
        let group = additions[addition], group.count > 1
      {
        guard folded.insert(addition).inserted else { continue }
        findings.append(AnswerDifference.finding(ofAdditions: group, to: addition, in: contract))
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

extension LiveAnswer {
  /// Whether a value differs from the one in the case.
  package func differs(from played: Case, in contract: Contract) -> Bool {
    let expected = ExpectedAnswer(of: played, in: contract, now: BodySchema.moment)
    return !expected.differences(from: self).isEmpty
  }
}

/// A case as an expected answer.
struct ExpectedAnswer {
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

  func differences(from answer: LiveAnswer) -> [AnswerDifference] {
    guard let response = probe.response else { return [] }
    var differences: [AnswerDifference] = []
    if answer.status != response.status {
      differences.append(statusDifference(answer, response.status))
      // An answer of another status class has another body, and every field would be reported.
      guard answer.status / 100 == response.status / 100 else {
        return differences + slowness(of: answer)
      }
    }
    differences += headerDifferences(from: answer, response)
    differences += bodyDifferences(from: answer, response)
    return differences + slowness(of: answer)
  }

  private func statusDifference(_ answer: LiveAnswer, _ expected: Int) -> AnswerDifference {
    let found = answer.status
    let known = contract.cases.first { $0.status == found && $0.kind == .good }
    let hint = known.map { ", as in the case \"\($0.name)\"" } ?? ""
    let aim = (300..<400).contains(found) ? answer.header("location") : nil
    let way = aim.map { " to \(Self.shown(location: $0))" } ?? ""
    var difference = AnswerDifference(
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

  private func slowness(of answer: LiveAnswer) -> [AnswerDifference] {
    guard let live = probe.live, let max = live.latencyMax, answer.latency > max else { return [] }
    return [
      AnswerDifference(
        type: .performance, subject: "",
        message: "found an answer after \(milliseconds(answer.latency)), "
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
