import Synchronization

/// A set of code points, as sorted ranges that neither overlap nor touch. It may contain
/// surrogates, as any negated class does, though no text has them.
///
/// The folder has the sets that a pattern names by a property: `GeneralCategory`, `BinaryProperty`
/// and `UnicodeScript`. The standard library knows the properties of a scalar but no sets, so these
/// are collected here once, in the `SetCache`.
struct ScalarSet: Hashable, Sendable {
  static let valueMax: UInt32 = 0x10FFFF

  let ranges: [ClosedRange<UInt32>]
  /// The members below 128, one bit each, because most text is made of them.
  private let ascii: UInt128

  init(_ ranges: [ClosedRange<UInt32>]) {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
    var ascii: UInt128 = 0
    for range in merged {
      guard range.lowerBound < 128 else { break }
      for value in range.lowerBound...min(range.upperBound, 127) { ascii |= 1 << UInt128(value) }
    }
    self.ascii = ascii
  }

  init(_ value: UInt32) {
    self.init([value...value])
  }

  var inverted: ScalarSet {
    var gaps: [ClosedRange<UInt32>] = []
    var start: UInt32 = 0
    for range in ranges {
      if range.lowerBound > start { gaps.append(start...range.lowerBound - 1) }
      start = range.upperBound + 1
    }
    if start <= Self.valueMax { gaps.append(start...Self.valueMax) }
    return ScalarSet(gaps)
  }

  func contains(_ value: UInt32) -> Bool {
    if value < 128 { return ascii >> UInt128(value) & 1 == 1 }
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= value
  }
}

extension ScalarSet {
  static let any = ScalarSet([0...valueMax])
  static let ascii = ScalarSet([0...0x7F])
  /// `\d`
  static let digits = ScalarSet([0x30...0x39])
  /// `\w`
  static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// `\s`: ECMA-262's WhiteSpace and LineTerminator.
  static let whitespace = ScalarSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  /// `.`
  static let anyButLineTerminator =
    ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).inverted
}

/// Goes through all of Unicode and collects the values of a property.
enum UnicodeRuns {
  struct Run<Value: Sendable>: Sendable {
    let range: ClosedRange<UInt32>
    let value: Value
  }

  /// The planes whose scalars differ from each other. The others have no assigned scalars or only
  /// private ones; apart from the two noncharacters at its end, such a plane is uniform.
  private static let detailedPlanes: Set<UInt32> = [0, 1, 2, 3, 14]

  /// Consecutive scalars with the same value of a property. Surrogates have none.
  static func runs<Value: Equatable & Sendable>(
    of property: (Unicode.Scalar.Properties) -> Value
  ) -> [Run<Value>] {
    var runs: [Run<Value>] = []
    func add(_ range: ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(range.lowerBound) else { return }
      let value = property(scalar.properties)
      if let last = runs.last, last.value == value, last.range.upperBound + 1 == range.lowerBound {
        runs[runs.count - 1] = Run(
          range: last.range.lowerBound...range.upperBound, value: value)
      } else {
        runs.append(Run(range: range, value: value))
      }
    }
    for plane in 0...ScalarSet.valueMax >> 16 {
      let start = plane << 16
      if detailedPlanes.contains(plane) {
        for value in start...start + 0xFFFF { add(value...value) }
      } else {
        add(start...start + 0xFFFD)
        add(start + 0xFFFE...start + 0xFFFF)
      }
    }
    return runs
  }
}

/// The sets of properties used so far, shared by all threads. Going through all of Unicode takes
/// some ten milliseconds, so nothing is computed twice.
final class SetCache: Sendable {
  private let sets = Mutex<[String: ScalarSet]>([:])

  func set(named name: String, orMake make: () -> ScalarSet) -> ScalarSet {
    sets.withLock { sets in
      if let set = sets[name] { return set }
      let set = make()
      sets[name] = set
      return set
    }
  }
}
