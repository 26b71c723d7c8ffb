import UnderstudyCore
import UnderstudyContractModel
import UnderstudySystem

/// The source of all random and counted values in responses: the same values in the same order for
/// the same seed.
struct ValueGenerator: Sendable {
  private var state: UInt64
  /// The last counted number.
  var count = 0

  init(seed: UInt64) { state = seed }

  /// SplitMix64: one addition and a mix, good enough for anything but secrets.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// 1, 2, 3, …
  mutating func nextCount() -> Int {
    count += 1
    return count
  }

  mutating func wholeNumber(in range: ClosedRange<Int>) -> Int {
    // Without a rejection loop, one value is more likely than another by at most 2⁻⁶⁴ of the range.
    let width = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound)) &+ 1
    let drawn = next()
    guard width > 0 else { return Int(truncatingIfNeeded: drawn) }
    let offset = drawn.multipliedFullWidth(by: width).high
    return range.lowerBound &+ Int(truncatingIfNeeded: offset)
  }

  /// From 0 to below 1.
  mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Above 0, at most 1.
  private mutating func fraction() -> Double {
    Double((next() >> 11) + 1) * 0x1p-53
  }

  mutating func uuid() -> String {
    let high = next()
    return RandomUUID.text(high: high, low: next())
  }

  /// Bytes that no client mistakes for the start of a response: the first is not ASCII.
  mutating func noise(count: Int) -> [UInt8] {
    var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) }
    if !bytes.isEmpty { bytes[0] |= 0x80 }
    return bytes
  }
}

extension ValueGenerator {
  /// A random delay, rounded to microseconds.
  mutating func duration(of delay: Delay?) -> Duration {
    switch delay {
    case nil: return .zero
    case .fixed(let duration): return duration
    case .uniform(let range):
      let width = range.upperBound.microseconds - range.lowerBound.microseconds
      return range.lowerBound + .microseconds(wholeNumber(in: 0...max(0, width)))
    case .lognormal(let median, let sigma, let max):
      let microseconds = Double(median.microseconds) * CLibrary.exponential(sigma * normal())
      // Compared first: the tail reaches numbers that no integer can hold.
      guard microseconds < Double(max.microseconds) else { return max }
      return .microseconds(Int(clamping: microseconds.rounded()))
    }
  }

  /// From the normal distribution with mean 0 and deviation 1 (Box–Muller transform).
  private mutating func normal() -> Double {
    let (radius, angle) = (fraction(), fraction())
    return (-2 * CLibrary.logarithm(radius)).squareRoot() * CLibrary.cosine(2 * Double.pi * angle)
  }
}

extension Duration {
  /// Limited to some 30,000 years, far more than a contract may specify.
  fileprivate var microseconds: Int {
    Int(max(-1 << 40, min(components.seconds, 1 << 40))) * 1_000_000
      + Int(components.attoseconds / 1_000_000_000_000)
  }
}
