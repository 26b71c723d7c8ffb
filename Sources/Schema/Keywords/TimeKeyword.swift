import UnderstudyCore
import UnderstudyJSON

/// `x-time`: a number is a date in seconds since an epoch, and not far from now.
///
/// Mistaking 1970 for 2001 changes a date only by a factor of two, which type checks cannot detect.
struct TimeKeyword: Sendable {
  let epoch: Epoch
  let earliest: Offset
  let latest: Offset

  enum Epoch: Int, CaseIterable {
    case unix = 1970
    case reference = 2001

    var secondsSince1970: Double { self == .unix ? 0 : 978_307_200 }
  }

  /// A duration from now, as written.
  struct Offset {
    let text: String
    let seconds: Double
  }

  /// The problem with a date, or `nil`.
  func complaint(about instance: JSONValue, now: Moment) -> String? {
    guard let number = instance.number else { return nil }
    let seconds = number.double + epoch.secondsSince1970
    let distance = seconds - Double(now.unixSeconds)
    guard !isNear(distance) else { return nil }
    let violated =
      distance < earliest.seconds
      ? "earlier than \(earliest.text)" : "later than \(latest.text)"
    let reading = "\(number) reads as \(Self.date(seconds)) since \(epoch.rawValue), \(violated)"
    let others = Epoch.allCases.filter { other in
      other != epoch && isNear(number.double + other.secondsSince1970 - Double(now.unixSeconds))
    }
    let milliseconds = number.double / 1000
    if let other = others.first {
      let date = Self.date(number.double + other.secondsSince1970)
      return "\(reading); since \(other.rawValue) it would be \(date)"
    }
    if isNear(milliseconds + epoch.secondsSince1970 - Double(now.unixSeconds)) {
      let date = Self.date(milliseconds + epoch.secondsSince1970)
      return "\(reading); in milliseconds it would be \(date)"
    }
    return reading
  }

  private func isNear(_ distance: Double) -> Bool {
    earliest.seconds <= distance && distance <= latest.seconds
  }

  /// The day in the Gregorian calendar.
  private static func date(_ secondsSince1970: Double) -> String {
    let seconds = secondsSince1970.rounded(.down)
    // Starts at March of year 0.
    guard -62_162_035_200...253_402_300_799 ~= seconds else {
      return "a date without a four-digit year"
    }
    return Moment(unixSeconds: Int(clamping: seconds)).date
  }
}

extension TimeKeyword.Offset {
  /// `-20y`: a sign, a number, and years, days or hours.
  init?(_ text: String) {
    guard let sign = text.first, sign == "-" || sign == "+", let unit = text.last,
      let count = UInt32(text.dropFirst().dropLast())
    else { return nil }
    let secondsPerUnit: Double
    switch unit {
    case "y": secondsPerUnit = 31_556_952
    case "d": secondsPerUnit = 86_400
    case "h": secondsPerUnit = 3_600
    default: return nil
    }
    self.text = text
    seconds = Double(count) * secondsPerUnit * (sign == "-" ? -1 : 1)
  }
}
