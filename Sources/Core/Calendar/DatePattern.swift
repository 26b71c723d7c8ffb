/// A date written by a pattern of letters, as Unicode (LDML), Java and WireMock use them:
/// `yyyy-MM-dd'T'HH:mm`.
package struct DatePattern: Hashable, Sendable {
  enum Piece: Hashable {
    case text(String)
    case field(UInt8, count: Int)
  }

  /// How often each letter may be repeated.
  private static let letters: [(letter: UInt8, countMax: Int)] = [
    (UInt8(ascii: "y"), 4), (UInt8(ascii: "M"), 4), (UInt8(ascii: "d"), 2), (UInt8(ascii: "E"), 4),
    (UInt8(ascii: "a"), 1), (UInt8(ascii: "H"), 2), (UInt8(ascii: "h"), 2), (UInt8(ascii: "m"), 2),
    (UInt8(ascii: "s"), 2), (UInt8(ascii: "S"), 9), (UInt8(ascii: "X"), 3), (UInt8(ascii: "Z"), 5),
  ]

  private(set) var pieces: [Piece] = []

  package init(_ text: String) throws(Failure) {
    let bytes = Array(text.utf8)
    var literal: [UInt8] = []
    var index = 0
    func place(_ index: Int) -> String {
      "at character \(String(decoding: bytes[..<index], as: UTF8.self).count + 1) of \"\(text)\""
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == Self.quote {
        guard let end = Self.endOfQuote(in: bytes, from: index, &literal) else {
          throw Failure(
            message: "the quote \(place(index)) does not end",
            fix: "close it, or write '' for the character itself")
        }
        index = end
      } else if byte.isLetter {
        let count = bytes[index...].prefix { $0 == byte }.count
        guard let known = Self.letters.first(where: { $0.letter == byte }) else {
          throw .unknown(byte, place(index), Self.letters.map(\.letter))
        }
        guard count <= known.countMax else {
          throw Failure(
            message: "found \(count) letters \"\(Character(Unicode.Scalar(byte)))\""
              + " \(place(index)), expected at most \(known.countMax)",
            fix: "write fewer")
        }
        add(&literal)
        pieces.append(.field(byte, count: count))
        index += count
      } else {
        literal.append(byte)
        index += 1
      }
    }
    add(&literal)
  }

  private static let quote = UInt8(ascii: "'")

  private mutating func add(_ literal: inout [UInt8]) {
    if !literal.isEmpty { pieces.append(.text(String(decoding: literal, as: UTF8.self))) }
    literal = []
  }

  /// Adds the text in quotes; two quotes are one, inside and alone.
  private static func endOfQuote(
    in bytes: [UInt8], from start: Int, _ literal: inout [UInt8]
  ) -> Int? {
    var index = start + 1
    if bytes[start...].starts(with: [quote, quote]) {
      literal.append(quote)
      return start + 2
    }
    while index < bytes.count {
      let isDoubled = bytes[index...].starts(with: [quote, quote])
      if bytes[index] == quote, !isDoubled { return index + 1 }
      literal.append(bytes[index])
      index += isDoubled ? 2 : 1
    }
    return nil
  }
}

extension Failure {
  fileprivate static func unknown(_ byte: UInt8, _ place: String, _ known: [UInt8]) -> Failure {
    func text(_ byte: UInt8) -> String { String(Character(Unicode.Scalar(byte))) }
    let near = known.first { $0 ^ byte == 0x20 }
    return Failure(
      message: "found letter \"\(text(byte))\" \(place), expected one of"
        + " \(known.map(text).joined(separator: " "))",
      fix: near.map { "write \"\(text($0))\"" } ?? "put text in quotes: '\(text(byte))'")
  }
}

extension DatePattern {
  /// The date and time that a zone's clocks show.
  package func text(unixSeconds: Int, microsecond: Int, in zone: Zone) -> String {
    let offset = zone.offset(at: unixSeconds)
    let time = CivilTime(unixSeconds: unixSeconds + offset)
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let literal): text += literal
      case .field(let letter, let count):
        text += Self.text(of: letter, count, time, microsecond, offset)
      }
    }
    return text
  }

  private static func text(
    of letter: UInt8, _ count: Int, _ time: CivilTime, _ microsecond: Int, _ offset: Int
  ) -> String {
    switch letter {
    case UInt8(ascii: "y"):
      count == 2 ? (time.year % 100).digits(2) : time.year.digits(count)
    case UInt8(ascii: "M") where count > 2:
      count == 3 ? CivilTime.months[time.month - 1] : monthNames[time.month - 1]
    case UInt8(ascii: "M"): time.month.digits(count)
    case UInt8(ascii: "d"): time.day.digits(count)
    case UInt8(ascii: "E"):
      count < 4 ? CivilTime.weekdays[time.weekday] : weekdayNames[time.weekday]
    case UInt8(ascii: "a"): time.hour < 12 ? "AM" : "PM"
    case UInt8(ascii: "H"): time.hour.digits(count)
    case UInt8(ascii: "h"): ((time.hour + 11) % 12 + 1).digits(count)
    case UInt8(ascii: "m"): time.minute.digits(count)
    case UInt8(ascii: "s"): time.second.digits(count)
    case UInt8(ascii: "S"): String((microsecond.digits(6) + "000").prefix(count))
    case UInt8(ascii: "X"): offset.asOffset(hasColon: count == 3, isShort: count == 1, zero: "Z")
    case UInt8(ascii: "Z") where count == 4:
      offset == 0 ? "GMT" : "GMT" + offset.asOffset(hasColon: true)
    case UInt8(ascii: "Z") where count == 5: offset.asOffset(hasColon: true, zero: "Z")
    default: offset.asOffset(hasColon: false)
    }
  }

  static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  static let weekdayNames = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
}

extension Zone {
  /// RFC 3339, with seconds: `2026-01-31T23:59:59+01:00`, in UTC with `Z`.
  package func rfc3339(unixSeconds: Int) -> String {
    let offset = offset(at: unixSeconds)
    // Offsets of the 19th century have seconds, which the format lacks.
    let written = offset - offset % 60
    return CivilTime(unixSeconds: unixSeconds + written).rfc3339(
      zone: written.asOffset(hasColon: true, zero: "Z"))
  }
}

extension Int {
  /// `+0200`, to the minute.
  func asOffset(hasColon: Bool, isShort: Bool = false, zero: String? = nil) -> String {
    let minutes = Swift.abs(self) / 60
    if minutes == 0, let zero { return zero }
    let hours = (self < 0 ? "-" : "+") + (minutes / 60).digits(2)
    if isShort, minutes % 60 == 0 { return hours }
    return hours + (hasColon ? ":" : "") + (minutes % 60).digits(2)
  }
}
