import UnderstudyCore

/// The time from the complete request to the start of the response.
package indirect enum Delay: Sendable {
  case fixed(Duration)
  case uniform(ClosedRange<Duration>)
  /// Mostly near the median, with a long tail cut off at `max`.
  case lognormal(median: Duration, sigma: Double, max: Duration)

  /// The longest possible delay.
  package var max: Duration {
    switch self {
    case .fixed(let time), .lognormal(_, _, let time): time
    case .uniform(let range): range.upperBound
    }
  }
}

/// How fast a body is sent.
package indirect enum Pace: Sendable {
  case chunks(count: Int, over: Duration)
  case bytesPerSecond(Int)
}

/// Where sending stops for good while the connection stays open.
package enum Stall: Sendable {
  case beforeHead
  case afterHead
  case atByte(Int)
  /// After this many events of the response.
  case atEvent(Int)

  var event: Int? { if case .atEvent(let number) = self { number } else { nil } }
}

extension Duration {
  /// The allowed units of a duration, smallest first.
  static let units: [(suffix: String, millisecondCount: Double)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
  ]

  /// Reads `"250ms"`, `"1.5s"`, `"2m"`; `nil` without a number or a unit, or for a negative one.
  package init?(contractText text: String) {
    let digits = text.utf8.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    let suffix = text[digits.endIndex...]
    guard digits.first?.isDigit == true, digits.last?.isDigit == true,
      let unit = Self.units.first(where: { $0.suffix == suffix }), let digits = String(digits),
      let number = Double(digits), number * unit.millisecondCount < 1e12
    else { return nil }
    self = .microseconds(Int64(clamping: (number * unit.millisecondCount * 1000).rounded()))
  }
}
