import Testing

@testable import Patterns

/// A pattern with every engine that can run it, for tests of what they have to agree on.
struct BothEngines {
  let simulation: Simulation
  let table: StateTable?

  init(_ source: String) throws {
    let program = try Program(try Parser.parse(source).root)
    simulation = Simulation(program)
    table = StateTable(program)
  }

  /// The engines' common answer; it is an issue if they differ.
  func matches(_ bytes: [UInt8], _ comment: Comment) -> Bool {
    var simulation = simulation
    let answer = simulation.matches(bytes.span) ?? false
    if let table { #expect(table.matches(bytes.span) == answer, comment) }
    return answer
  }
}

/// Small, seeded and the same on every machine.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
