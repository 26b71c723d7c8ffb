import Glibc

extension CivilTime {
  /// The second since 1970 that a date spelled as `httpDate` means, such as one in `Retry-After`.
  /// The two older forms of dates, which nobody has sent for decades, are none.
  package static func unixSeconds(ofHTTPDate text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, let month = months.firstIndex(of: String(words[2])) else { return nil }
    let clock = words[4].split(separator: ":").compactMap { Int32($0) }
    guard clock.count == 3, let day = Int32(words[1]), let year = Int32(words[3]),
      1_970...9_999 ~= year
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1_900, Int32(month), day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
    let seconds = timegm(&parts)
    // Whatever is wrong in another way does not come back as it was.
    return CivilTime(unixSeconds: seconds).httpDate == text ? seconds : nil
  }
}
