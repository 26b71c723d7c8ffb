import Synchronization
import UnderstudyContractModel

extension Session {
  /// What was drawn for answers since the last reset.
  struct Draws {
    /// Of all cases.
    fileprivate var count = 0
    /// By contract and case.
    fileprivate var generators: [String: PlayGenerator] = [:]
  }

  /// Draws for the next answer of a case.
  ///
  /// Each case has numbers of its own in each session, which follow from the seed and both names:
  /// requests to others come in any order, and change nothing of them.
  func draw<Value: Sendable>(
    for playable: PlayableCase, seed: UInt64, _ draw: (inout PlayGenerator) -> Value
  ) -> Value {
    let caseID = "\(playable.contractID)#\(playable.name)"
    return draws.withLock { draws in
      var generator =
        draws.generators[caseID]
        ?? PlayGenerator(seed: seed ^ UInt64(mark) << 32 ^ UInt64(Self.mark(of: caseID)))
      generator.count = draws.count
      let value = draw(&generator)
      draws.count = generator.count
      draws.generators[caseID] = generator
      return value
    }
  }
}
