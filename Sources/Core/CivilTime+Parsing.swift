extension CivilTime {
  /// The second since 1970 that a date spelled as `httpDate` means, such as one in `Retry-After`.
  /// The two older forms of dates, which nobody has sent for decades, are none.
  package static func unixSeconds(ofHTTPDate text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, let month = months.firstIndex(of: String(words[2])) else { return nil }
    let clock = words[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, let day = Int(words[1]), let year = Int(words[3]),
      1_970...9_999 ~= year, 1...31 ~= day, clock.allSatisfy({ 0...60 ~= $0 })
    else { return nil }
    // Counted in years that begin in March, as `init(unixSeconds:)` counts.
    let marchYear = month < 2 ? year - 1 : year
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
    let days = 365 * marchYear + leapDays + dayOfYear - 719_468
    let seconds = ((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
    // Whatever is wrong in another way does not come back as it was.
    return CivilTime(unixSeconds: seconds).httpDate == text ? seconds : nil
  }
}
