import Drift
import Findings
import Testing

@Suite struct AcceptedDriftTests {
  /// 2026-11-21.
  private static let now = 1_795_300_000

  private static func applied(
    _ entry: String, to findings: [Finding], failsOn: Finding.Severity = .error
  ) throws -> (checks: [String], findings: [String]) {
    let accepted = try AcceptedDrift(parsing: Array("[\(entry)]".utf8), file: "accepted.json")
    let check = Check.judged(
      Check.Identity("joke/random", "ok", consumer: nil), at: Place("random.json", nil),
      findings: findings, failsOn: failsOn)
    let result = accepted.applied(to: [check], failsOn: failsOn, now: now)
    return (
      result.checks.map(\.text),
      result.findings.map { "\($0.place.map { "\($0)" } ?? "") \($0.severity) \($0.message)" }
    )
  }

  @Test(
    "shows what is accepted, and does not fail for it, until its last day is over",
    arguments: [
      (
        "2026-11-21",
        """
        pass joke/random#ok
          INFO STATUS found status 410, expected 200 (accepted until 2026-11-21: moved)
        """
      ),
      (
        "2026-11-20",
        """
        fail joke/random#ok
          ERR STATUS found status 410, expected 200 (was accepted until 2026-11-20: moved)
        """
      ),
    ])
  func days(until: String, text: String) throws {
    let applied = try Self.applied(
      #"{"contract":"joke/random","type":"STATUS","reason":"moved","until":"\#(until)"}"#,
      to: [Finding(.error, .status, "found status 410, expected 200")])
    #expect(applied.checks == [text])
    #expect(applied.findings == [])
  }

  @Test(
    "accepts nothing but what it names",
    arguments: [
      #"{"contract":"joke/other","type":"STATUS","reason":"x","until":"2027-01-01"}"#,
      #"{"contract":"joke/random","case":"gone","type":"STATUS","reason":"x","until":"2027-01-01"}"#,
      #"{"contract":"joke/random","type":"STATUS","path":"/a","reason":"x","until":"2027-01-01"}"#,
      #"{"contract":"joke/random","type":"PERFORMANCE","reason":"x","until":"2027-01-01"}"#,
    ])
  func others(entry: String) throws {
    let applied = try Self.applied(entry, to: [Finding(.error, .status, "found status 410")])
    #expect(applied.checks == ["fail joke/random#ok\n  ERR STATUS found status 410"])
  }

  @Test("tells of an entry that is about nothing any more")
  func unused() throws {
    let applied = try Self.applied(
      #"{"contract":"joke/random","case":"ok","type":"STATUS","reason":"x","until":"2027-01-01"}"#,
      to: [])
    #expect(applied.checks == ["pass joke/random#ok"])
    #expect(
      applied.findings == ["accepted.json:1:2 info found nothing to accept in joke/random#ok"])
  }

  @Test(
    "says what is wrong with the file and where",
    arguments: [
      (
        "[",
        "a.json:1:2: found the end of the text, expected a value or \"]\" for the array opened at 1:1",
        nil
      ),
      (
        "{}", "a.json:1:1: found object with 0 members, expected an array of objects",
        #"write [ { "contract": …, "type": …, "reason": …, "until": … } ]"#
      ),
      ("[7]", "a.json:1:2: found number 7, expected an object", nil),
      (
        #"[{"contrac":"a/b"}]"#,
        #"a.json:1:3: found "contrac", expected one of contract, type, reason, until, case, path"#,
        #"did you mean "contract"?"#
      ),
      (#"[{"contract":"a/b"}]"#, #"a.json:1:2: found no "type", expected one"#, "add it"),
      (
        #"[{"contract":"a","type":"STATUS","reason":"x","until":"2027-01-01"}]"#,
        #"a.json:1:14: found string "a", expected a contract such as github/repo"#, nil
      ),
      (
        #"[{"contract":"a/b","type":"STATU","reason":"x","until":"2027-01-01"}]"#,
        #"a.json:1:27: found string "STATU", expected a type of finding such as SCHEMA_FIELD_REMOVED"#,
        #"did you mean "STATUS"?"#
      ),
      (
        #"[{"contract":"a/b","type":"STATUS","reason":"","until":"2027-01-01"}]"#,
        #"a.json:1:45: found string "", expected a reason"#, nil
      ),
      (
        #"[{"contract":"a/b","type":"STATUS","reason":"x","until":"2027-02-29"}]"#,
        #"a.json:1:57: found string "2027-02-29", expected a day: 2027-01-31"#, nil
      ),
      (
        #"[{"contract":"a/b","type":"STATUS","path":"a","reason":"x","until":"2027-01-01"}]"#,
        #"a.json:1:43: found string "a", expected a JSON Pointer such as /items/0/name"#, nil
      ),
    ] as [(String, String, String?)])
  func broken(text: String, message: String, fix: String?) {
    let error = #expect(throws: AcceptedDriftError.self) {
      try AcceptedDrift(parsing: Array(text.utf8), file: "a.json")
    }
    #expect(error?.message == message)
    #expect(error?.fix == fix)
  }
}
