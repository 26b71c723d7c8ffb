import Synchronization
import UnderstudyContractModel

extension Session {
  /// The random values drawn for answers since the last reset.
  struct Draws {
    /// For all cases.
    var count = 0
    /// By contract and case.
    var generators: [PlayedCase: PlayGenerator] = [:]
  }

  /// Draws values for the next answer of a case.
  ///
  /// Each case has its own random sequence in each session, derived from the seed and both names,
  /// so the order of requests to other cases does not affect it.
  func draw<Value: Sendable>(
    for playable: PlayableCase, _ draw: (inout PlayGenerator) -> Value
  ) -> Value {
    self.draw(for: PlayedCase(contract: playable.contractID, caseName: playable.name), draw)
  }

  func draw<Value: Sendable>(
    for played: PlayedCase, _ draw: (inout PlayGenerator) -> Value
  ) -> Value {
    draws.withLock { draws in
      var generator = draws.generators[played] ?? generator("\(played)")
      generator.count = draws.count
      let value = draw(&generator)
      draws.count = generator.count
      draws.generators[played] = generator
      return value
    }
  }

  func generator(_ name: String) -> PlayGenerator {
    PlayGenerator(seed: seed ^ UInt64(mark) << 32 ^ UInt64(name.fnv1a))
  }
}
