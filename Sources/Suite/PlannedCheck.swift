import UnderstudyConsumers
package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFakeServer
package import UnderstudyFindings
import UnderstudyJSON

/// One case that is to be held against one consumer: an object, for it is large and goes through
/// many hands.
package final class PlannedCheck: Sendable {
  package let contract: Contract
  package let played: Case
  package let expectation: Expectation
  /// `nil` for a command, which is not called but run.
  private let service: ServiceConsumer?

  init(
    _ contract: Contract, _ played: Case, _ expectation: Expectation,
    calling service: ServiceConsumer?
  ) {
    self.contract = contract
    self.played = played
    self.expectation = expectation
    self.service = service
  }

  package var identity: Check.Identity {
    Check.Identity(contract.id, played.name, consumer: expectation.consumer)
  }

  /// What the service makes of the answers.
  func outcome(of call: ConsumerCall) async -> ConsumerOutcome {
    await service?.outcome(of: call) ?? .undeclared("\(expectation.consumer) is a command")
  }

  /// `nil` when that is not known in time.
  func outcome(of call: ConsumerCall, within limit: Duration) async -> ConsumerOutcome? {
    guard let service else { return await outcome(of: call) }
    return await service.outcome(of: call, within: limit)
  }

  package var place: Place { Place(contract.file, played.source.position) }

  /// Where its contract says what is expected.
  var expectationPlace: Place { Place(contract.file, expectation.source.position) }

  /// Whether the client is to give up before the answer is there: the contract says so, or it gives
  /// the client less time than the answer takes and expects an error.
  var expectsTimeout: Bool {
    if let transport = expectation.transport { return transport == .timedOut }
    guard let timeout = expectation.timeout, case .error = expectation.outcome else { return false }
    return played.stall != nil || delayMax > timeout
  }

  /// Lets a fake play the case. What is played by itself is not chosen: what follows its first answer
  /// is for other cases to say.
  package func choose(on server: FakeUpstream, session: String = "") {
    if played.name != contract.defaultCase.name {
      server.use(played.name, for: contract.id, session: session)
    }
    for companion in expectation.companions {
      server.use(
        companion.caseName, for: companion.contractID(beside: contract), session: session)
    }
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
