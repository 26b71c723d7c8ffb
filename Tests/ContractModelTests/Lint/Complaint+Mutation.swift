extension Complaint {
  /// What can be wrong with malformed, slow and broken cases.
  static let mutation: [Complaint] = [
    .case(
      "no kind of malformation",
      #""like": "ok", "malform": {}"#,
      says: #"""
        api/thing.json:5:34: error: found none of "truncateAt", "insert", "invalidUTF8At", "set", "remove", "html", "empty", "contentType", "gzip", "contentLength" in a malformation, expected one [missing-key]
        """#),
    .case(
      "two kinds of malformation",
      #""like": "ok", "malform": { "truncateAt": 1, "empty": true }"#,
      says: #"""
        api/thing.json:5:62: error: found "truncateAt" and "empty" in a malformation, expected at most one of "truncateAt", "insert", "invalidUTF8At", "set", "remove", "html", "empty", "contentType", "gzip", "contentLength" [conflicting-keys]
          fix: remove one of the two
        """#),
    .case(
      "a misspelt malformation",
      #""like": "ok", "malform": { "truncatAt": 1 }"#,
      says: #"""
        api/thing.json:5:36: error: unknown key "truncatAt" in a malformation [unknown-key]
          fix: did you mean "truncateAt"?
        """#),
    .case(
      "a cut beyond the body",
      #""like": "ok", "malform": { "truncateAt": 7 }"#,
      says: #"""
        api/thing.json:5:50: error: found byte 7, expected one inside the body of 7 bytes [bad-value]
          fix: choose an offset from 0 to 6
        """#),
    .case(
      "a cut of a body that is empty",
      #""status": 200, "malform": { "truncateAt": 0 }"#,
      says: #"""
        api/thing.json:5:51: error: found byte 0, expected one inside the body of 0 bytes [bad-value]
          fix: use "like" with a case that has a body
        """#),
    .case(
      "a cut at a place in quotes",
      #""like": "ok", "malform": { "truncateAt": "5" }"#,
      says: #"""
        api/thing.json:5:50: error: found string "5", expected an offset in bytes from 0 [wrong-type]
          fix: remove the quotes: 5
        """#),
    .case(
      "a cut before the start",
      #""like": "ok", "malform": { "truncateAt": -1 }"#,
      says: #"""
        api/thing.json:5:50: error: found -1, expected an offset in bytes from 0 [bad-value]
        """#),
    .case(
      "an insertion without a text",
      #""like": "ok", "malform": { "insert": { "at": 1 } }"#,
      says: #"""
        api/thing.json:5:46: error: missing "text" in an insertion [missing-key]
          fix: add "text"
        """#),
    .case(
      "an insertion beyond the body",
      #""like": "ok", "malform": { "insert": { "at": 8, "text": "}" } }"#,
      says: #"""
        api/thing.json:5:46: error: found byte 8, expected one inside the body of 7 bytes [bad-value]
          fix: choose an offset from 0 to 6
        """#),
    .case(
      "an insertion that does no harm",
      #""like": "ok", "malform": { "insert": { "at": 1, "text": " " } }"#,
      says: #"""
        api/thing.json:5:46: error: the malformed body is still valid JSON that matches its schema [not-malformed]
          fix: mutate a part that matters
        """#),
    .case(
      "an insertion of nothing",
      #""like": "ok", "malform": { "insert": { "at": 1, "text": "" } }"#,
      says: #"""
        api/thing.json:5:46: error: the changed body is the same as before [not-malformed]
          fix: mutate a part that matters
        """#),
    .case(
      "a bad byte beyond the body",
      #""like": "ok", "malform": { "invalidUTF8At": 8 }"#,
      says: #"""
        api/thing.json:5:53: error: found byte 8, expected one inside the body of 7 bytes [bad-value]
          fix: choose an offset from 0 to 6
        """#),
    .case(
      "a change at no pointer",
      #""like": "ok", "malform": { "set": { "a": 1 } }"#,
      says: #"""
        api/thing.json:5:45: error: found "a", expected a JSON Pointer such as "/items/0/name" [bad-value]
          fix: start it with a slash
        """#),
    .case(
      "a change where nothing is",
      #""like": "ok", "malform": { "set": { "/b/c": 1 } }"#,
      says: #"""
        api/thing.json:5:43: error: "/b/c" cannot be edited: there is no /b to hold it [bad-value]
          fix: name a value that is in the body
        """#),
    .case(
      "a change that does no harm",
      #""like": "ok", "malform": { "set": { "/a": 2 } }"#,
      says: #"""
        api/thing.json:5:43: error: the malformed body is still valid JSON that matches its schema [not-malformed]
          fix: mutate a part that matters
        """#),
    .case(
      "a change of a text",
      #""status": 200, "text": "a", "malform": { "set": { "/a": 2 } }"#,
      says: #"""
        api/thing.json:5:57: error: found a case without a JSON "body", expected one to edit [bad-value]
          fix: use "like" with a case whose response is a "body"
        """#),
    .case(
      "a change without a schema",
      #""status": 200, "body": { "a": 1 }, "malform": { "set": { "/a": "1" } }"#,
      says: #"""
        api/thing.json:5:64: error: no schema that the changed body could break [not-malformed]
          fix: add "schema" to the case this one is like
        """#),
    .case(
      "a removal of no pointer",
      #""like": "ok", "malform": { "remove": ["a"] }"#,
      says: #"""
        api/thing.json:5:47: error: found "a", expected a JSON Pointer such as "/items/0/name" [bad-value]
          fix: start it with a slash
        """#),
    .case(
      "a removal of the root",
      #""like": "ok", "malform": { "remove": [""] }"#,
      says: #"""
        api/thing.json:5:47: error: found "", expected a JSON Pointer such as "/items/0/name" [bad-value]
          fix: "empty": true leaves out the whole body
        """#),
    .case(
      "a removal of what is not there",
      #""like": "ok", "malform": { "remove": ["/b"] }"#,
      says: #"""
        api/thing.json:5:46: error: "/b" cannot be edited: there is no such value [bad-value]
          fix: name a value that is in the body
        """#),
    .case(
      "a removal that does no harm",
      #""status": 200, "body": { "a": 1, "b": 2 }, "schema": { "required": ["a"] }, "malform": { "remove": ["/b"] }"#,
      says: #"""
        api/thing.json:5:108: error: the malformed body is still valid JSON that matches its schema [not-malformed]
          fix: mutate a part that matters
        """#),
    .case(
      "a removal that is a string",
      #""like": "ok", "malform": { "remove": "/a" }"#,
      says: #"""
        api/thing.json:5:46: error: found string "/a", expected an array of strings [wrong-type]
          fix: put it in brackets: ["/a"]
        """#),
    .case(
      "a page that is JSON",
      #""like": "ok", "malform": { "html": "{\"a\":2}" }"#,
      says: #"""
        api/thing.json:5:44: error: the malformed body is still valid JSON that matches its schema [not-malformed]
          fix: mutate a part that matters
        """#),
    .case(
      "an empty body: false",
      #""like": "ok", "malform": { "empty": false }"#,
      says: #"""
        api/thing.json:5:45: error: found false, expected true or no "empty" at all [bad-value]
        """#),
    .case(
      "an empty body that is empty anyway",
      #""status": 200, "malform": { "empty": true }"#,
      says: #"""
        api/thing.json:5:46: error: the body is already empty [not-malformed]
          fix: use "like" with a case that has a body
        """#),
    .case(
      "a content type that it has anyway",
      #""status": 200, "headers": { "Content-Type": "text/plain" }, "malform": { "contentType": "text/plain" }"#,
      says: #"""
        api/thing.json:5:97: error: the response already has content type "text/plain" [not-malformed]
          fix: choose another type
        """#),
    .case(
      "a mutation to gzip that nobody knows",
      #""like": "ok", "malform": { "gzip": "corupt" }"#,
      says: #"""
        api/thing.json:5:44: error: found string "corupt", expected one of "plain", "corrupt", "truncated" [bad-value]
          fix: did you mean "corrupt"?
        """#),
    .case(
      "a bad gzip of nothing",
      #""status": 200, "malform": { "gzip": "plain" }"#,
      says: #"""
        api/thing.json:5:45: error: the body is already empty [not-malformed]
          fix: use "like" with a case that has a body
        """#),
    .case(
      "a length that is off by nothing",
      #""like": "ok", "malform": { "contentLength": 0 }"#,
      says: #"""
        api/thing.json:5:53: error: the length is off by 0 [not-malformed]
          fix: use 5 or -5
        """#),
    .case(
      "a length of a response without one",
      #""like": "ok", "framing": "chunked", "malform": { "contentLength": 5 }"#,
      says: #"""
        api/thing.json:5:75: error: the response has no length that could be wrong [not-malformed]
          fix: remove "framing"
        """#),
    .case(
      "a length below zero",
      #""like": "ok", "malform": { "contentLength": -8 }"#,
      says: #"""
        api/thing.json:5:53: error: the length is below zero: the body has 7 bytes [not-malformed]
          fix: use -1
        """#),
  ]
}
