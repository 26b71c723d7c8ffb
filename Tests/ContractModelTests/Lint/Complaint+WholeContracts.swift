extension Complaint {
  /// What can be wrong with a contract as a whole.
  static let wholeContracts: [Complaint] = [
    .contract(
      "text that is no JSON",
      #"{ "request": }"#,
      says: #"""
        api/thing.json:1:14: error: found "}", expected a value after ":" [invalid-json]
        """#),
    .contract(
      "YAML",
      "summary: A thing\nrequest:\n  method: GET\n",
      says: #"""
        api/thing.json:1:1: error: this looks like YAML, expected JSON [invalid-json]
          fix: write the contract as JSON, which begins with {
        """#),
    .contract(
      "what begins with a colon, and is no YAML",
      ": A thing",
      says: #"""
        api/thing.json:1:1: error: found ":", expected a value [invalid-json]
        """#),
    .contract(
      "an empty file",
      "",
      says: #"""
        api/thing.json:1:1: error: found an empty text, expected a value [invalid-json]
        """#),
    .contract(
      "an array",
      "[]",
      says: #"""
        api/thing.json:1:1: error: found array with 0 elements, expected an object: a contract [wrong-type]
        """#),
    .contract(
      "an empty object",
      "{}",
      says: #"""
        api/thing.json:1:1: error: missing "cases" in a contract [missing-key]
          fix: add "cases"
        api/thing.json:1:1: error: missing "request" in a contract [missing-key]
          fix: add "request"
        """#),
    .contract(
      "no cases",
      #"{ "request": { "method": "GET", "path": "/things" }, "cases": {} }"#,
      says: #"""
        api/thing.json:1:63: error: no cases, expected at least one [missing-key]
        """#),
    .contract(
      "cases that are an array",
      #"{ "request": { "method": "GET", "path": "/things" }, "cases": [] }"#,
      says: #"""
        api/thing.json:1:63: error: found array with 0 elements, expected an object: cases by name [wrong-type]
        """#),
    .member(
      "a misspelt key",
      #""defualt": "ok""#,
      says: #"""
        api/thing.json:4:1: error: unknown key "defualt" in a contract [unknown-key]
          fix: did you mean "default"?
        """#),
    .member(
      "a default that is no case",
      #""default": "gon""#,
      says: #"""
        api/thing.json:4:12: error: default "gon" is not a case of this contract [unknown-case]
          fix: did you mean "gone"?
        """#),
    .member(
      "a summary that is no string",
      #""summary": ["a"]"#,
      says: #"""
        api/thing.json:4:12: error: found array with 1 element, expected string [wrong-type]
        """#),
    .member(
      "a schema reference that is no string",
      #""$schema": {}"#,
      says: #"""
        api/thing.json:4:12: error: found object with 0 members, expected string [wrong-type]
        """#),
    .member(
      "a key written twice",
      #""summary": "a", "summary": "b""#,
      says: #"""
        api/thing.json:4:17: error: key "summary" is given twice [duplicate-key]
          fix: remove one of the two, or rename it
        """#),
    .member(
      "a script with a case that is none",
      #""scripts": { "twice": ["ok", "gon", 1] }"#,
      says: #"""
        api/thing.json:4:30: error: "gon" is not a case of this contract [unknown-case]
          fix: did you mean "gone"?
        api/thing.json:4:37: error: found number 1, expected a case's name [wrong-type]
        """#),
    .member(
      "a script that is a string",
      #""scripts": { "twice": "ok" }"#,
      says: #"""
        api/thing.json:4:23: error: found string "ok", expected an array of at least one case name [wrong-type]
        """#),
    .member(
      "a script of no cases",
      #""scripts": { "twice": [] }"#,
      says: #"""
        api/thing.json:4:23: error: found array with 0 elements, expected an array of at least one case name [wrong-type]
        """#),
    .member(
      "a script with a bad name",
      #""scripts": { "fails twice": ["ok"] }"#,
      says: #"""
        api/thing.json:4:14: error: found script "fails twice", expected a name of lower-case letters, digits and dashes [bad-name]
        """#),
    .member(
      "a waiver of no rule",
      #""waive": { "no-404": "there is always one" }"#,
      says: #"""
        api/thing.json:4:12: error: rule "no-404" does not exist [unknown-rule]
          fix: did you mean "no-404-case"?
        """#),
    .member(
      "a waiver of an error",
      #""waive": { "unknown-key": "I like it" }"#,
      says: #"""
        api/thing.json:4:12: error: rule "unknown-key" is an error and cannot be waived [unknown-rule]
          fix: the rules that can be waived are no-404-case, no-malformed-case, no-slow-case, no-broken-case, no-empty-case, unset-state
        """#),
    .member(
      "a waiver without a reason",
      #""waive": { "no-404-case": " " }"#,
      says: #"""
        api/thing.json:4:27: error: found string " ", expected the reason in words [bad-value]
        """#),
    .member(
      "a waiver of a rule that is not broken",
      #""waive": { "no-empty-case": "there is always one" }"#,
      says: #"""
        api/thing.json:4:29: warning: the waiver of "no-empty-case" is not needed: that rule is not broken [unused-waiver]
          fix: remove it
        """#),
    .member(
      "a waiver of a waiver that is not needed",
      #""waive": { "unused-waiver": "it may be needed one day" }"#,
      says: #"""
        api/thing.json:4:12: error: rule "unused-waiver" cannot be waived [unknown-rule]
          fix: the rules that can be waived are no-404-case, no-malformed-case, no-slow-case, no-broken-case, no-empty-case, unset-state
        """#),
    .files(
      "a waiver of an upstream, of what some contract breaks and of what none does",
      [
        "api/upstream.json": #"""
        { "baseURL": "https://api.example.com/v1",
        "waive": { "no-slow-case": "all is at hand",
        "no-broken-case": "the cable is good", "no-404-case": "all is there",
        "no-empty-case": "there is always one" } }
        """#,
        "api/other.json": Sample.contract(request: #"{ "method": "GET", "path": "/other" }"#),
        "other/thing.json": #"""
        { "request": { "method": "GET", "path": "/things" }, "cases": { "ok": { "status": 200 } },
        "waive": { "no-404-case": "a", "no-slow-case": "a", "no-broken-case": "a" } }
        """#,
      ], ignoring: [],
      says: #"""
        api/upstream.json:4:18: warning: the waiver of "no-empty-case" is not needed: that rule is not broken [unused-waiver]
          fix: remove it
        """#),
    .member(
      "a secret",
      #""summary": "use ghp_0123456789abcdefghijABCDEFGHIJ012345""#,
      says: #"""
        api/thing.json:4:12: error: this looks like a secret, which no file should have [secret]
          fix: revoke it, and use an obviously invented value
        """#),
    .files(
      "a contract with a bad name",
      [
        "api/My Thing.json": Sample.thing
      ],
      says: #"""
        api/My Thing.json: error: found contract "My Thing", expected a name of lower-case letters, digits and dashes [bad-name]
        api/thing.json:2:14: error: api/My Thing also matches this request, and neither takes precedence [ambiguous]
          fix: add a condition to one of them, or make them cases of one contract
        """#),
    .files(
      "a missing 404, malformed, slow, broken and empty case",
      [
        "api/thing.json": #"""
        {
        "request": { "method": "GET", "path": "/things" },
        "cases": { "ok": { "status": 200, "body": [1] } }
        }
        """#
      ], ignoring: [],
      says: #"""
        api/thing.json:3:10: warning: no 404 among the cases [no-404-case]
          fix: add a case with "status": 404, or waive "no-404-case"
        api/thing.json:3:10: warning: no response that breaks on the wire among the cases [no-broken-case]
          fix: add a case with "fault", or waive "no-broken-case"
        api/thing.json:3:10: warning: no empty collection among the cases [no-empty-case]
          fix: add a case whose array is empty, or waive "no-empty-case"
        api/thing.json:3:10: warning: no malformed response among the cases [no-malformed-case]
          fix: add a case with "malform", or waive "no-malformed-case"
        api/thing.json:3:10: warning: no slow response among the cases [no-slow-case]
          fix: add a case with "delay", or waive "no-slow-case"
        other/thing.json:3:12: warning: no 404 among the cases [no-404-case]
          fix: add a case with "status": 404, or waive "no-404-case"
        other/thing.json:3:12: warning: no response that breaks on the wire among the cases [no-broken-case]
          fix: add a case with "fault", or waive "no-broken-case"
        other/thing.json:3:12: warning: no slow response among the cases [no-slow-case]
          fix: add a case with "delay", or waive "no-slow-case"
        """#),
    .files(
      "a slow case whose delay is wrong is not missed, and its waiver is needed",
      [
        "api/thing.json": #"""
        {
        "request": { "method": "GET", "path": "/things" },
        "waive": { "no-404-case": "all are there" },
        "cases": { "ok": { "status": 200, "text": "a" },
        "slow": { "status": 200, "text": "a", "delay": "5" } }
        }
        """#,
        "other/thing.json": #"""
        {
        "request": { "method": "GET", "path": "/things" },
        "waive": { "no-404-case": "a", "no-slow-case": "a", "no-broken-case": "a" },
        "cases": { "ok": { "status": 200 } }
        }
        """#,
      ], ignoring: [],
      says: #"""
        api/thing.json:5:48: error: found string "5", expected an object: a delay [wrong-type]
          fix: write { "fixed": "5ms" } or { "fixed": "5s" }
        """#),
    .files(
      "an object whose only array is never empty",
      [
        "api/thing.json": #"""
        {
        "request": { "method": "GET", "path": "/things" },
        "waive": { "no-404-case": "a list is always there" },
        "cases": { "ok": { "status": 200, "body": { "items": [1] } } }
        }
        """#
      ], ignoring: [],
      says: #"""
        api/thing.json:4:10: warning: no response that breaks on the wire among the cases [no-broken-case]
          fix: add a case with "fault", or waive "no-broken-case"
        api/thing.json:4:10: warning: no empty collection among the cases [no-empty-case]
          fix: add a case whose array is empty, or waive "no-empty-case"
        api/thing.json:4:10: warning: no malformed response among the cases [no-malformed-case]
          fix: add a case with "malform", or waive "no-malformed-case"
        api/thing.json:4:10: warning: no slow response among the cases [no-slow-case]
          fix: add a case with "delay", or waive "no-slow-case"
        other/thing.json:3:12: warning: no 404 among the cases [no-404-case]
          fix: add a case with "status": 404, or waive "no-404-case"
        other/thing.json:3:12: warning: no response that breaks on the wire among the cases [no-broken-case]
          fix: add a case with "fault", or waive "no-broken-case"
        other/thing.json:3:12: warning: no slow response among the cases [no-slow-case]
          fix: add a case with "delay", or waive "no-slow-case"
        """#),
    .files(
      "a contract without a body has none that could be malformed",
      [
        "api/thing.json": #"""
        {
        "request": { "method": "GET", "path": "/things" },
        "cases": { "reset": { "fault": "CONNECTION_RESET_BY_PEER" }, "ok": { "status": 204 } }
        }
        """#
      ], ignoring: [],
      says: #"""
        api/thing.json:3:10: warning: no 404 among the cases [no-404-case]
          fix: add a case with "status": 404, or waive "no-404-case"
        api/thing.json:3:10: warning: no slow response among the cases [no-slow-case]
          fix: add a case with "delay", or waive "no-slow-case"
        other/thing.json:3:12: warning: no 404 among the cases [no-404-case]
          fix: add a case with "status": 404, or waive "no-404-case"
        other/thing.json:3:12: warning: no response that breaks on the wire among the cases [no-broken-case]
          fix: add a case with "fault", or waive "no-broken-case"
        other/thing.json:3:12: warning: no slow response among the cases [no-slow-case]
          fix: add a case with "delay", or waive "no-slow-case"
        """#),
  ]
}
