import UnderstudyContractModel
import UnderstudyCore

extension ValueFormat where Value: FixedWidthInteger {
  static func number(_ range: ClosedRange<Value>, expected: String? = nil) -> Self {
    Self(
      .other(expected ?? "a number from \(range.lowerBound) to \(range.upperBound)"),
      write: { String($0) }
    ) { text in
      Value(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueFormat<UInt16> {
  static var port: Self { number(0...UInt16.max, expected: "a port: 0 to 65535") }
}

extension ValueFormat<UInt64> {
  static var seed: Self { number(0...UInt64.max, expected: "a number of at least 0") }
}

extension ValueFormat<Double> {
  static var factor: Self {
    Self(
      .other("a number from 0 to 1000, such as 0.1"),
      write: { $0 == $0.rounded() ? String(Int(clamping: $0)) : String($0) }
    ) { text in
      Double(text).flatMap { (0...1000).contains($0) ? $0 : nil }
    }
  }
}

extension ValueFormat<Int> {
  static var count: Self { number(1...1_000_000) }

  /// `90`, `90%`
  static var percentage: Self {
    let number = number(0...100)
    return Self(number.shape) { number.parse($0.hasSuffix("%") ? String($0.dropLast()) : $0) }
  }

  /// A number of bytes, optionally in units of 1024: `32K`, `16M`.
  static func bytes(from bytesMin: Int = 1) -> Self {
    let range = bytesMin...(1 << 30)
    let units = [("M", 1 << 20), ("K", 1 << 10), ("", 1)]
    return Self(
      .other("a size \(bytesMin > 1 ? "from \(bytesMin)" : "up") to 1024M, such as 32K"),
      write: { bytes in
        units.first { bytes.isMultiple(of: $1) }.map { "\(bytes / $1)\($0)" } ?? ""
      },
      parse: { text in
        guard let (name, unit) = units.first(where: { text.hasSuffix($0.0) }),
          let number = Int(text.dropLast(name.count)), (1...range.upperBound).contains(number),
          range.contains(number * unit)
        else { return nil }
        return number * unit
      })
  }
}

extension ValueFormat<Duration> {
  /// A duration as contracts write it, or zero.
  static var timeOrZero: Self {
    Self(
      .other("a time up to 277777h with its unit, such as 30s or 0s"),
      write: { "\($0.components.seconds)s" }
    ) { Duration(contractText: $0) }
  }

  /// A duration as contracts write it.
  static var time: Self {
    Self(
      .other("a time above 0 and up to 277777h with its unit, such as 500ms or 30s"),
      write: timeOrZero.write
    ) { text in
      timeOrZero.parse(text).flatMap { $0 > .zero ? $0 : nil }
    }
  }

  /// `7d`, `36h`
  static var age: Self {
    Self(.other("an age in hours or days, such as 36h or 7d")) { text in
      guard let unit = text.last.flatMap({ ["h": 3_600, "d": 86_400][$0] }),
        let number = Int(text.dropLast()), (1...100_000).contains(number)
      else { return nil }
      return .seconds(number * unit)
    }
  }
}
