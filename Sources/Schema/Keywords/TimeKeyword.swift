import UnderstudyJSON

/// `x-time`: a number is a date in seconds since an epoch, and not far from now.
///
/// 1970 taken for 2001 is only a factor of two, which no check of types can see.
struct TimeKeyword: Sendable {
  let epoch: Epoch
  let earliest: Offset
  let latest: Offset

  enum Epoch: Int, CaseIterable {
    case unix = 1970
    case reference = 2001

    var secondsSince1970: Double { self == .unix ? 0 : 978_307_200 }
  }

  /// A span of time from now, as it was written.
  struct Offset {
    let text: String
    let seconds: Double
  }

  /// What is wrong with a date, or `nil`; `now` is in seconds since 1970.
  func complaint(about instance: JSONValue, now: Int) -> String? {
    guard let number = instance.number else { return nil }
    let seconds = number.double + epoch.secondsSince1970
    let distance = seconds - Double(now)
    guard !isNear(distance) else { return nil }
    let violated =
      distance < earliest.seconds
      ? "earlier than \(earliest.text)" : "later than \(latest.text)"
    let reading = "\(number) reads as \(Self.date(seconds)) since \(epoch.rawValue), \(violated)"
    let others = Epoch.allCases.filter { other in
      other != epoch && isNear(number.double + other.secondsSince1970 - Double(now))
    }
    let milliseconds = number.double / 1000
    if let other = others.first {
      let date = Self.date(number.double + other.secondsSince1970)
      return "\(reading); since \(other.rawValue) it would be \(date)"
    }
    if isNear(milliseconds + epoch.secondsSince1970 - Double(now)) {
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
    let days = (secondsSince1970 / 86400).rounded(.down)
    // Counted from March of the year 0, so that leap days end a year; 146097 days are 400 years.
    let shifted = days + 719_468
    guard 0...3_652_059 ~= shifted else { return "no date of four digits" }
    let dayOfEra = Int(shifted) % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + Int(shifted) / 146_097 * 400 + (month <= 2 ? 1 : 0)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
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
