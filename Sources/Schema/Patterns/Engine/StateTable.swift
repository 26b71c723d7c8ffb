/// A precomputed program: for each state and symbol, the next state.
///
/// A state is the front of a simulation together with what precedes it, so both engines agree by
/// construction. Most patterns have few states; those with many use the simulation.
final class StateTable: Sendable {
  /// Bounds on what building a table may cost: about a millisecond and 64 KB.
  static let visitsMax = 100_000
  static let entriesMax = 32_768

  private let alphabet: Alphabet
  /// The rows follow each other, and each entry holds the start of the next row. The last entry of
  /// a row is for the end of the text. The first two rows are unused: they represent failure and
  /// match.
  private let entries: [UInt16]
  private let firstRow: Int
  private var rowLength: Int { alphabet.representatives.count + 1 }
  private var matchRow: Int { rowLength }

  /// `nil` if the table would be too large, or the program has look-arounds.
  init?(_ program: Program) {
    guard let alphabet = Alphabet(program) else { return nil }
    var builder = Builder(program, alphabet)
    guard builder.build() else { return nil }
    self.alphabet = alphabet
    entries = builder.entries
    firstRow = 2 * (alphabet.representatives.count + 1)
  }

  func matches(_ text: Span<UInt8>) -> Bool {
    // Read once: the loop is short enough for each load from the object to matter.
    let (entries, matchRow, asciiSymbols) = (entries, matchRow, alphabet.asciiSymbols)
    var row = firstRow
    var index = 0
    while index < text.count {
      let byte = text[index]
      let symbol: Int
      if byte < 0x80 {
        symbol = Int(asciiSymbols[Int(byte)])
        index += 1
      } else {
        symbol = alphabet.symbol(of: text.takeScalar(at: &index))
      }
      row = Int(entries[row + symbol])
      if row <= matchRow { return row == matchRow }
    }
    return Int(entries[row + rowLength - 1]) == matchRow
  }
}

extension StateTable {
  /// Finds all reachable states, starting with the first.
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
        from: state.front, after: state.before, taking: scalar, at: 0, to: &next)
      if matches { return rowLength }
      guard let scalar, !next.isEmpty else { return 0 }
      // The order of a front does not matter, so all orders are one state.
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

/// Divides the scalars into as few symbols as the program distinguishes.
struct Alphabet: Sendable {
  /// One scalar of each symbol, to represent it.
  let representatives: [UInt32]

  /// By ASCII character.
  let asciiSymbols: [UInt8]
  /// From each of these scalars up to the next, all have the symbol at the same index in `symbols`.
  private let starts: [UInt32]
  private let symbols: [UInt8]

  /// `nil` if the program has more sets than there are bits, or look-arounds, for which scalars
  /// alone do not say what follows.
  init?(_ program: Program) {
    let sets = program.sets + (program.hasWordBoundaries ? [.word] : [])
    guard program.looks.isEmpty, sets.count <= UInt128.bitWidth else { return nil }
    // At each start or end of a set, its bit flips.
    var flips: [UInt32: UInt128] = [0: 0]
    for (number, set) in sets.enumerated() {
      for range in set.ranges {
        flips[range.lowerBound, default: 0] ^= 1 << UInt128(number)
        flips[range.upperBound + 1, default: 0] ^= 1 << UInt128(number)
      }
    }
    var symbolByMembership: [UInt128: UInt8] = [:]
    var membership: UInt128 = 0
    var (representatives, starts, symbols) = ([UInt32](), [UInt32](), [UInt8]())
    for (start, flip) in flips.sorted(by: { $0.key < $1.key }) where start <= ScalarSet.valueMax {
      membership ^= flip
      let symbol: UInt8
      if let known = symbolByMembership[membership] {
        symbol = known
      } else {
        guard representatives.count < UInt8.max else { return nil }
        symbol = UInt8(representatives.count)
        symbolByMembership[membership] = symbol
        representatives.append(start)
      }
      guard symbol != symbols.last else { continue }
      starts.append(start)
      symbols.append(symbol)
    }
    self.representatives = representatives
    self.starts = starts
    self.symbols = symbols
    asciiSymbols = (0..<0x80).map { symbols[Self.place(of: $0, in: starts)] }
  }

  func symbol(of scalar: UInt32) -> Int {
    Int(symbols[Self.place(of: scalar, in: starts)])
  }

  /// The last start that is not above `scalar`. There is one, because the first is zero.
  private static func place(of scalar: UInt32, in starts: [UInt32]) -> Int {
    var (low, high) = (1, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= scalar { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}
