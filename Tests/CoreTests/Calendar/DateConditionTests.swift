import Testing

@testable import UnderstudyCore

@Suite struct DateConditionTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  private static let now = Moment(unixSeconds: 784_111_777)

  typealias Relation = DateCondition.Relation

  private static func condition(
    _ bounds: [(Relation, String)], form: String? = nil, steps: String? = nil
  ) throws(Failure) -> DateCondition {
    var read: [DateCondition.Bound] = []
    for (relation, text) in bounds { read.append(try DateCondition.Bound(relation, text)) }
    return DateCondition(
      read, form: try form.map { text throws(Failure) in try DateCondition.Form(text) } ?? .usual,
      steps: try steps.map { text throws(Failure) in try DateCondition.steps(text) } ?? [])
  }

  @Test(
    "dates in every usual form are compared with a moment",
    arguments: [
      "1994-11-06T08:49:37Z", "1994-11-06t08:49:37z", "1994-11-06 08:49:37",
      "1994-11-06T09:49:37+01:00", "1994-11-06T03:19:37-0530", "1994-11-06T08:49:37.000000+00",
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 09:49:37 +0100",
      "Sun Nov  6 08:49:37 1994", "Sun Nov 6 08:49:37 1994", "Sunday, 06-Nov-94 08:49:37 GMT",
    ])
  func usual(text: String) throws {
    #expect(try Self.condition([(.at, "now")]).accepts(text, at: Self.now))
    #expect(try Self.condition([(.at, "1994-11-06T08:49:37Z")]).accepts(text, at: .epoch))
    #expect(try !Self.condition([(.before, "now")]).accepts(text, at: Self.now))
    #expect(try Self.condition([(.before, "now +1s")]).accepts(text, at: Self.now))
    #expect(try !Self.condition([(.after, "now")]).accepts(text, at: Self.now))
    #expect(try Self.condition([(.after, "now -1s")]).accepts(text, at: Self.now))
  }

  @Test(
    "what is no date is not accepted",
    arguments: [
      "", "now", "1994", "1994-11-31", "1994-02-29", "1994-13-01", "1994-00-01", "1994-11-00",
      "1994-11-06T24:00", "1994-11-06T08:60", "1994-11-06T08", "1994-11-06T08:49:37+1:00",
      "1994-11-06T08:49:37.", "1994-11-06Z", " 1994-11-06", "1994-11-06 ", "94-11-06",
      "1994-11-06T08:49:37+01:", "Sun, 06 Nov 1994", "784111777", "+1994-11-06",
    ])
  func malformed(text: String) throws {
    #expect(try !Self.condition([(.after, "0001-01-01")]).accepts(text, at: Self.now))
  }

  @Test("a date without an offset is in the zone of the other one")
  func zones() throws {
    let berlin = try Self.condition([(.at, "now in +02:00")])
    #expect(berlin.accepts("1994-11-06T10:49:37", at: Self.now))
    #expect(berlin.accepts("1994-11-06T08:49:37Z", at: Self.now))
    #expect(!berlin.accepts("1994-11-06T08:49:37", at: Self.now))
    let day = try Self.condition([(.at, "now/d in +02:00")], steps: "/d")
    #expect(day.accepts("1994-11-06", at: Self.now))
    #expect(day.accepts("1994-11-06T23:59:59", at: Self.now))
    #expect(!day.accepts("1994-11-07", at: Self.now))
  }

  @Test("steps move the date before it is compared, on clocks of its own")
  func steps() throws {
    let month = try Self.condition([(.at, "1994-12-01")], steps: "/M +1M")
    #expect(month.accepts("1994-11-30T23:59:59Z", at: .epoch))
    #expect(!month.accepts("1994-12-01T00:00:00Z", at: .epoch))
    let day = try Self.condition([(.at, "1994-11-06T05:00:00Z")], steps: "/d")
    #expect(day.accepts("1994-11-06T23:30:00-05:00", at: .epoch))
    let whole = try Self.condition([(.at, "1994-11-06T08:49:00Z")], steps: "/m")
    #expect(whole.accepts("1994-11-06T08:49:59.999Z", at: .epoch))
  }

  @Test("two bounds are a range")
  func range() throws {
    let range = try Self.condition([(.after, "now -1d"), (.before, "now")])
    #expect(range.accepts("1994-11-05T08:49:38Z", at: Self.now))
    #expect(!range.accepts("1994-11-05T08:49:37Z", at: Self.now))
    #expect(!range.accepts("1994-11-06T08:49:37Z", at: Self.now))
    #expect(range.expectation == "a date after now -1d and before now")
  }

  @Test(
    "other forms",
    arguments: [
      ("unix", "784111777"), ("unixMilliseconds", "784111777000"),
      ("dd.MM.yyyy HH:mm:ss", "06.11.1994 08:49:37"),
      ("EEEE, MMMM d yyyy HH:mm:ss", "Sunday, November 6 1994 08:49:37"),
      ("yyyyMMdd'T'HHmmssX", "19941106T094937+01"),
      ("HH:mm:ss dd-MMM-yyyy Z", "03:19:37 06-Nov-1994 -0530"),
      ("yyyy-MM-dd HH:mm:ss.SSS ZZZZ", "1994-11-06 09:49:37.000 GMT+01:00"),
    ])
  func forms(form: String, text: String) throws {
    let condition = try Self.condition([(.at, "now")], form: form)
    #expect(condition.accepts(text, at: Self.now))
    #expect(!condition.accepts("1994-11-06T08:49:37Z", at: Self.now))
    #expect(!condition.accepts("\(text) ", at: Self.now))
    #expect(!condition.accepts("", at: Self.now))
  }

  @Test("midday and midnight by a clock of twelve hours, and years of two digits")
  func twelve() throws {
    func hour(_ text: String) throws -> Bool {
      try Self.condition([(.at, "2026-01-31T12:05:00Z")], form: "dd/MM/yy hh:mm a")
        .accepts(text, at: Self.now)
    }
    #expect(try hour("31/01/26 12:05 PM"))
    #expect(try !hour("31/01/26 12:05 AM"))
    #expect(try !hour("31/01/26 01:05 PM"))
  }

  @Test(
    "an example meets its condition",
    arguments: [
      ([Relation.before], ["now"]), ([.after], ["now +3d"]), ([.at], ["now/d"]),
      ([.after, .before], ["now -1h", "now"]), ([.before], ["2026-01-31"]),
    ], [nil, "unix", "dd.MM.yyyy HH:mm:ss", "yyyy-MM-dd"])
  func example(bounds: ([Relation], [String]), form: String?) throws {
    let condition = try Self.condition(Array(zip(bounds.0, bounds.1)), form: form)
    let example = condition.example(at: Self.now)
    // A range within a day has no whole day in it.
    if bounds.0.count == 2, form == "yyyy-MM-dd" {
      #expect(example == nil)
    } else {
      #expect(condition.accepts(try #require(example), at: Self.now))
    }
  }

  @Test(
    "what can be wrong is said, with a fix",
    arguments: [
      ("tomorrow", #"found "tomorrow", expected a date, or "now" and steps"#),
      (
        "now +3 days",
        #"found "+3" in "{now +3 days}", expected a number and a unit: s, m, h, d, w, M or y"#
      ),
      ("now yyyy", #"found a format in "now yyyy", expected "now", steps and a zone"#),
      ("now.unix", #"found a format in "now.unix", expected "now", steps and a zone"#),
      ("2026-02-30", #"found "2026-02-30", expected a date, or "now" and steps"#),
    ])
  func wrong(text: String, message: String) {
    #expect {
      _ = try DateCondition.Bound(.before, text)
    } throws: { ($0 as? Failure)?.message == message && ($0 as? Failure)?.fix != nil }
  }

  @Test("steps alone are read", arguments: ["/d", "+1M/M -1d", " -3h"])
  func stepsAlone(text: String) throws {
    #expect(try !DateCondition.steps(text).isEmpty)
  }

  @Test("what is no step is refused", arguments: ["", "d", "yyyy", "/d in Europe/Berlin", ".unix"])
  func noSteps(text: String) {
    #expect(throws: Failure.self) { try DateCondition.steps(text) }
  }

  @Test(
    "what a pattern writes, it reads",
    arguments: [
      "yyyy-MM-dd'T'HH:mm:ssXXX", "EEE, dd MMM yyyy HH:mm:ss 'GMT'Z", "d.M.y h:m:s a ZZZZ",
      "MMMM d, yyyy HH:mm:ss.SSSSSS ZZZZZ",
    ], [0, 784_111_777, 951_782_400, 4_102_444_799, -1])
  func roundTrip(pattern: String, seconds: Int) throws {
    let (pattern, zone) = (try DatePattern(pattern), try Zone("+05:45"))
    let text = pattern.text(unixSeconds: seconds, microsecond: 0, in: zone)
    let read = try #require(pattern.date(in: text), "\(text)")
    #expect(read.moment(in: read.zone(or: .utc)) == Moment(unixSeconds: seconds), "\(text)")
  }
}
