import UnderstudyClient
package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings
import UnderstudyJSON

/// The differences between an outcome and a contract's expectation.
package struct OutcomeComparison {
  /// The maximum for one value; further differences are counted.
  private static let changeCountMax = 10

  let expectation: Expectation
  private let file: String
  /// The status of a live response, whose values and times are not the contract's.
  private var liveStatus: Int?
  /// Empty when it matches.
  package private(set) var findings: [Finding] = []

  /// - Parameter file: of the contract.
  package init(_ outcome: ConsumerOutcome, against expectation: Expectation, in file: String) {
    self.expectation = expectation
    self.file = file
    check(outcome)
  }

  /// Checks only the kind, a value or which error, since live responses differ from the contract's.
  /// A status is the only payload that is part of the kind.
  package init(
    live outcome: ConsumerOutcome, of served: Case, against expectation: Expectation,
    in file: String
  ) {
    self.expectation = expectation
    self.file = file
    liveStatus = served.status ?? 0
    check(outcome)
  }

  private mutating func check(_ outcome: ConsumerOutcome) {
    switch (outcome, expectation.outcome) {
    case (.value(let value), .value(let expected)):
      if liveStatus == nil { hold(value, against: expected) }
    case (.error(let error), .error(let name, let payload)):
      hold(error, against: name, payload)
    case (.ended(let ending), .exit(let code, let stdout, let stderr)):
      hold(ending, against: code)
      guard liveStatus == nil else { return }
      hold(ending.stdout, against: stdout, on: "stdout")
      hold(ending.stderr, against: stderr, on: "stderr")
    case (.unreadable(let reason), _):
      add(.value, "found a value that is not valid JSON: \(reason)")
    case (let found, let expected):
      add(.outcome, "found \(found.words), expected \(expected.words)")
    }
  }

  private mutating func hold(_ value: JSONValue, against expected: JSONValue) {
    let changes = expected.changes(to: value)
    for change in changes.prefix(Self.changeCountMax) {
      let found = change.new?.summary ?? "nothing"
      add(
        .value, "found \(found), expected \(change.old?.summary ?? "nothing")",
        at: change.old, path: change.pointer.tokens.isEmpty ? nil : change.pointer)
    }
    let rest = changes.count - Self.changeCountMax
    if rest > 0 { add(.value, "and \(rest.of("more difference"))") }
  }

  private mutating func hold(
    _ error: ConsumerError, against name: String, _ payload: JSONValue?
  ) {
    guard error.name == name else {
      add(.outcome, "found the error \(error.words), expected \(name)")
      return
    }
    let isHeld = liveStatus.map { $0 == payload?.int } ?? true
    if let payload, isHeld, !error.hasPayload(payload) {
      let expected = String(decoding: payload.compact, as: UTF8.self)
      add(
        .outcome, "found \(name) with \(error.payload ?? "no payload"), expected \(expected)",
        at: payload)
    }
    guard liveStatus == nil else { return }
    let failure = error.transport
    if let expected = expectation.transport, failure?.kind.name != expected.rawValue {
      let found = failure.map { "\($0.kind.name) (\($0))" } ?? "no failure of the transport"
      add(.transport, "found \(found) under \(name), expected \(expected.rawValue)")
    }
    let codes = expectation.curlCodes
    if !codes.isEmpty, failure?.curlCode.map(codes.contains) != true {
      let found = failure?.curlCode.map { "curl code \($0)" } ?? "no curl code"
      let expected = codes.map(String.init).joined(separator: " or ")
      add(.curlCode, "found \(found) under \(name), expected \(expected)")
    }
  }

  mutating func add(
    _ type: FindingType, _ message: String, at value: JSONValue? = nil, path: JSONPointer? = nil,
    diff: [String] = [], fix: String? = nil
  ) {
    let place = Place(file, (value ?? expectation.source).position)
    findings.append(Finding(.error, type, message, at: place, path: path, diff: diff, fix: fix))
  }
}

extension ConsumerOutcome {
  fileprivate var words: String {
    switch self {
    case .value(let value): "the value \(value.summary)"
    case .error(let error): "the error \(error.words)"
    case .undeclared(let words): "an error without a name: \(words)"
    case .unreadable(let reason): "a value that is not valid JSON: \(reason)"
    case .ended(let ending): "a command that \(ending.words)"
    case .notStarted(let reason): "no command: \(reason)"
    }
  }
}

extension Expectation.Outcome {
  fileprivate var words: String {
    switch self {
    case .value: "a value"
    case .error(let name, _): "the error \(name)"
    case .exit(let code, _, _): "exit code \(code)"
    }
  }
}

extension ConsumerError {
  /// `unexpectedStatus 404`, or `connectivity (timed out while waiting: …)`.
  fileprivate var words: String {
    let reason = message.isEmpty ? transport.map { "\($0)" } ?? "" : message
    return name + (payload.map { " \($0)" } ?? "") + (reason.isEmpty ? "" : " (\(reason))")
  }

  fileprivate func hasPayload(_ expected: JSONValue) -> Bool {
    guard let payload, let found = try? JSONDocument(parsing: payload).root else { return false }
    return found.isEqual(to: expected)
  }
}
