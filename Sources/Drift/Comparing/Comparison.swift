package import ContractModel
package import Findings
import Diagnostics
import JSON

/// How a live answer differs from the case of a contract that it should be.
package struct Comparison {
  package let findings: [Finding]

  /// - Parameters:
  ///   - again: a second answer to the same request: values in which the two differ are volatile, and
  ///     no finding; what only one of them shows is none either, but for what the schema says of
  ///     types, of null and of what may be missing: that holds for each.
  ///   - readers: those who expect something of the case; empty when nobody does.
  ///   - now: in seconds since 1970, what dates are held against.
  package init(
    _ answer: LiveAnswer, again: LiveAnswer? = nil, to probe: Case, of contract: Contract,
    readers: [Reader], now: Double
  ) {
    let expectation = ExpectedAnswer(of: probe, in: contract, now: now)
    var differences = expectation.differences(from: answer)
    if let again, !differences.isEmpty {
      let others = expectation.differences(from: again)
      func stands(_ difference: Difference, _ answer: LiveAnswer) -> Bool {
        difference.needsNoSecond && answer.status == probe.response?.status
      }
      let first = differences
      differences = first.filter { $0.isConfirmed(by: others) || stands($0, answer) }
      differences += others.filter { stands($0, again) && !$0.isConfirmed(by: first) }
    }
    var findings: [Finding] = []
    var folded: Set<Difference.Addition> = []
    let additions = Dictionary(
      grouping: differences.filter { readers.readers(of: $0).isEmpty }, by: \.addition)
    for difference in differences {
      if let addition = difference.addition, let group = additions[addition], group.count > 1,
        readers.readers(of: difference).isEmpty
      {
        guard folded.insert(addition).inserted else { continue }
        findings.append(Difference.finding(ofAdditions: group, to: addition, in: contract))
      } else {
        findings.append(difference.finding(for: readers, in: contract))
      }
    }
    self.findings = findings
  }
}

/// A case as the answer that is expected.
struct ExpectedAnswer {
  let probe: Case
  let contract: Contract
  /// The case and those it is like, nearest first: whatever one does not say the next does.
  let sources: [JSONValue]
  /// In seconds since 1970.
  let now: Double

  init(of probe: Case, in contract: Contract, now: Double) {
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

  func differences(from answer: LiveAnswer) -> [Difference] {
    guard let response = probe.response else { return [] }
    var differences: [Difference] = []
    if answer.status != response.status {
      differences.append(statusDifference(answer, response.status))
      // An answer of another class has another body, of which every field would be reported.
      guard answer.status / 100 == response.status / 100 else {
        return differences + slowness(of: answer)
      }
    }
    differences += headerDifferences(from: answer, response)
    differences += bodyDifferences(from: answer, response)
    return differences + slowness(of: answer)
  }

  private func statusDifference(_ answer: LiveAnswer, _ expected: Int) -> Difference {
    let found = answer.status
    let known = contract.cases.first { $0.status == found && $0.kind == .good }
    let hint = known.map { ", as in the case \"\($0.name)\"" } ?? ""
    let aim = (300..<400).contains(found) ? answer.header("location") : nil
    let way = aim.map { " to \(Self.shown(location: $0))" } ?? ""
    var difference = Difference(
      type: .status, subject: "",
      message: "found status \(found)\(way)\(hint), expected \(expected)",
      position: place(of: "status"), diff: ["-\(expected)", "+\(found)"])
    if found / 100 != expected / 100 {
      difference.fix = "add a case with status \(found), or mend the request of this one"
    }
    return difference
  }

  /// Without what may be a credential: the user, the fragment, and parameters by name.
  private static func shown(location: String) -> String {
    var plain = Redaction.ofAnswers.redacted(target: String(location.prefix { $0 != "#" }))
    if let host = plain.firstRange(of: "//")?.upperBound {
      let authority = plain[host...].prefix { $0 != "/" && $0 != "?" }
      if let at = authority.lastIndex(of: "@") {
        plain.replaceSubrange(host..<at, with: Redaction.mask)
      }
    }
    return plain.excerpt
  }

  private func slowness(of answer: LiveAnswer) -> [Difference] {
    guard let live = probe.live, let max = live.latencyMax, answer.latency > max else { return [] }
    return [
      Difference(
        type: .performance, subject: "",
        message: "found an answer after \(milliseconds(answer.latency)), "
          + "expected one within \(milliseconds(max))",
        position: (live.source["latency"] ?? live.source).position)
    ]
  }

  private func milliseconds(_ time: Duration) -> String {
    "\(Int((time / .milliseconds(1)).rounded())) ms"
  }

  /// Where a member of the case stands: in itself, or in one that it is like.
  func place(of key: String) -> SourcePosition {
    (sources.lazy.compactMap { $0[key] }.first ?? probe.source).position
  }
}
