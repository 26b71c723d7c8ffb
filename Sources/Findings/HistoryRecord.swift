package import UnderstudyCore
import UnderstudyJSON

/// The result of checking a live API, kept for years: a line of JSON.
package struct HistoryRecord: Hashable, Sendable {
  /// When its run began, the same for all records of a run.
  package let at: Moment
  package let identity: Check.Identity
  package let result: CheckResult
  package let reason: String?
  package let cause: Check.Cause?
  /// How long the live response took; `nil` when none was checked.
  package let latency: Duration?
  /// How many elements the longest array of the response has, or how many pages the consumer
  /// requested.
  package let size: Int?
  /// Without place, diff and fix, which belong to that day's contracts.
  package let findings: [Finding]

  package init(
    at: Moment, _ identity: Check.Identity, _ result: CheckResult, because reason: String? = nil,
    _ cause: Check.Cause? = nil, latency: Duration? = nil, size: Int? = nil,
    findings: [Finding] = []
  ) {
    self.at = at
    self.identity = identity
    self.result = result
    self.reason = reason
    self.cause = cause
    self.latency = latency
    self.size = size
    self.findings = findings.map {
      Finding(
        $0.severity, $0.type, $0.message, path: $0.path, header: $0.header,
        frequency: $0.frequency)
    }
  }

  /// One record for each check in which a request was sent: a check that was not exercised says
  /// nothing about the API.
  ///
  /// - Parameter sizes: of responses and consumers, as far as they are known.
  package static func records(
    of checks: [Check], sizes: [Check.Identity: Int] = [:], at: Moment
  ) -> [HistoryRecord] {
    checks.filter { $0.result != .notExercised }.map { check in
      let isChecked = check.result != .couldNotCheck && check.duration > .zero
      return HistoryRecord(
        at: at, check.identity, check.result, because: check.reason, check.cause,
        latency: isChecked ? check.duration : nil,
        size: check.result == .pass ? sizes[check.identity] : nil,
        findings: check.findings)
    }
  }
}

// MARK: - A line

extension HistoryRecord {
  /// Without a line break, whatever the texts contain.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("at", at.unixSeconds)
      identity.writeMembers(to: &writer)
      writer.member("result", result.rawValue)
      writer.member("reason", reason)
      if let cause { writer.member("cause", cause.rawValue) }
      writer.member("latencyNanoseconds", latency?.nanoseconds)
      if let size { writer.member("size", size) }
      writer.list("findings", findings) { writer, finding in
        writer.object { writer in
          writer.member("severity", finding.severity.rawValue)
          writer.member("type", finding.type.rawValue)
          writer.member("path", finding.path?.description)
          writer.member("message", finding.message)
          if let header = finding.header { writer.member("header", header) }
          finding.frequency?.writeMember(to: &writer)
        }
      }
    }
    return writer.bytes
  }

  fileprivate init(_ root: JSONValue, at: Moment) throws(Failure) {
    guard let result = root["result"]?.string.flatMap(CheckResult.init(rawValue:)) else {
      throw .noRecord("no known result")
    }
    guard let identity = Check.Identity(root) else {
      throw .noRecord("no contract or case")
    }
    let latency = root["latencyNanoseconds"]?.int
    guard latency ?? 0 >= 0 else { throw .noRecord("the latency is below 0") }
    var findings: [Finding] = []
    if let list = root["findings"] {
      for value in list.elements { findings.append(try Self.finding(value)) }
    }
    self.init(
      at: at, identity, result, because: root["reason"]?.string,
      root["cause"]?.string.flatMap(Check.Cause.init),
      latency: latency.map { .nanoseconds($0) }, size: root["size"]?.int, findings: findings)
  }

  private static func finding(_ value: JSONValue) throws(Failure) -> Finding {
    guard let severity = value["severity"]?.string.flatMap(Finding.Severity.init(rawValue:)),
      let type = value["type"]?.string.flatMap(FindingType.init(rawValue:)),
      let message = value["message"]?.string
    else { throw .noRecord("a finding is invalid") }
    return Finding(
      severity, type, message, path: value["path"]?.string.flatMap(JSONPointer.init(parsing:)),
      header: value["header"]?.string, frequency: value["seen"].flatMap(Finding.Frequency.init))
  }
}

/// A line of the history.
package enum HistoryLine: Hashable, Sendable {
  case check(HistoryRecord)
  case requests(RequestRecord)

  /// When the run began.
  package var at: Moment {
    switch self {
    case .check(let record): record.at
    case .requests(let record): record.at
    }
  }

  /// Until the end of the year 9999, the last with four digits.
  private static let times = 0...253_402_300_799

  /// Reads what `line` of a record writes. Unknown keys are ignored.
  package init(parsing line: [UInt8]) throws(Failure) {
    let root: JSONValue
    do {
      root = try JSONDocument(parsing: line).root
    } catch {
      throw .noRecord("column \(error.position.column): \(error.message)")
    }
    guard let at = root["at"]?.int, Self.times.contains(at) else {
      throw .noRecord("no time under \"at\"")
    }
    let moment = Moment(unixSeconds: at)
    if let upstream = root["upstream"]?.string {
      self = .requests(try RequestRecord(root, at: moment, upstream: upstream))
    } else {
      self = .check(try HistoryRecord(root, at: moment))
    }
  }
}

extension Failure {
  fileprivate static func noRecord(_ message: String) -> Self {
    Self(message: message, fix: nil)
  }
}
