extension Complaint {
  /// What can be wrong with slow and broken cases.
  static let timing: [Complaint] = [
    .case(
      "a delay without an object",
      #""like": "ok", "delay": "2s""#,
      says: #"""
        api/thing.json:5:32: error: found string "2s", expected an object: a delay [wrong-type]
          fix: write { "fixed": "2s" }
        """#),
    .case(
      "a delay that is a number",
      #""like": "ok", "delay": 2"#,
      says: #"""
        api/thing.json:5:32: error: found number 2, expected an object: a delay [wrong-type]
          fix: write { "fixed": "2ms" } or { "fixed": "2s" }
        """#),
    .case(
      "a delay that is true",
      #""like": "ok", "delay": true"#,
      says: #"""
        api/thing.json:5:32: error: found true, expected an object: a delay [wrong-type]
        """#),
    .case(
      "a delay without a unit",
      #""like": "ok", "delay": { "fixed": 2 }"#,
      says: #"""
        api/thing.json:5:43: error: found number 2, expected a duration with a unit: ms, s, m or h [delay-unit]
          fix: write "2ms" or "2s"
        """#),
    .case(
      "a delay without a unit, in quotes",
      #""like": "ok", "delay": { "fixed": "2" }"#,
      says: #"""
        api/thing.json:5:43: error: found string "2", expected a duration with a unit: ms, s, m or h [delay-unit]
          fix: write "2ms" or "2s"
        """#),
    .case(
      "a delay with a unit nobody knows",
      #""like": "ok", "delay": { "fixed": "2 days" }"#,
      says: #"""
        api/thing.json:5:43: error: found string "2 days", expected a duration with a unit: ms, s, m or h [bad-value]
          fix: write it like "250ms" or "1.5s", from 0s to 277777h
        """#),
    .case(
      "a delay that is negative",
      #""like": "ok", "delay": { "fixed": "-2s" }"#,
      says: #"""
        api/thing.json:5:43: error: found string "-2s", expected a duration with a unit: ms, s, m or h [bad-value]
          fix: write it like "250ms" or "1.5s", from 0s to 277777h
        """#),
    .case(
      "a delay that is negative and has no unit",
      #""like": "ok", "delay": { "fixed": "-2" }"#,
      says: #"""
        api/thing.json:5:43: error: found string "-2", expected a duration with a unit: ms, s, m or h [delay-unit]
          fix: write it like "250ms" or "1.5s", from 0s to 277777h
        """#),
    .case(
      "a delay of centuries",
      #""like": "ok", "delay": { "fixed": "99999999h" }"#,
      says: #"""
        api/thing.json:5:43: error: found string "99999999h", expected a duration with a unit: ms, s, m or h [bad-value]
          fix: write it like "250ms" or "1.5s", from 0s to 277777h
        """#),
    .case(
      "a delay of true",
      #""like": "ok", "delay": { "fixed": true }"#,
      says: #"""
        api/thing.json:5:43: error: found true, expected a duration such as "250ms" [wrong-type]
        """#),
    .case(
      "two delays",
      #""like": "ok", "delay": { "fixed": "1s", "uniform": ["1s", "2s"] }"#,
      says: #"""
        api/thing.json:5:60: error: found "fixed" and "uniform" in a delay, expected at most one of "fixed", "uniform", "lognormal" [conflicting-keys]
          fix: remove one of the two
        """#),
    .case(
      "no delay",
      #""like": "ok", "delay": {}"#,
      says: #"""
        api/thing.json:5:32: error: found none of "fixed", "uniform", "lognormal" in a delay, expected one [missing-key]
        """#),
    .case(
      "a range of one end",
      #""like": "ok", "delay": { "uniform": ["1s"] }"#,
      says: #"""
        api/thing.json:5:45: error: found array with 1 element, expected two durations: ["1s", "3s"] [wrong-type]
        """#),
    .case(
      "a range that is a string",
      #""like": "ok", "delay": { "uniform": "1s" }"#,
      says: #"""
        api/thing.json:5:45: error: found string "1s", expected two durations: ["1s", "3s"] [wrong-type]
        """#),
    .case(
      "a range the wrong way round",
      #""like": "ok", "delay": { "uniform": ["3s", "1s"] }"#,
      says: #"""
        api/thing.json:5:45: error: found a range that ends before it starts, expected the lower bound first [bad-value]
        """#),
    .case(
      "a lognormal delay without its parts",
      #""like": "ok", "delay": { "lognormal": { "median": "1s" } }"#,
      says: #"""
        api/thing.json:5:47: error: missing "max" in a lognormal delay [missing-key]
          fix: add "max"
        api/thing.json:5:47: error: missing "sigma" in a lognormal delay [missing-key]
          fix: add "sigma"
        """#),
    .case(
      "a lognormal delay without a spread",
      #""like": "ok", "delay": { "lognormal": { "median": "1s", "sigma": 0, "max": "2s" } }"#,
      says: #"""
        api/thing.json:5:74: error: found number 0, expected a number above 0 and at most 10 [bad-value]
        """#),
    .case(
      "a lognormal delay cut below its median",
      #""like": "ok", "delay": { "lognormal": { "median": "3s", "sigma": 0.4, "max": "2s" } }"#,
      says: #"""
        api/thing.json:5:86: error: the maximum is below the median [bad-value]
          fix: choose a "max" above "median"
        """#),
    .case(
      "two paces",
      #""like": "ok", "pace": { "chunks": 2, "over": "1s", "bytesPerSecond": 5 }"#,
      says: #"""
        api/thing.json:5:78: error: found "chunks" and "bytesPerSecond" in a pace, expected at most one of "chunks", "bytesPerSecond" [conflicting-keys]
          fix: remove one of the two
        """#),
    .case(
      "pieces over no time",
      #""like": "ok", "pace": { "chunks": 2 }"#,
      says: #"""
        api/thing.json:5:31: error: missing "over" in a pace [missing-key]
          fix: add "over"
        """#),
    .case(
      "no pieces",
      #""like": "ok", "pace": { "chunks": 0, "over": "1s" }"#,
      says: #"""
        api/thing.json:5:43: error: found 0, expected a number of pieces from 1 to 100000 [bad-value]
        """#),
    .case(
      "a rate over a time",
      #""like": "ok", "pace": { "bytesPerSecond": 5, "over": "1s" }"#,
      says: #"""
        api/thing.json:5:62: error: found "over" beside "bytesPerSecond", expected one pace [conflicting-keys]
          fix: remove "over"
        """#),
    .case(
      "a rate of nothing",
      #""like": "ok", "pace": { "bytesPerSecond": 0 }"#,
      says: #"""
        api/thing.json:5:51: error: found 0, expected a number of bytes from 1 [bad-value]
        """#),
    .case(
      "a stall nobody knows",
      #""like": "ok", "stall": "inBody""#,
      says: #"""
        api/thing.json:5:32: error: found string "inBody", expected "beforeHead", "afterHead" or { "atByte": 100 } [bad-value]
        """#),
    .case(
      "a stall that is a number",
      #""like": "ok", "stall": 5"#,
      says: #"""
        api/thing.json:5:32: error: found number 5, expected "beforeHead", "afterHead" or { "atByte": 100 } [wrong-type]
        """#),
    .case(
      "a stall at no byte",
      #""like": "ok", "stall": {}"#,
      says: #"""
        api/thing.json:5:32: error: found none of "atByte", "atEvent" in a stall, expected one [missing-key]
        """#),
    .case(
      "a stall beyond the body",
      #""like": "ok", "stall": { "atByte": 7 }"#,
      says: #"""
        api/thing.json:5:44: error: found 7, expected a byte inside the body, from 0 to 6 [bad-value]
        """#),
    .case(
      "a stall in a body that is empty",
      #""status": 204, "stall": { "atByte": 0 }"#,
      says: #"""
        api/thing.json:5:45: error: an empty body cannot stall [bad-value]
          fix: stall at "afterHead", or use "like" with a case that has a body
        """#),
    .case(
      "an unknown fault",
      #""fault": "CONNECTION_RESET""#,
      says: #"""
        api/thing.json:5:18: error: found string "CONNECTION_RESET", expected one of "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE", "CONNECTION_RESET_BY_PEER", "CONNECTION_RESET_IN_BODY", "CONNECTION_CLOSED_IN_BODY", "MALFORMED_STATUS_LINE", "MALFORMED_HEADER", "TLS_EXPIRED", "TLS_NOT_YET_VALID", "TLS_SELF_SIGNED", "TLS_WRONG_HOST", "TLS_UNKNOWN_AUTHORITY", "TLS_HANDSHAKE_ABORTED", "TLS_OLD_PROTOCOL", "TLS_CLOSED_WITHOUT_NOTICE" [unknown-fault]
          fix: did you mean "CONNECTION_RESET_BY_PEER"?
        """#),
    .case(
      "a fault that resembles none",
      #""fault": "BROKEN""#,
      says: #"""
        api/thing.json:5:18: error: found string "BROKEN", expected one of "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE", "CONNECTION_RESET_BY_PEER", "CONNECTION_RESET_IN_BODY", "CONNECTION_CLOSED_IN_BODY", "MALFORMED_STATUS_LINE", "MALFORMED_HEADER", "TLS_EXPIRED", "TLS_NOT_YET_VALID", "TLS_SELF_SIGNED", "TLS_WRONG_HOST", "TLS_UNKNOWN_AUTHORITY", "TLS_HANDSHAKE_ABORTED", "TLS_OLD_PROTOCOL", "TLS_CLOSED_WITHOUT_NOTICE" [unknown-fault]
        """#),
    .case(
      "a fault that is a number",
      #""fault": 1"#,
      says: #"""
        api/thing.json:5:18: error: found number 1, expected one of "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE", "CONNECTION_RESET_BY_PEER", "CONNECTION_RESET_IN_BODY", "CONNECTION_CLOSED_IN_BODY", "MALFORMED_STATUS_LINE", "MALFORMED_HEADER", "TLS_EXPIRED", "TLS_NOT_YET_VALID", "TLS_SELF_SIGNED", "TLS_WRONG_HOST", "TLS_UNKNOWN_AUTHORITY", "TLS_HANDSHAKE_ABORTED", "TLS_OLD_PROTOCOL", "TLS_CLOSED_WITHOUT_NOTICE" [wrong-type]
        """#),
    .case(
      "a reset with a response",
      #""like": "ok", "fault": "CONNECTION_RESET_BY_PEER""#,
      says: #"""
        api/thing.json:5:17: error: "like" has no effect beside CONNECTION_RESET_BY_PEER, which sends no response [conflicting-keys]
          fix: remove "like"
        """#),
    .case(
      "a fault in a body that is not there",
      #""fault": "CONNECTION_RESET_IN_BODY""#,
      says: #"""
        api/thing.json:5:7: error: missing "status" in a case [missing-key]
          fix: add "status", or "like" with the name of another case
        """#),
  ]
}
