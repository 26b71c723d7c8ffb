import Synchronization
import UnderstudyContractModel

extension Session {
  /// The random values drawn for responses since the last reset.
  struct Draws {
    /// For all cases.
    var count = 0
    /// By contract and case.
    var generators: [ServedCase: ValueGenerator] = [:]
  }

  /// Draws values for the next response of a case.
  ///
  /// Each case has its own random sequence in each session, derived from the seed and both names,
  /// so the order of requests to other cases does not affect it.
  func draw<Value: Sendable>(
    for servable: ServableCase, _ draw: (inout ValueGenerator) -> Value
  ) -> Value {
    guard servable.drawsValues else {
      var unused = ValueGenerator(seed: 0)
      return draw(&unused)
    }
    return self.draw(for: ServedCase(contract: servable.contractID, caseName: servable.name), draw)
  }

  func draw<Value: Sendable>(
    for served: ServedCase, _ draw: (inout ValueGenerator) -> Value
  ) -> Value {
    draws.withLock { draws in
      var generator = draws.generators[served] ?? generator("\(served)")
      generator.count = draws.count
      let value = draw(&generator)
      draws.count = generator.count
      draws.generators[served] = generator
      return value
    }
  }

  func generator(_ name: String) -> ValueGenerator {
    ValueGenerator(seed: seed ^ UInt64(mark) << 32 ^ UInt64(name.fnv1a))
  }
}
