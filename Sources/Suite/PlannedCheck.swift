package import Consumers
package import ContractModel
package import Findings
import JSON

/// One case that is to be held against one consumer.
package struct PlannedCheck: Sendable {
  package let contract: Contract
  package let played: Case
  package let expectation: Expectation
  package let consumer: ServiceConsumer

  package var identity: Check.Identity {
    Check.Identity(contract.id, played.name, consumer: consumer.name)
  }

  var place: Place { Place(contract.file, played.source.position) }

  /// Whether the client is to give up before the answer is there: the contract says so, or it gives
  /// the client less time than the answer takes and expects an error.
  var expectsTimeout: Bool {
    if let transport = expectation.transport { return transport == .timedOut }
    guard let timeout = expectation.timeout, case .error = expectation.outcome else { return false }
    return played.stall != nil || delayMax > timeout
  }

  /// How long the answer takes by the contract.
  var delayMax: Duration { (played.delay?.max ?? .zero) + (played.paceTime ?? .zero) }
}

extension Case {
  /// How long its body takes.
  fileprivate var paceTime: Duration? {
    switch pace {
    case .chunks(_, let time): time
    case .bytesPerSecond(let rate): .seconds(Double(bodyBytes.count) / Double(rate))
    case nil: nil
    }
  }
}
