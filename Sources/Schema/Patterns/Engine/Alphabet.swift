/// The scalars, sorted into as few symbols as a program needs to tell apart.
struct Alphabet: Sendable {
  /// One scalar of each symbol: it stands for all of them.
  let representatives: [UInt32]

  private let asciiSymbols: InlineArray<128, UInt8>
  /// From each of these scalars to the next, all have the symbol at the same place in `symbols`.
  private let starts: [UInt32]
  private let symbols: [UInt8]

  /// `nil` if the program has more sets than there are bits to mark them with.
  init?(_ program: Program) {
    let sets = program.sets + (program.hasWordBoundaries ? [.word] : [])
    guard sets.count <= UInt128.bitWidth else { return nil }
    // Where a set begins or ends, its bit flips.
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
    asciiSymbols = InlineArray { symbols[Self.place(of: UInt32($0), in: starts)] }
  }

  func symbol(ofASCII byte: UInt8) -> Int {
    Int(asciiSymbols[Int(byte)])
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
