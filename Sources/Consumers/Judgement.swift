package import ContractModel
import JSON
import Transport

/// How an outcome differs from what the contract expects; empty when it does not.
package enum Judgement {
  /// Of one value; what is left is counted.
  private static let differenceCountMax = 10

  package static func differences(
    of outcome: ConsumerOutcome, from expectation: Expectation
  ) -> [String] {
    switch (outcome, expectation.outcome) {
    case (.value(let value), .value(let expected)):
      return differences(of: value, from: expected)
    case (.error(let error), .error(let name, let payload)):
      return differences(of: error, from: name, payload, expectation)
    case (.value(let value), .error(let name, _)):
      return ["found the value \(value.summary), expected the error \(name)"]
    case (.error(let error), .value):
      return ["found the error \(words(error)), expected a value"]
    case (.undeclared(let words), let expected):
      return ["found an error that consumers.json does not declare: \(words); \(wish(expected))"]
    case (.unreadable(let reason), let expected):
      return ["found a value that is no JSON: \(reason); \(wish(expected))"]
    }
  }

  private static func wish(_ expected: Expectation.Outcome) -> String {
    switch expected {
    case .value: "expected a value"
    case .error(let name, _): "expected the error \(name)"
    }
  }

  private static func differences(of value: JSONValue, from expected: JSONValue) -> [String] {
    let changes = expected.changes(to: value)
    let lines = changes.prefix(differenceCountMax).map { change in
      let place = change.pointer.tokens.isEmpty ? "the value" : "\(change.pointer)"
      return switch (change.old, change.new) {
      case (let old?, let new?): "\(place): found \(new.summary), expected \(old.summary)"
      case (let old?, nil): "\(place): missing, expected \(old.summary)"
      case (nil, let new?): "\(place): found \(new.summary), expected nothing there"
      case (nil, nil): "\(place): differs"
      }
    }
    let rest = changes.count - lines.count
    return lines + (rest > 0 ? ["and \(rest) more"] : [])
  }

  private static func differences(
    of error: ConsumerError, from name: String, _ payload: JSONValue?, _ expectation: Expectation
  ) -> [String] {
    guard error.name == name else {
      return ["found the error \(words(error)), expected \(name)"]
    }
    var differences: [String] = []
    if let payload, !isEqual(error.payload, payload) {
      let expected = String(decoding: payload.compact, as: UTF8.self)
      differences.append(
        "found \(name) with \(error.payload ?? "no payload"), expected \(expected)")
    }
    if let expected = expectation.transport, error.transport?.kind.name != expected.rawValue {
      let found = error.transport.map { "\($0.kind.name) (\($0))" } ?? "no failure of the transport"
      differences.append("found \(found) beneath \(name), expected \(expected.rawValue)")
    }
    let codes = expectation.curlCodes
    if !codes.isEmpty, !(error.transport?.curlCode).isOne(of: codes) {
      let found = error.transport?.curlCode.map { "curl code \($0)" } ?? "no curl code"
      let expected = codes.map(String.init).joined(separator: " or ")
      differences.append("found \(found) beneath \(name), expected \(expected)")
    }
    return differences
  }

  private static func isEqual(_ payload: String?, _ expected: JSONValue) -> Bool {
    guard let payload, let found = try? JSONDocument(parsing: payload).root else {
      return false
    }
    return found.isEqual(to: expected)
  }

  /// `unexpectedStatus 404`, or `connectivity (timed out while waiting: …)`.
  private static func words(_ error: ConsumerError) -> String {
    let payload = error.payload.map { " \($0)" } ?? ""
    let reason = error.message.isEmpty ? error.transport.map { "\($0)" } ?? "" : error.message
    return error.name + payload + (reason.isEmpty ? "" : " (\(reason))")
  }
}

extension Int? {
  fileprivate func isOne(of codes: [Int]) -> Bool { map(codes.contains) ?? false }
}
