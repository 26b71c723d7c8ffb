extension Complaint {
  /// What can be wrong with cases that break in TLS.
  static let inTLS: [Complaint] = [
    .cases(
      "a case for each fault of the handshake",
      #"""
      "a": { "fault": "TLS_EXPIRED" }, "b": { "fault": "TLS_NOT_YET_VALID", "summary": "Too early" },
      "c": { "fault": "TLS_SELF_SIGNED" }, "d": { "fault": "TLS_WRONG_HOST" },
      "e": { "fault": "TLS_UNKNOWN_AUTHORITY" }, "f": { "fault": "TLS_HANDSHAKE_ABORTED" },
      "g": { "fault": "TLS_OLD_PROTOCOL", "x-note": 1 }
      """#,
      says: ""),
    .case(
      "a response to a client that is turned away",
      #""status": 200, "body": {}, "fault": "TLS_EXPIRED""#,
      says: #"""
        api/thing.json:5:19: error: "status" has no effect beside TLS_EXPIRED, which comes before any request and response [conflicting-keys]
          fix: remove "status"
        """#),
    .case(
      "one that is copied",
      #""like": "ok", "fault": "TLS_SELF_SIGNED", "stall": "beforeHead""#,
      says: #"""
        api/thing.json:5:17: error: "like" has no effect beside TLS_SELF_SIGNED, which comes before any request and response [conflicting-keys]
          fix: remove "like"
        """#),
    .case(
      "requests that are turned away",
      #""fault": "TLS_WRONG_HOST", "when": { "request": { "query.q": "1" }, "share": 0.5 }"#,
      says: #"""
        api/thing.json:5:44: error: "when" has no effect beside TLS_WRONG_HOST, which comes before any request and response [conflicting-keys]
          fix: remove "when"
        """#),
    .case(
      "a state after a handshake that failed",
      #""fault": "TLS_OLD_PROTOCOL", "then": { "a": "b" }"#,
      says: #"""
        api/thing.json:5:46: error: "then" has no effect beside TLS_OLD_PROTOCOL, which comes before any request and response [conflicting-keys]
          fix: remove "then"
        """#),
    .case(
      "a delay before no response",
      #""fault": "TLS_HANDSHAKE_ABORTED", "delay": { "fixed": "1s" }"#,
      says: #"""
        api/thing.json:5:52: error: "delay" has no effect beside TLS_HANDSHAKE_ABORTED, which comes before any request and response [conflicting-keys]
          fix: remove "delay"
        """#),
    .case(
      "a mutation of no response",
      #""fault": "TLS_NOT_YET_VALID", "malform": { "empty": true }"#,
      says: #"""
        api/thing.json:5:50: error: "malform" has no effect beside TLS_NOT_YET_VALID, which comes before any request and response [conflicting-keys]
          fix: remove "malform"
        """#),
    .case(
      "the pace of no response",
      #""fault": "TLS_UNKNOWN_AUTHORITY", "pace": { "bytesPerSecond": 1 }"#,
      says: #"""
        api/thing.json:5:51: error: "pace" has no effect beside TLS_UNKNOWN_AUTHORITY, which comes before any request and response [conflicting-keys]
          fix: remove "pace"
        """#),
    .case(
      "a fault of the handshake after an event",
      #""fault": { "name": "TLS_EXPIRED", "atEvent": 1 }"#,
      says: #"""
        api/thing.json:5:28: error: found TLS_EXPIRED in an object, expected a fault in the body [bad-value]
          fix: write "fault": "TLS_EXPIRED", or name CONNECTION_RESET_IN_BODY
        """#),
    .case(
      "a live API with an old certificate",
      #""fault": "TLS_EXPIRED", "live": {}"#,
      says: #"""
        api/thing.json:5:41: error: this live case is broken, which cannot be requested from a live API [not-live]
          fix: remove "live"
        """#),
    .cases(
      "what is like a case without a response",
      #""a": { "fault": "TLS_EXPIRED" }, "b": { "like": "a" }"#,
      says: #"""
        api/thing.json:5:49: error: this is like a case of TLS_EXPIRED, which has no response to copy [bad-value]
          fix: name a case with a "status"
        """#),
    .contract(
      "a default case that no request can reach",
      #"""
      { "request": { "method": "GET", "path": "/things" },
        "cases": {
          "expired": { "fault": "TLS_EXPIRED" },
          "ok": { "status": 200 } } }
      """#,
      says: #"""
        api/thing.json:3:27: error: TLS_EXPIRED turns every client away before its request is known, so it cannot be the default case [bad-value]
          fix: name another case in "default", and choose this one by hand or in a script
        """#),
    .contract(
      "a default case by name that no request can reach",
      #"""
      { "request": { "method": "GET", "path": "/things" }, "default": "expired",
        "cases": {
          "ok": { "status": 200 },
          "expired": { "fault": "TLS_EXPIRED" } } }
      """#,
      says: #"""
        api/thing.json:4:27: error: TLS_EXPIRED turns every client away before its request is known, so it cannot be the default case [bad-value]
          fix: name another case in "default", and choose this one by hand or in a script
        """#),
    .contract(
      "a fault of the handshake where there is no default case",
      #"""
      { "request": { "method": "GET", "path": "/things" }, "default": null,
        "cases": {
          "expired": { "fault": "TLS_EXPIRED" },
          "ok": { "status": 200, "when": { "request": { "query.q": "1" } } } } }
      """#,
      says: ""),
    .files(
      "a fault of the handshake is no response that breaks on the wire, and one after it is",
      [
        "api/thing.json": #"""
        { "request": { "method": "GET", "path": "/things" }, "waive": { "no-404-case": "a", "no-slow-case": "a" },
          "cases": { "ok": { "status": 200 }, "expired": { "fault": "TLS_EXPIRED" } } }
        """#,
        "other/thing.json": #"""
        { "request": { "method": "GET", "path": "/things" }, "waive": { "no-404-case": "a", "no-slow-case": "a" },
          "cases": { "ok": { "status": 200 },
            "cut": { "like": "ok", "framing": "close", "fault": "TLS_CLOSED_WITHOUT_NOTICE" } } }
        """#,
      ], ignoring: [],
      says: #"""
        api/thing.json:2:12: warning: no response that breaks on the wire among the cases [no-broken-case]
          fix: add a case with "fault", or waive "no-broken-case"
        """#),
    .files(
      "a fault of the handshake beside another case",
      [
        "consumers.json": #"{ "things.get": { "upstreams": ["api"], "errors": {} } }"#,
        "api/thing.json": #"""
        { "request": { "method": "GET", "path": "/things" },
          "cases": { "ok": { "status": 200,
            "expect": { "things.get": { "value": 1, "with": { "other/thing": "expired" } } } } } }
        """#,
        "other/thing.json": #"""
        { "request": { "method": "GET", "path": "/things" },
          "cases": { "ok": { "status": 200 }, "expired": { "fault": "TLS_EXPIRED" } } }
        """#,
      ],
      says: #"""
        api/thing.json:3:70: error: TLS_EXPIRED turns every client away before its request is known, so it cannot be served beside another case [bad-value]
          fix: name another case of other/thing
        """#),
    .case(
      "an end without notice of a response without a length",
      #""like": "ok", "framing": "close", "fault": "TLS_CLOSED_WITHOUT_NOTICE", "delay": { "fixed": "1s" }"#,
      says: ""),
    .case(
      "an end without notice of a stream",
      #""status": 200, "events": [{ "data": "a" }], "framing": "close", "fault": "TLS_CLOSED_WITHOUT_NOTICE""#,
      says: ""),
    .case(
      "an end without notice of a stream over HTTP/1.0",
      #""status": 200, "events": [{ "data": "a" }], "version": "1.0", "fault": "TLS_CLOSED_WITHOUT_NOTICE""#,
      says: ""),
    .case(
      "an end without notice that a length makes up for",
      #""like": "ok", "fault": "TLS_CLOSED_WITHOUT_NOTICE""#,
      says: #"""
        api/thing.json:5:32: error: TLS_CLOSED_WITHOUT_NOTICE breaks nothing: the response itself says where it ends [bad-value]
          fix: use "framing": "close"
        """#),
    .case(
      "an end without notice that a last chunk makes up for",
      #""status": 200, "framing": "chunked", "fault": "TLS_CLOSED_WITHOUT_NOTICE""#,
      says: #"""
        api/thing.json:5:55: error: TLS_CLOSED_WITHOUT_NOTICE breaks nothing: the response itself says where it ends [bad-value]
          fix: use "framing": "close"
        """#),
    .case(
      "an end without notice of a body that is emptied",
      #""like": "ok", "framing": "close", "malform": { "empty": true }, "fault": "TLS_CLOSED_WITHOUT_NOTICE""#,
      says: #"""
        api/thing.json:5:82: error: TLS_CLOSED_WITHOUT_NOTICE breaks nothing: an emptied response has a length [bad-value]
          fix: remove "malform"
        """#),
    .case(
      "an end without notice of a body that there cannot be",
      #""status": 204, "framing": "close", "fault": "TLS_CLOSED_WITHOUT_NOTICE""#,
      says: #"""
        api/thing.json:5:53: error: TLS_CLOSED_WITHOUT_NOTICE breaks nothing: a response of status 204 has no body [bad-value]
          fix: choose another status
        """#),
    .contract(
      "an end without notice of a body that is not sent",
      #"""
      { "request": { "method": "HEAD", "path": "/things" },
        "cases": {
          "cut": { "status": 200, "framing": "close", "fault": "TLS_CLOSED_WITHOUT_NOTICE" } } }
      """#,
      says: #"""
        api/thing.json:3:58: error: TLS_CLOSED_WITHOUT_NOTICE breaks nothing: a response to HEAD has no body [bad-value]
          fix: choose another fault, such as CONNECTION_RESET_BY_PEER
        """#),
    .case(
      "an end without notice of nothing",
      #""fault": "TLS_CLOSED_WITHOUT_NOTICE""#,
      says: #"""
        api/thing.json:5:7: error: missing "status" in a case [missing-key]
          fix: add "status", or "like" with the name of another case
        """#),
  ]
}
