import Foundation
import Testing
import UnderstudyCore

@Suite struct MomentTests {
  @Test(
    "spells a second as RFC 9110 and RFC 3339 do",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT", "1969-12-31T23:59:59Z"),
      (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT", "2000-02-28T23:59:59Z"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT", "2000-02-29T00:00:00Z"),
      (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT", "2100-02-28T23:59:59Z"),
      (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT", "2100-03-01T00:00:00Z"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"),
    ])
  func spelling(seconds: Int, httpDate: String, rfc3339: String) {
    let time = Moment(unixSeconds: seconds)
    #expect(time.httpDate == httpDate)
    #expect(time.rfc3339 == rfc3339)
  }

  @Test("reads what it writes", arguments: [0, 61, 951_782_400, 784_111_777, 253_402_300_799])
  func reading(seconds: Int) {
    let text = Moment(unixSeconds: seconds).httpDate
    #expect(Moment(httpDate: text)?.unixSeconds == seconds)
  }

  @Test(
    "reads nothing else",
    arguments: [
      "", "8", "Sun, 06 Nov 1994 08:49:37", "Mon, 06 Nov 1994 08:49:37 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
      "Wed, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:61:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      "Wed, 31 Dec 1969 23:59:59 GMT", "Sat, 01 Jan 10000 00:00:00 GMT",
      "Sun, 06 Nov 2147483647 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:2147483647 GMT",
    ])
  func refusals(text: String) {
    #expect(Moment(httpDate: text) == nil)
  }

  @Test("agrees with Foundation on every twentieth day of five centuries")
  func calendar() {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    for seconds in stride(from: 0, to: 500 * 31_556_952, by: 20 * 86_400 + 3_607) {
      let date = Date(timeIntervalSince1970: TimeInterval(seconds))
      #expect(Moment(unixSeconds: seconds).httpDate == formatter.string(from: date))
    }
  }
}
