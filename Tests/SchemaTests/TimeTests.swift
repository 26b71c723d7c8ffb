import Testing
import UnderstudyJSON
import UnderstudySchema

/// All tests take 2021-11-02 00:00 UTC for now.
@Suite struct TimeTests {
  private static let now = 1_635_811_200

  private func complaints(_ time: String, _ instance: String) throws -> [String] {
    let schema = try compiled(#"{"x-time": \#(time)}"#, now: Self.now)
    return try schema.complaints(about: value(instance)).map(\.message)
  }

  @Test(
    "accepts dates near now, and values that are not numbers",
    arguments: [
      "657504000", "657504000.25", "6.57504e8", "689000000", #""2052""#, "null",
    ])
  func plausible(instance: String) throws {
    #expect(try complaints(#"{"epoch": 2001, "within": ["-20y", "+1y"]}"#, instance) == [])
  }

  @Test(
    "shows which date a number is, and which it would be with another epoch",
    arguments: [
      (
        2001, "1635724800",
        "1635724800 reads as 2052-11-01 since 2001, later than +1y; since 1970 it would be "
          + "2021-11-01"
      ),
      (
        1970, "657417600",
        "657417600 reads as 1990-11-01 since 1970, earlier than -20y; since 2001 it would be "
          + "2021-11-01"
      ),
      (
        1970, "1635724800000",
        "1635724800000 reads as a date without a four-digit year since 1970, later than +1y; in "
          + "milliseconds it would be 2021-11-01"
      ),
      (1970, "0", "0 reads as 1970-01-01 since 1970, earlier than -20y"),
      (1970, "-86401", "-86401 reads as 1969-12-30 since 1970, earlier than -20y"),
      (1970, "951782400", "951782400 reads as 2000-02-29 since 1970, earlier than -20y"),
      (1970, "4000000000", "4000000000 reads as 2096-10-02 since 1970, later than +1y"),
      (1970, "1e400", "1e400 reads as a date without a four-digit year since 1970, later than +1y"),
    ])
  func implausible(epoch: Int, instance: String, message: String) throws {
    let found = try complaints(#"{"epoch": \#(epoch), "within": ["-20y", "+1y"]}"#, instance)
    #expect(found == [message])
  }

  @Test("knows years, days and hours", arguments: [("-2h", 7_200), ("-3d", 259_200)])
  func units(earliest: String, seconds: Int) throws {
    let time = #"{"epoch": 1970, "within": ["\#(earliest)", "+0h"]}"#
    #expect(try complaints(time, "\(Self.now - seconds)") == [])
    #expect(try complaints(time, "\(Self.now - seconds - 1)").count == 1)
    #expect(try complaints(time, "\(Self.now + 1)").count == 1)
  }

  @Test(
    "says what is wrong with the keyword",
    arguments: [
      (
        #"{"epoch": 1900, "within": ["-1y", "+1y"]}"#,
        #"1:22: found number 1900 as "x-time", expected {"epoch": 1970 or 2001, …}"#
      ),
      (
        #"{"within": ["-1y", "+1y"]}"#,
        #"1:12: found object with 1 member as "x-time", expected {"epoch": 1970 or 2001, …}"#
      ),
      (
        #"{"epoch": 1970, "within": ["+1y", "-1y"]}"#,
        """
        1:38: found array with 2 elements as "x-time", expected {"within": ["-20y", "+1y"], …}
          fix: write the earliest and the latest, each with a sign and y, d or h
        """
      ),
      (
        #"{"epoch": 1970, "within": ["-1m", "+1y"]}"#,
        """
        1:38: found array with 2 elements as "x-time", expected {"within": ["-20y", "+1y"], …}
          fix: write the earliest and the latest, each with a sign and y, d or h
        """
      ),
      (
        #"{"epoch": 1970, "within": ["-1y", "+1y"], "epochs": 1}"#,
        """
        1:64: unknown key "epochs" in "x-time"
          fix: did you mean "epoch"?
        """
      ),
    ])
  func shape(time: String, expected: String) throws {
    #expect(try problems(#"{"x-time": \#(time)}"#) == expected)
  }
}
