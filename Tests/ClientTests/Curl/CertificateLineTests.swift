import Testing
import UnderstudyCore

@testable import UnderstudyClient

@Suite struct CertificateLineTests {
  @Test(
    "the end of a certificate is read as the TLS libraries of libcurl spell it",
    arguments: [
      ("Expire date:Dec  9 12:00:00 2026 GMT", "2026-12-09T12:00:00Z"),
      ("Expire date:Dec 19 02:03:04 2026 GMT", "2026-12-19T02:03:04Z"),
      ("Expire Date:2026-12-09 12:00:00 GMT", "2026-12-09T12:00:00Z"),
      ("expire date: 2028-02-29 23:59:59 GMT ", "2028-02-29T23:59:59Z"),
      ("Expire date:Dec 31 23:59:59 9999 GMT", "9999-12-31T23:59:59Z"),
    ])
  func known(line: String, moment: String) {
    #expect(Moment(certificateLine: line)?.rfc3339 == moment)
  }

  @Test(
    "nothing is made of other lines, or of dates in other forms",
    arguments: [
      "", ":", "Expire date", "Expire date:", "Expire date:GMT", "Expire date:soon",
      "Start date:Dec  9 12:00:00 2026 GMT", "Expire dates:Dec  9 12:00:00 2026 GMT",
      "Expire date:Dec  9 12:00:00 2026", "Expire date:Dec  9 12:00:00 2026 CET",
      "Expire date:Dez  9 12:00:00 2026 GMT", "Expire date:Feb 29 12:00:00 2026 GMT",
      "Expire date:Feb 31 12:00:00 2028 GMT", "Expire date:Dec  0 12:00:00 2026 GMT",
      "Expire date:Dec 32 12:00:00 2026 GMT", "Expire date:Dec  9 24:00:00 2026 GMT",
      "Expire date:Dec  9 12:60:00 2026 GMT", "Expire date:Dec  9 12:00:60 2026 GMT",
      "Expire date:Dec  9 12:00 2026 GMT", "Expire date:Dec  9 12:00:00.5 2026 GMT",
      "Expire date:Dec  9 12:00:00 26 GMT", "Expire date:Dec  9 12:00:00 99999 GMT",
      "Expire date:Dec  9 12:00:00 9223372036854775808 GMT", "Expire date:2026-13-09 12:00:00 GMT",
      "Expire date:2026-00-09 12:00:00 GMT", "Expire date:2026-12 12:00:00 GMT",
      "Expire date:2026-12-09T12:00:00Z", "Expire date:2026-12-09 12:00:00 GMT GMT",
      "Expire date:2026/12/09 12:00:00 GMT",
    ])
  func unknown(line: String) {
    #expect(Moment(certificateLine: line) == nil)
  }
}
