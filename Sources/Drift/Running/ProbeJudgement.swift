import Consumers
import ContractModel
import Findings

/// What one or two askings for a live case come to.
struct ProbeJudgement {
  /// What the second asking came to: it was not needed, not possible, or the run was ended before.
  enum Second {
    case none
    case asked(Asking)
    case impossible(String)
    case cut
  }

  private static let cutShort = "the run was ended before it was asked again"

  let probe: PlannedProbe
  let first: Asking
  /// In seconds since 1970.
  let now: Double
  let failsOn: Finding.Severity
  /// What the first answer tells by itself, to those who were content with it.
  private var seenFirst: [Finding] = []

  init(probe: PlannedProbe, first: Asking, now: Double, failsOn: Finding.Severity) {
    self.probe = probe
    self.first = first
    self.now = now
    self.failsOn = failsOn
    if first.obstacle == nil, let answer = first.answer {
      seenFirst = findings(answer, again: nil, readers: first.readings.map { !$0.isBroken })
    }
  }

  /// Whether something is to be reported that a second answer has to show as well.
  var isInDoubt: Bool {
    first.readings.contains { $0.isBroken } || seenFirst.contains { !$0.type.isAdditive }
  }

  func checks(_ second: Second) -> [Check] {
    var brokenBoth = first.readings.map(\.isBroken)
    if case .asked(let second) = second {
      for (place, reading) in second.readings.enumerated() where reading.isContent {
        brokenBoth[place] = false
      }
    }
    return [answerCheck(second, broken: brokenBoth)]
      + probe.readers.indices.map { consumerCheck($0, second) }
  }

  private func answerCheck(_ second: Second, broken: [Bool]) -> Check {
    let latency = first.answer?.ownLatency ?? .zero
    func open(_ reason: String, _ cause: Check.Cause?, attempts: Int = 1) -> Check {
      .couldNotCheck(
        probe.identity, at: probe.place, because: reason, cause, duration: latency,
        attemptCount: attempts)
    }
    if let obstacle = first.obstacle { return open(obstacle.reason, obstacle.cause) }
    guard let answer = first.answer else { return open("there was no answer", nil) }
    let readers = broken.map { !$0 }
    let isSameToReaders = broken == first.readings.map(\.isBroken)
    let findings = isSameToReaders ? seenFirst : findings(answer, again: nil, readers: readers)
    guard findings.contains(where: { !$0.type.isAdditive }) else {
      return .judged(
        probe.identity, at: probe.place, findings: findings, failsOn: failsOn, duration: latency)
    }
    switch second {
    case .none:
      return .judged(
        probe.identity, at: probe.place, findings: findings, failsOn: failsOn, duration: latency)
    case .impossible(let reason): return open(reason + findings.seenOnce, .unconfirmed)
    case .cut: return open(Self.cutShort + findings.seenOnce, nil)
    case .asked(let asking):
      guard asking.obstacle == nil, let again = asking.answer else {
        return open(
          "asked again: \(asking.obstacle?.reason ?? "there was no answer")" + findings.seenOnce,
          .unconfirmed,
          attempts: 2)
      }
      let isSame = self.findings(again, again: nil, readers: readers)
        .contains { !$0.type.isAdditive }
      let confirmed = self.findings(answer, again: again, readers: readers)
      return .judged(
        probe.identity, at: probe.place,
        findings: isSame
          ? confirmed
          : confirmed.filter { !$0.type.isAdditive } + findings.filter(\.type.isAdditive),
        failsOn: failsOn, duration: latency, attemptCount: 2)
    }
  }

  private func findings(
    _ answer: LiveAnswer, again: LiveAnswer?, readers isContent: [Bool]
  ) -> [Finding] {
    let readers = zip(probe.readers, zip(first.readings, isContent)).map { reader, known in
      Reader(reader.consumer.name, paths: known.0.paths, isContent: known.1)
    }
    return Comparison(
      answer, again: again, to: probe.played, of: probe.contract, readers: readers, now: now
    ).findings + [first.redirect].compactMap(\.self)
  }

  private func consumerCheck(_ place: Int, _ second: Second) -> Check {
    let reader = probe.readers[place]
    let identity = probe.identity(of: reader)
    let reading = first.readings[place]
    let duration = reading.exchanges.compactMap { $0.answer?.ownLatency }.max() ?? .zero
    func open(_ reason: String, _ cause: Check.Cause?, attempts: Int = 1) -> Check {
      .couldNotCheck(
        identity, at: probe.place(of: reader), because: reason, cause, duration: duration,
        attemptCount: attempts)
    }
    func judged(_ findings: [Finding], attempts: Int) -> Check {
      .judged(
        identity, at: probe.place(of: reader), findings: findings, failsOn: failsOn,
        duration: duration, attemptCount: attempts)
    }
    if reading.isContent { return judged([], attempts: 1) }
    if let obstacle = reading.obstacle { return open(obstacle.reason, obstacle.cause) }
    switch second {
    case .none: return judged(reading.findings, attempts: 1)
    case .impossible(let reason): return open(reason + reading.findings.seenOnce, .unconfirmed)
    case .cut: return open(Self.cutShort + reading.findings.seenOnce, nil)
    case .asked(let asking):
      let again = asking.readings[place]
      if again.isContent { return judged([], attempts: 2) }
      if let obstacle = again.obstacle {
        return open(
          "asked again: \(obstacle.reason)" + reading.findings.seenOnce, .unconfirmed, attempts: 2)
      }
      return judged(reading.findings, attempts: 2)
    }
  }
}

extension Asking.Reading {
  /// Whether the consumer made of the live answer what the contract says.
  var isContent: Bool { outcome != nil && findings.isEmpty }
  var isBroken: Bool { !isContent && obstacle == nil }
}

extension [Finding] {
  /// What could not be confirmed: `; seen once: STATUS: found status 410, expected 200, and 2 more`
  fileprivate var seenOnce: String {
    let changes = filter { !$0.type.isAdditive }
    guard let worst = changes.min(by: { $0.severity < $1.severity }) else { return "" }
    let path = worst.path.map { " at \($0)" } ?? ""
    let others = changes.count > 1 ? ", and \(changes.count - 1) more" : ""
    return "; seen once: \(worst.type.rawValue)\(path): \(worst.message)\(others)"
  }
}

extension FindingType {
  /// Whether it tells of something that harms nobody.
  fileprivate var isAdditive: Bool {
    [.schemaFieldAdded, .headerAdded, .redirect].contains(self)
  }
}
