extension Complaint {
  /// What can be wrong with events, parts of bodies and tags.
  static let delivery: [Complaint] = [
    .case(
      "events that are an object",
      #""status": 200, "events": {}"#,
      says: #"""
        api/thing.json:5:34: error: found object with 0 members, expected an array of events [wrong-type]
          fix: put it in brackets: [{ … }]
        """#),
    .case(
      "events that are a text",
      #""status": 200, "events": "a""#,
      says: #"""
        api/thing.json:5:34: error: found string "a", expected an array of events [wrong-type]
        """#),
    .case(
      "events beside a body",
      #""status": 200, "body": {}, "events": []"#,
      says: #"""
        api/thing.json:5:46: error: found "body" and "events" in a case, expected at most one of "body", "text", "base64", "file", "events" [conflicting-keys]
          fix: remove one of the two
        """#),
    .case(
      "an event with a misspelt key",
      #""status": 200, "events": [{ "data": "a", "aftr": "1s" }]"#,
      says: #"""
        api/thing.json:5:50: error: unknown key "aftr" in an event [unknown-key]
          fix: did you mean "after"?
        """#),
    .case(
      "an event without content",
      #""status": 200, "events": [{ "after": "1s" }]"#,
      says: #"""
        api/thing.json:5:35: error: the event has no content [missing-key]
          fix: add "data", "event", "id" or "retry"
        """#),
    .case(
      "an event with times without units",
      #""status": 200, "events": [{ "data": "a", "after": 1, "retry": "2" }]"#,
      says: #"""
        api/thing.json:5:59: error: found number 1, expected a duration with a unit: ms, s, m or h [delay-unit]
          fix: write "1ms" or "1s"
        api/thing.json:5:71: error: found string "2", expected a duration with a unit: ms, s, m or h [delay-unit]
          fix: write "2ms" or "2s"
        """#),
    .case(
      "an id with a line break, and a type with NUL",
      #""status": 200, "events": [{ "id": "a\nb", "event": "a\u0000" }]"#,
      says: #"""
        api/thing.json:5:43: error: found a line break or NUL in "id", expected one line of text [bad-value]
          fix: remove it; only "data" has several lines
        api/thing.json:5:60: error: found a line break or NUL in "event", expected one line of text [bad-value]
          fix: remove it; only "data" has several lines
        """#),
    .case(
      "an id that is a number",
      #""status": 200, "events": [{ "id": 1 }]"#,
      says: #"""
        api/thing.json:5:43: error: found number 1, expected string [wrong-type]
        """#),
    .case(
      "an id that comes twice",
      #""status": 200, "events": [{ "id": "a" }, { "id": "b" }, { "id": "a" }]"#,
      says: #"""
        api/thing.json:5:73: error: id "a" is given twice [bad-value]
          fix: choose another: clients resume after the id of the last event they got
        """#),
    .case(
      "an event that breaks the schema",
      #""status": 200, "schema": { "required": ["a"] }, "events": [{ "data": { "a": 1 } }, { "data": "text" }, { "data": {} }]"#,
      says: #"""
        api/thing.json:5:122: error: missing "a": the body does not match its schema [schema-mismatch]
          fix: correct the body or the schema at 5:34
        """#),
    .case(
      "a schema for events without JSON",
      #""status": 200, "schema": {}, "events": [{ "data": "text" }]"#,
      says: #"""
        api/thing.json:5:34: error: the case has a schema, but no JSON "body" [schema-mismatch]
          fix: remove the schema, or write the response as "body"
        """#),
    .case(
      "events with a template that is none",
      #""status": 200, "template": ["body"], "events": [{ "data": { "a": "{path.}" }, "id": "{now +1q}" }]"#,
      says: #"""
        api/thing.json:5:74: error: "{path.}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{path.} for plain text
        api/thing.json:5:93: error: found "+1q" in "{now +1q}", expected a number and a unit: s, m, h, d, w, M or y [bad-template]
          fix: write it like "+1h" or "-3d", or write \\{now +1q} for plain text
        """#),
    .case(
      "events in ways they cannot be sent",
      #""status": 200, "events": [{ "data": "a" }], "encoding": "gzip", "pace": { "bytesPerSecond": 1 }, "ranges": true, "etag": true, "framing": "length", "stall": { "atByte": 1 }"#,
      says: #"""
        api/thing.json:5:65: error: "encoding" and "events" cannot be combined [conflicting-keys]
          fix: remove one of the two
        api/thing.json:5:81: error: "pace" and "events" cannot be combined [conflicting-keys]
          fix: give each event its "after"
        api/thing.json:5:116: error: "ranges" and "events" cannot be combined [conflicting-keys]
          fix: remove one of the two
        api/thing.json:5:130: error: "etag" and "events" cannot be combined [conflicting-keys]
          fix: remove one of the two
        api/thing.json:5:147: error: found events with a length, expected a stream without one [bad-value]
          fix: use "chunked" or "close"
        api/thing.json:5:166: error: "events" cannot stall at a byte [bad-value]
          fix: write { "atEvent": 1 }
        """#),
    .case(
      "a stall after more events than there are",
      #""status": 200, "events": [{ "data": "a" }], "stall": { "atEvent": 2 }"#,
      says: #"""
        api/thing.json:5:75: error: found event 2, expected one from 0 to 1 [bad-value]
        """#),
    .case(
      "a fault after more events than there are",
      #""status": 200, "events": [], "fault": { "name": "CONNECTION_RESET_IN_BODY", "atEvent": 1 }"#,
      says: #"""
        api/thing.json:5:96: error: found event 1, expected one from 0 to 0 [bad-value]
        """#),
    .case(
      "a stall at a negative event",
      #""status": 200, "events": [], "stall": { "atEvent": -1 }"#,
      says: #"""
        api/thing.json:5:60: error: found -1, expected a number of events from 0 [bad-value]
        """#),
    .case(
      "a stall at an event of a body",
      #""like": "ok", "stall": { "atEvent": 1 }"#,
      says: #"""
        api/thing.json:5:45: error: "atEvent" cannot be used in a response without "events" [bad-value]
          fix: remove it
        """#),
    .case(
      "a fault at an event of a body",
      #""like": "ok", "fault": { "name": "CONNECTION_CLOSED_IN_BODY", "atEvent": 1 }"#,
      says: #"""
        api/thing.json:5:82: error: "atEvent" cannot be used in a response without "events" [bad-value]
          fix: remove it
        """#),
    .case(
      "a stall at an event of a mutated stream",
      #""status": 200, "events": [{ "data": "a" }], "malform": { "truncateAt": 3 }, "stall": { "atEvent": 1 }"#,
      says: #"""
        api/thing.json:5:107: error: "atEvent" cannot be used in events that are malformed [bad-value]
          fix: remove it
        """#),
    .case(
      "a stall at both",
      #""like": "ok", "stall": { "atByte": 1, "atEvent": 1 }"#,
      says: #"""
        api/thing.json:5:58: error: found "atByte" and "atEvent" in a stall, expected at most one of "atByte", "atEvent" [conflicting-keys]
          fix: remove one of the two
        """#),
    .case(
      "a fault without a name",
      #""like": "ok", "fault": { "atEvent": 1 }"#,
      says: #"""
        api/thing.json:5:32: error: missing "name" in a fault [missing-key]
          fix: add "name"
        """#),
    .case(
      "a fault in an object that is not in the body",
      #""fault": { "name": "EMPTY_RESPONSE" }"#,
      says: #"""
        api/thing.json:5:28: error: found EMPTY_RESPONSE in an object, expected a fault in the body [bad-value]
          fix: write "fault": "EMPTY_RESPONSE", or name CONNECTION_RESET_IN_BODY
        """#),
    .case(
      "ranges that cannot be served",
      #""like": "ok", "ranges": true, "encoding": "gzip", "stall": "afterHead", "fault": "CONNECTION_RESET_IN_BODY""#,
      says: #"""
        api/thing.json:5:51: error: "encoding" and "ranges" cannot be combined [conflicting-keys]
          fix: remove one of the two
        api/thing.json:5:68: error: "stall" and "ranges" cannot be combined [conflicting-keys]
          fix: remove one of the two
        api/thing.json:5:90: error: "fault" and "ranges" cannot be combined [conflicting-keys]
          fix: remove one of the two
        """#),
    .case(
      "ranges and a tag of a mutated body",
      #""like": "ok", "ranges": true, "etag": true, "malform": { "truncateAt": 3 }"#,
      says: #"""
        api/thing.json:5:64: error: "malform" and "etag" cannot be combined [conflicting-keys]
          fix: remove one of the two
        api/thing.json:5:64: error: "malform" and "ranges" cannot be combined [conflicting-keys]
          fix: remove one of the two
        """#),
    .case(
      "ranges of nothing, and a tag of another status",
      #""status": 204, "ranges": true, "etag": true"#,
      says: #"""
        api/thing.json:5:34: error: found "ranges" in a response of status 204 without a body, expected status 200 and a body [bad-value]
          fix: remove it
        api/thing.json:5:48: error: found "etag" in a response of status 204 without a body, expected status 200 and a body [bad-value]
          fix: remove it
        """#),
    .case(
      "a tag of a response that is not 200",
      #""status": 404, "body": {}, "etag": true"#,
      says: #"""
        api/thing.json:5:44: error: found "etag" in a response of status 404, expected status 200 and a body [bad-value]
          fix: remove it
        """#),
    .case(
      "ranges that are a text",
      #""like": "ok", "ranges": "bytes""#,
      says: #"""
        api/thing.json:5:33: error: found string "bytes", expected true or false [wrong-type]
        """#),
    .case(
      "events that are right",
      #""status": 200, "template": ["body"], "events": [{ "id": "{counter}", "data": { "at": "{now -1d}" }, "retry": "3s" }, { "data": "a", "after": "1s" }], "fault": { "name": "CONNECTION_RESET_IN_BODY", "atEvent": 1 }"#,
      says: ""),
    .case(
      "ranges and a tag that are right",
      #""like": "ok", "ranges": true, "etag": true, "pace": { "bytesPerSecond": 1 }"#,
      says: ""),
    .case(
      "a response like events, with a body",
      #""status": 200, "events": [{ "data": {} }], "schema": {} }, "other": { "like": "it", "body": [], "headers": { "X": "1" }"#,
      says: ""),
    .contract(
      "ranges of a response to POST",
      #"""
      {
      "request": { "method": "POST", "path": "/things" },
      "cases": { "ok": { "status": 200, "text": "a", "ranges": true, "etag": true } }
      }
      """#,
      says: #"""
        api/thing.json:3:58: error: found "ranges" in a response to POST, expected one to GET [bad-value]
          fix: remove it: only GET asks for parts of a body
        """#),
  ]
}
