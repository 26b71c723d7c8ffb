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

  /// Whether the client is to give up before the answer is there.
  var expectsTimeout: Bool { expectation.transport == .timedOut }

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
