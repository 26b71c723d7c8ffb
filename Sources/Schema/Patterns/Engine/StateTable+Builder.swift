extension StateTable {
  /// Finds all states that can be reached, beginning with the first.
  struct Builder {
    private struct State: Hashable {
      let front: Simulation.Front
      let before: Simulation.Before
    }

    private(set) var entries: [UInt16]
    private let alphabet: Alphabet
    private var simulation: Simulation
    var visits: Int { simulation.visits }
    private var states: [State] = []
    private var rowByState: [State: Int] = [:]
    private var rowLength: Int { alphabet.representatives.count + 1 }

    init(_ program: Program, _ alphabet: Alphabet) {
      self.alphabet = alphabet
      simulation = Simulation(program)
      entries = Array(repeating: 0, count: 2 * (alphabet.representatives.count + 1))
    }

    /// Returns `false` if there are too many.
    mutating func build() -> Bool {
      _ = row(of: State(front: Simulation.firstFront, before: .start))
      var next: Simulation.Front = []
      let scalars = alphabet.representatives.map(Optional.some) + [nil]
      var done = 0
      while done < states.count {
        let state = states[done]
        done += 1
        for scalar in scalars {
          let entry = entry(for: state, taking: scalar, &next)
          guard entry < StateTable.entriesMax, visits <= StateTable.visitsMax else {
            return false
          }
          entries.append(UInt16(entry))
        }
      }
      return true
    }

    private mutating func entry(
      for state: State, taking scalar: UInt32?, _ next: inout Simulation.Front
    ) -> Int {
      let matches = simulation.advance(
        from: state.front, after: state.before, taking: scalar, to: &next)
      if matches { return rowLength }
      guard let scalar, !next.isEmpty else { return 0 }
      // The order of a front says nothing, so that all orders are one state.
      return row(of: State(front: next.sorted(), before: simulation.before(after: scalar)))
    }

    private mutating func row(of state: State) -> Int {
      if let row = rowByState[state] { return row }
      let row = (states.count + 2) * rowLength
      states.append(state)
      rowByState[state] = row
      return row
    }
  }
}
