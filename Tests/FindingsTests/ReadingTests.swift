import Testing
import UnderstudyCore
import UnderstudyFindings

@Suite struct ReadingTests {
  @Test("reads a report with nothing left out, and writes the same bytes again")
  func roundTrip() throws {
    let finding = Finding(
      .warning, .schemaFormatChanged, "found \"a\u{0}b\"", at: Place("x.json"),
      path: ["a/b", "~", "0"], diff: ["-a", "", "+\u{1F415}"], fix: "mend it")
    for report in [
      Sample.report([.pass, .fail, .couldNotCheck, .notExercised]), Sample.report([]),
      Sample.report(
        [.pass], findings: [finding], failsOn: .note, shard: Shard(index: 2, count: 3),
        division: "00ff", seed: .max,
        duration: .nanoseconds(1_234_567_891)),
      Sample.report([.fail], owners: ["a": "Team A", "b": "\u{0}\""]),
      Report(
        Sample.report([]).run,
        checks: [
          .couldNotCheck(
            Check.Identity("a/b", "ok", consumer: nil), at: Place("x.json"), because: "no", .limited
          )
        ]),
    ] {
      let copy = try Report(parsing: report.json, file: "a.json")
      #expect(copy == report)
      #expect(copy.json == report.json)
    }
  }

  @Test("a report cut short anywhere is an error, never a report")
  func prefixes() {
    let bytes = Sample.report([.fail, .couldNotCheck]).json
    for count in 0..<bytes.count - 1 {
      #expect(throws: Failure.self) {
        try Report(parsing: Array(bytes.prefix(count)), file: "a.json")
      }
    }
  }

  @Test(
    "says where a report is broken",
    arguments: [
      ("", "a.json:1:1: found an empty text, expected a value"),
      ("[]", "a.json: no \"schemaVersion\", expected an understudy report"),
      ("{\"schemaVersion\": 2}", "a.json: found a report of version 2, expected 1"),
    ])
  func noReport(text: String, message: String) {
    #expect(Self.message(Array(text.utf8)) == message)
  }

  @Test(
    "says which value is broken",
    arguments: [
      (
        "\"fail\",\n      \"reason\"", "\"passed\",\n      \"reason\"",
        "35:17: /checks/0/result: its type refuses string \"passed\": expected a result"
      ),
      (
        "\"seed\": null", "\"seed\": -1",
        "16:13: /run/seed: found number -1, expected an integer from 0 to 18446744073709551615"
      ),
      (
        "\"shard\": null", "\"shard\": \"3/2\"",
        "17:14: /run/shard: its type refuses string \"3/2\": expected one such as 2/8"
      ),
      (
        "\"plannedCount\": 1", "\"plannedCount\": -1",
        "19:21: /run/plannedCount: its type refuses number -1: expected 0 or more"
      ),
      (
        "\"line\": 3", "\"line\": 0",
        "33:15: /checks/0/line: its type refuses number 0: expected 1 or more"
      ),
      (
        "\"type\": \"value\"", "\"type\": \"VALUES\"",
        "42:19: /checks/0/findings/0/type: its type refuses string \"VALUES\": expected a type of finding"
      ),
      (
        "\"path\": null", "\"path\": \"a\"",
        "47:19: /checks/0/findings/0/path: its type refuses string \"a\": expected a JSON Pointer"
      ),
      (
        "\"reason\": null", "\"reason\": \"so\"",
        "35:17: /checks/0/result: its type refuses string \"fail\": it has a reason"
      ),
      (
        "\"result\": \"fail\",\n      ", "\"result\": \"couldNotCheck\",\n      ",
        "35:17: /checks/0/result: its type refuses string \"couldNotCheck\": it has no reason"
      ),
    ])
  func broken(part: String, replacement: String, message: String) {
    let text = String(decoding: Sample.report([.fail]).json, as: UTF8.self)
    #expect(text.contains(part))
    #expect(
      Self.message(Array(text.replacing(part, with: replacement).utf8)) == "a.json:\(message)")
  }

  @Test("a failure without a finding is refused")
  func unfounded() {
    let text = String(decoding: Sample.report([.pass]).json, as: UTF8.self)
    #expect(
      Self.message(
        Array(
          text.replacing("\"pass\",\n      \"reason\"", with: "\"fail\",\n      \"reason\"").utf8))
        == "a.json:35:17: /checks/0/result: its type refuses string \"fail\":"
        + " it has no finding")
  }

  private static func message(_ bytes: [UInt8]) -> String? {
    do {
      _ = try Report(parsing: bytes, file: "a.json")
      return nil
    } catch {
      return error.complaint
    }
  }
}
