extension Complaint {
  /// What can be wrong with what consumers must make of a case.
  static let expectations: [Complaint] = [
    .case(
      "no outcome",
      #""like": "ok", "expect": { "things.get": { "requests": 2 } }"#,
      says: #"""
        api/thing.json:5:49: error: found none of "value", "error", "exitCode", "like" in an expectation, expected one [missing-key]
        """#),
    .case(
      "two outcomes",
      #""like": "ok", "expect": { "things.get": { "value": 1, "error": "invalidData" } }"#,
      says: #"""
        api/thing.json:5:72: error: found "value" and "error" in an expectation, expected at most one of "value", "error", "exitCode", "like" [conflicting-keys]
          fix: remove one of the two
        """#),
    .case(
      "a misspelt key",
      #""like": "ok", "expect": { "things.get": { "valeu": 1 } }"#,
      says: #"""
        api/thing.json:5:51: error: unknown key "valeu" in an expectation [unknown-key]
          fix: did you mean "value"?
        """#),
    .case(
      "an expectation that is a string",
      #""like": "ok", "expect": { "things.get": "invalidData" }"#,
      says: #"""
        api/thing.json:5:49: error: found string "invalidData", expected an object: an expectation [wrong-type]
        """#),
    .case(
      "expectations that are an array",
      #""like": "ok", "expect": []"#,
      says: #"""
        api/thing.json:5:33: error: found array with 0 elements, expected an object: expectations by consumer [wrong-type]
        """#),
    .case(
      "a consumer nobody declares",
      #""like": "ok", "expect": { "thing.get": { "value": 1 } }"#,
      says: #"""
        api/thing.json:5:48: error: consumer "thing.get" is not declared in consumers.json [unknown-consumer]
          fix: did you mean "things.get"?
        """#),
    .case(
      "a consumer of another upstream",
      #""like": "ok", "expect": { "other.get": { "value": 1 } }"#,
      says: #"""
        api/thing.json:5:48: error: consumers.json says that consumer "other.get" does not use api [unknown-consumer]
          fix: add "api" to its "upstreams"
        """#),
    .case(
      "an error nobody declares",
      #""like": "ok", "expect": { "things.get": { "error": "invalidDate" } }"#,
      says: #"""
        api/thing.json:5:60: error: consumers.json declares no error "invalidDate" for things.get [unknown-error]
          fix: did you mean "invalidData"?
        """#),
    .case(
      "an error that is a number",
      #""like": "ok", "expect": { "things.get": { "error": 404 } }"#,
      says: #"""
        api/thing.json:5:60: error: found number 404, expected an error's name, or an object of its name and payload [wrong-type]
          fix: write "invalidData" or { "unexpectedStatus": 404 }
        """#),
    .case(
      "an error of two",
      #""like": "ok", "expect": { "things.get": { "error": { "invalidData": null, "limited": 1 } } }"#,
      says: #"""
        api/thing.json:5:60: error: found object with 2 members, expected an error's name, or an object of its name and payload [wrong-type]
          fix: write "invalidData" or { "unexpectedStatus": 404 }
        """#),
    .case(
      "a payload for an error without one",
      #""like": "ok", "expect": { "things.get": { "error": { "invalidData": 1 } } }"#,
      says: #"""
        api/thing.json:5:60: error: "invalidData" has no payload, found number 1 [unknown-error]
          fix: write "invalidData"
        """#),
    .case(
      "an error without its payload",
      #""like": "ok", "expect": { "things.get": { "error": "unexpectedStatus" } }"#,
      says: #"""
        api/thing.json:5:60: error: found "unexpectedStatus" alone, expected it with an integer payload [unknown-error]
          fix: write { "unexpectedStatus": … }
        """#),
    .case(
      "an error with another payload",
      #""like": "ok", "expect": { "things.get": { "error": { "unexpectedStatus": "404" } } }"#,
      says: #"""
        api/thing.json:5:82: error: found string "404" with "unexpectedStatus", expected an integer payload [unknown-error]
        """#),
    .case(
      "like a case that is none",
      #""like": "ok", "expect": { "things.get": { "like": "okay" } }"#,
      says: #"""
        api/thing.json:5:59: error: "okay" is not a case that expects something of things.get [unknown-case]
          fix: did you mean "ok"?
        """#),
    .cases(
      "like a case that expects nothing of this consumer",
      #"""
      "a": { "like": "ok" },
      "it": { "like": "ok", "expect": { "things.get": { "like": "a" } } }
      """#,
      says: #"""
        api/thing.json:6:59: error: "a" is not a case that expects something of things.get [unknown-case]
          fix: the cases are it, ok
        """#),
    .case(
      "like itself",
      #""like": "ok", "expect": { "things.get": { "like": "it" } }"#,
      says: #"""
        api/thing.json:5:59: error: "it" is like itself [circular-like]
          fix: remove "like" from one of them
        """#),
    .case(
      "an argument nobody declares",
      #""like": "ok", "expect": { "things.get": { "value": 1, "arguments": { "ids": "1" } } }"#,
      says: #"""
        api/thing.json:5:78: error: things.get has no argument "ids" [unknown-argument]
          fix: did you mean "id"?
        """#),
    .case(
      "an argument of another type",
      #""like": "ok", "expect": { "things.get": { "value": 1, "arguments": { "id": 1, "count": 1.5 } } }"#,
      says: #"""
        api/thing.json:5:84: error: found number 1, expected string for "id" [wrong-type]
        api/thing.json:5:96: error: found number 1.5, expected integer for "count" [wrong-type]
        """#),
    .case(
      "arguments that are an array",
      #""like": "ok", "expect": { "things.get": { "value": 1, "arguments": [] } }"#,
      says: #"""
        api/thing.json:5:76: error: found array with 0 elements, expected an object: arguments by name [wrong-type]
        """#),
    .case(
      "a time-out without a unit",
      #""like": "ok", "expect": { "things.get": { "value": 1, "timeout": 1 } }"#,
      says: #"""
        api/thing.json:5:74: error: found number 1, expected a duration with a unit: ms, s, m or h [delay-unit]
          fix: write "1ms" or "1s"
        """#),
    .case(
      "a failure nobody knows",
      #""like": "ok", "expect": { "things.get": { "error": "invalidData", "transport": "timeout" } }"#,
      says: #"""
        api/thing.json:5:88: error: found string "timeout", expected one of "cannotResolve", "cannotConnect", "timedOut", "reset", "emptyReply", "truncated", "badEncoding", "tooLarge", "tls", "malformedResponse", "cancelled" [bad-value]
          fix: did you mean "timedOut"?
        """#),
    .case(
      "a failure below a value",
      #""like": "ok", "expect": { "things.get": { "value": 1, "transport": "reset" } }"#,
      says: #"""
        api/thing.json:5:76: error: found "transport" beside "value", expected it beside "error" [conflicting-keys]
        """#),
    .case(
      "a curl code alone",
      #""like": "ok", "expect": { "things.get": { "error": "invalidData", "curl": 28 } }"#,
      says: #"""
        api/thing.json:5:83: error: found number 28, expected an array of curl codes [wrong-type]
          fix: put it in brackets: [28]
        """#),
    .case(
      "a curl code that is none",
      #""like": "ok", "expect": { "things.get": { "error": "invalidData", "curl": [0] } }"#,
      says: #"""
        api/thing.json:5:84: error: found number 0, expected a curl code such as 28 [bad-value]
        """#),
    .case(
      "fewer requests than none",
      #""like": "ok", "expect": { "things.get": { "value": 1, "requests": -1 } }"#,
      says: #"""
        api/thing.json:5:75: error: found -1, expected a number of requests from 0 to 1000 [bad-value]
        """#),
    .case(
      "a companion that is no contract",
      #""like": "ok", "expect": { "things.get": { "value": 1, "with": { "thingy": "ok" } } }"#,
      says: #"""
        api/thing.json:5:83: error: "thingy" is not a contract [unknown-endpoint]
          fix: did you mean "api/thing"?
        """#),
    .case(
      "a companion in another upstream that is none",
      #""like": "ok", "expect": { "things.get": { "value": 1, "with": { "elsewhere/all": "ok" } } }"#,
      says: #"""
        api/thing.json:5:90: error: "elsewhere/all" is not a contract [unknown-endpoint]
          fix: the contracts are api/thing, other/thing
        """#),
    .case(
      "a companion with a case that is none",
      #""like": "ok", "expect": { "things.get": { "value": 1, "with": { "other/thing": "okay" } } }"#,
      says: #"""
        api/thing.json:5:88: error: "okay" is not a case of other/thing [unknown-case]
          fix: did you mean "ok"?
        """#),
    .case(
      "a companion with a case that is a number",
      #""like": "ok", "expect": { "things.get": { "value": 1, "with": { "other/thing": 200 } } }"#,
      says: #"""
        api/thing.json:5:88: error: found number 200, expected a case's name [wrong-type]
        """#),
    .case(
      "mutation nobody knows",
      #""like": "ok", "expect": { "things.get": { "value": 1, "tolerates": { "/id": ["nul"] } } }"#,
      says: #"""
        api/thing.json:5:86: error: found string "nul", expected one of "missing", "null", "empty", "huge", "negative", "long", "deep", "as-boolean", "as-number", "as-string", "as-array", "as-object", "bad-utf8", "duplicate", "extra" [bad-value]
          fix: did you mean "null"?
        """#),
    .case(
      "a place of mutation that is no pointer",
      #""like": "ok", "expect": { "things.get": { "value": 1, "tolerates": { "id": ["null"] } } }"#,
      says: #"""
        api/thing.json:5:78: error: found "id", expected a JSON pointer, with * for any element [bad-value]
          fix: write it like "/items/*/name"
        """#),
    .case(
      "mutation that is no array",
      #""like": "ok", "expect": { "things.get": { "value": 1, "tolerates": { "/id": "null" } } }"#,
      says: #"""
        api/thing.json:5:85: error: found string "null", expected an array of kinds of mutation [wrong-type]
          fix: put it in brackets: ["null"]
        """#),
    .case(
      "mutation to a response that is an error anyway",
      #""like": "ok", "expect": { "things.get": { "error": "invalidData", "tolerates": { "/id": ["null"] } } }"#,
      says: #"""
        api/thing.json:5:88: error: found "tolerates" beside an error, expected a value [conflicting-keys]
          fix: remove it: only good responses are mutated
        """#),
  ]
}
