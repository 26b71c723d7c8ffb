import Testing
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings

@Suite struct AcceptedDriftTests {
  /// 2026-11-21.
  private static let now = Moment(unixSeconds: 1_795_300_000)

  private static func applied(
    _ entry: String, to findings: [Finding], failsOn: Finding.Severity = .error
  ) throws -> (checks: [String], findings: [String]) {
    let accepted = try AcceptedDrift(parsing: Array("[\(entry)]".utf8), file: "accepted.json")
    let check = Check.checked(
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
          note status found status 410, expected 200 (accepted until 2026-11-21: moved)
        """
      ),
      (
        "2026-11-20",
        """
        fail joke/random#ok
          error status found status 410, expected 200 (was accepted until 2026-11-20: moved)
        """
      ),
    ])
  func days(until: String, text: String) throws {
    let applied = try Self.applied(
      #"{"contract":"joke/random","type":"status","reason":"moved","until":"\#(until)"}"#,
      to: [Finding(.error, .status, "found status 410, expected 200")])
    #expect(applied.checks == [text])
    #expect(applied.findings == [])
  }

  @Test(
    "accepts nothing but what it names",
    arguments: [
      #"{"contract":"joke/other","type":"status","reason":"x","until":"2027-01-01"}"#,
      #"{"contract":"joke/random","case":"gone","type":"status","reason":"x","until":"2027-01-01"}"#,
      #"{"contract":"joke/random","type":"status","path":"/a","reason":"x","until":"2027-01-01"}"#,
      #"{"contract":"joke/random","type":"performance","reason":"x","until":"2027-01-01"}"#,
    ])
  func others(entry: String) throws {
    let applied = try Self.applied(entry, to: [Finding(.error, .status, "found status 410")])
    #expect(applied.checks == ["fail joke/random#ok\n  error status found status 410"])
  }

  @Test(
    "takes a star in a path for any key or index, and an index for any index",
    arguments: [
      ("/list/*/name", true), ("/list/0/name", true), ("/*/*/*", true), ("/list/*", false),
      ("/list/name/name", false), ("/list/*/id", false),
    ])
  func paths(path: String, isAccepted: Bool) throws {
    let applied = try Self.applied(
      #"{"contract":"joke/random","type":"status","path":"\#(path)","reason":"x","until":"2027-01-01"}"#,
      to: [Finding(.error, .status, "found it", path: ["list", "12", "name"])])
    #expect(applied.checks.first?.hasPrefix(isAccepted ? "pass" : "fail") == true)
  }

  @Test(
    "refuses contracts and cases that do not exist",
    arguments: [
      (
        #"{"contract":"joke/randm","type":"status","reason":"x","until":"2027-01-01"}"#,
        #"a.json:1:14: found string "joke/randm", expected a contract"#,
        #"did you mean "joke/random"?"#
      ),
      (
        #"{"contract":"joke/random","case":"gon","type":"status","reason":"x","until":"2027-01-01"}"#,
        #"a.json:1:35: found string "gon", expected a case of joke/random"#,
        #"did you mean "gone"?"#
      ),
    ])
  func strangers(entry: String, message: String, fix: String) throws {
    let accepted = try AcceptedDrift(parsing: Array("[\(entry)]".utf8), file: "a.json")
    let error = #expect(throws: Failure.self) {
      try accepted.hold(against: LiveStage.library())
    }
    #expect(error?.complaint == message)
    #expect(error?.fix == fix)
  }

  @Test("reports an entry that no longer matches anything")
  func unused() throws {
    let applied = try Self.applied(
      #"{"contract":"joke/random","case":"ok","type":"status","reason":"x","until":"2027-01-01"}"#,
      to: [])
    #expect(applied.checks == ["pass joke/random#ok"])
    #expect(
      applied.findings == ["accepted.json:1:2 note nothing to accept in joke/random#ok"])
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
      (#"[{"contract":"a/b"}]"#, #"a.json:1:2: no "type", expected one"#, "add it"),
      (
        #"[{"contract":"a","type":"status","reason":"x","until":"2027-01-01"}]"#,
        #"a.json:1:14: found string "a", expected a contract such as github/repo"#, nil
      ),
      (
        #"[{"contract":"a/b","type":"STATU","reason":"x","until":"2027-01-01"}]"#,
        #"a.json:1:27: found string "STATU", expected a type of finding such as schema-field-removed"#,
        #"did you mean "status"?"#
      ),
      (
        #"[{"contract":"a/b","type":"outage","reason":"x","until":"2027-01-01"}]"#,
        #"a.json:1:27: found string "outage", expected a finding type of live checks"#,
        "name one of status, redirect, header-added, header-removed, header-changed, body-unreadable,"
          + " schema-violated, schema-field-added, schema-field-removed, schema-type-changed,"
          + " schema-nullability-changed, schema-enum-widened, schema-format-changed,"
          + " schema-magnitude-changed, array-emptied, size-changed, performance, status-added,"
          + " operation-removed, deprecated, example-invalid, request-invalid, consumer-broken,"
          + " secret-missing, request, request-count, foreign-host"
      ),
      (
        #"[{"contract":"a/b","type":"status","reason":"","until":"2027-01-01"}]"#,
        #"a.json:1:45: found string "", expected a reason"#, nil
      ),
      (
        #"[{"contract":"a/b","type":"status","reason":"x","until":"2027-02-29"}]"#,
        #"a.json:1:57: found string "2027-02-29", expected a day: 2027-01-31"#, nil
      ),
      (
        #"[{"contract":"a/b","type":"status","path":"a","reason":"x","until":"2027-01-01"}]"#,
        #"a.json:1:43: found string "a", expected a JSON Pointer such as /items/0/name"#, nil
      ),
    ] as [(String, String, String?)])
  func broken(text: String, message: String, fix: String?) {
    let error = #expect(throws: Failure.self) {
      try AcceptedDrift(parsing: Array(text.utf8), file: "a.json")
    }
    #expect(error?.complaint == message)
    #expect(error?.fix == fix)
  }
}
