package import UnderstudyConsumers
package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFakeServer
package import UnderstudyFindings
import UnderstudyJSON

/// One case to check against one consumer. A class, since it is large and passed around a lot.
package final class PlannedCheck: Sendable {
  package let contract: Contract
  package let served: Case
  package let expectation: Expectation
  let callee: Callee

  init(_ contract: Contract, _ served: Case, _ expectation: Expectation, calling callee: Callee) {
    self.contract = contract
    self.served = served
    self.expectation = expectation
    self.callee = callee
  }

  package var command: CommandConsumer? { callee.command }

  package var identity: Check.Identity {
    Check.Identity(contract.id, served.name, consumer: expectation.consumer)
  }

  /// Its time limit, given that of a check without delays. A contract can set that of a command.
  func timeMax(timeScale: Double, guardTime: Duration) -> Duration {
    if command != nil, let timeout = expectation.timeout { return timeout }
    return guardTime + delayMax * timeScale
  }

  package var place: Place { Place(contract.file, served.source.position) }

  /// The place of the expectation in its contract.
  var expectationPlace: Place { Place(contract.file, expectation.source.position) }

  /// Whether the client should time out before the response arrives: the contract says so, or gives
  /// the client less time than the response takes and expects an error.
  var expectsTimeout: Bool {
    if let transport = expectation.transport { return transport == .timedOut }
    guard let timeout = expectation.timeout, case .error = expectation.outcome else { return false }
    return served.stall != nil || delayMax > timeout
  }

  /// Makes a fake serve the case. The default case is not chosen explicitly, so that other cases
  /// may follow its first response.
  package func choose(on server: FakeServer, session: String = "") {
    if served.name != contract.defaultCase?.name {
      server.use(served.name, for: contract.id, session: session)
    }
    for companion in expectation.companions {
      server.use(
        companion.caseName, for: companion.contractID(beside: contract), session: session)
    }
  }

  /// Whether only a client of TLS meets the case.
  var needsTLS: Bool { served.fault?.needsTLS ?? false }

  /// How long its callbacks are waited for once the consumer is done.
  func callbackTimeMax(timeScale: Double) -> Duration {
    let delay = contract.cases.flatMap(\.callbacks).compactMap { $0.delay?.max }.max() ?? .zero
    return .seconds(30) + delay * timeScale
  }

  /// The duration of the response in the contract.
  var delayMax: Duration { (served.delay?.max ?? .zero) + served.bodyTime }
}

extension Case {
  /// The duration of its body.
  fileprivate var bodyTime: Duration {
    if let events { return events.reduce(.zero) { $0 + $1.after } }
    return switch pace {
    case .chunks(_, let time): time
    case .bytesPerSecond(let rate): .seconds(Double(bodyBytes.count) / Double(rate))
    case nil: .zero
    }
  }
}
