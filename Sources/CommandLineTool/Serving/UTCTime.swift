import Glibc

/// A moment as RFC 3339 writes it, to the millisecond: `2026-01-31T23:59:59.250Z`.
struct UTCTime {
  let text: String

  init(unixNanoseconds: Int64) {
    let (seconds, rest) = unixNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let date = [digits(Int(parts.tm_year) + 1900, 4), digits(Int(parts.tm_mon) + 1)]
    text =
      date.joined(separator: "-") + "-\(digits(Int(parts.tm_mday)))T"
      + [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0)) }.joined(separator: ":")
      + ".\(digits(Int(rest / 1_000_000), 3))Z"
  }
}
