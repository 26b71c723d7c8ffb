import Testing
import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

/// `x-date`, which compares a string with dates.
@Suite struct DateTests {
  /// 2030-01-01
  private static let now = 1_893_456_000

  @Test(
    "what a string says as a date",
    arguments: [
      (#""2029-12-31T23:59:59Z""#, true), (#""2030-01-01T00:00:00Z""#, false),
      (#""2029-12-30T00:00:00Z""#, false), (#""soon""#, false), ("1893455999", true),
      ("null", true),
    ])
  func accepts(instance: String, isValid: Bool) throws {
    let schema = try compiled(
      #"{"x-date": {"after": "now -1d", "before": "now"}}"#, now: Self.now)
    let found = try value(instance)
    #expect(schema.accepts(found) == isValid)
    #expect(schema.complaints(about: found).isEmpty == isValid)
  }

  @Test("a complaint names the dates")
  func complaint() throws {
    let schema = try compiled(
      #"{"x-date": {"at": "now/d", "format": "dd.MM.yyyy"}}"#, now: Self.now)
    let found = try value(#""02.01.2030""#)
    #expect(
      schema.complaints(about: found).map(\.message) == [
        #"found "02.01.2030", expected a date at now/d, written as dd.MM.yyyy"#
      ])
    #expect(schema.accepts(found, now: Moment(unixSeconds: Self.now + 86_400)))
  }

  @Test(
    "what is wrong with it is said",
    arguments: [
      ("\"now\"", #"1:12: found string "now" as "x-date", expected {"before": "now"}"#),
      ("{}", "1:12: no date to compare with, expected one of before, at, after in \"x-date\""),
      (
        #"{"before": "tomorrow"}"#,
        #"1:23: found "tomorrow", expected a date, or "now" and steps in "x-date""#
      ),
      (
        #"{"before": "now", "from": 1}"#, #"1:38: unknown key "from" in "x-date""#
      ),
    ])
  func wrong(keyword: String, message: String) throws {
    #expect(try problems(#"{"x-date": \#(keyword)}"#).hasPrefix(message))
  }
}
