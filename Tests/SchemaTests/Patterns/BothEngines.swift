import Testing

@testable import UnderstudySchema

/// A pattern with every engine that can run it, for tests of what they have to agree on.
struct BothEngines {
  let simulation: Simulation
  let table: StateTable?

  init(_ source: String) throws {
    let program = try Program(try Parser.parse(source))
    simulation = Simulation(program)
    table = StateTable(program)
  }

  /// The engines' common response; it is an issue if they differ.
  func matches(_ bytes: [UInt8], _ comment: Comment) -> Bool {
    var simulation = simulation
    let response = simulation.matches(bytes.span) ?? false
    if let table { #expect(table.matches(bytes.span) == response, comment) }
    return response
  }
}
