import UnderstudyCore

extension Moment {
  /// The end of a certificate, by a line that libcurl lists of it; `nil` for any other line.
  ///
  /// With OpenSSL it is `Expire date:Dec  9 12:00:00 2026 GMT`, with other libraries `Expire
  /// Date:2026-12-09 12:00:00 GMT`.
  init?(certificateLine line: String) {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "expire date" else { return nil }
    let words = parts[1].split(separator: " ").map(String.init)
    guard words.last == "GMT" else { return nil }
    let (date, time): ([String], String)
    switch words.count {
    case 3: (date, time) = (words[0].split(separator: "-").map(String.init), words[1])
    case 5:
      let month = CivilTime.months.firstIndex(of: words[0]).map { "\($0 + 1)" } ?? ""
      (date, time) = ([words[3], month, words[1]], words[2])
    default: return nil
    }
    let clock = time.split(separator: ":").compactMap { Int($0) }
    let numbers = date.compactMap { Int($0) }
    guard numbers.count == 3, 1_970...9_999 ~= numbers[0], 1...12 ~= numbers[1],
      1...31 ~= numbers[2], clock.count == 3, 0...23 ~= clock[0], 0...59 ~= clock[1],
      0...59 ~= clock[2]
    else { return nil }
    let days = CivilTime.days(year: numbers[0], month: numbers[1], day: numbers[2])
    self.init(unixSeconds: ((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2])
    // A day that the month does not have is written as another one.
    guard self.date.hasSuffix("-\(numbers[2].digits(2))") else { return nil }
  }
}
