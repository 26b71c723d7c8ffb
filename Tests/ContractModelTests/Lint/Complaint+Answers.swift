extension Complaint {
  /// What can be wrong with an answer.
  static let answers: [Complaint] = [
    .case(
      "a misspelt key",
      #""like": "ok", "delai": { "fixed": "2s" }"#,
      says: #"""
        api/thing.json:5:23: error: found unknown key "delai" in a case [unknown-key]
          fix: did you mean "delay"?
        """#),
    .case(
      "no status",
      #""summary": "nothing""#,
      says: #"""
        api/thing.json:5:7: error: found a case without "status" [missing-key]
          fix: add "status", or "like" with the name of another case
        """#),
    .case(
      "a status in quotes",
      #""status": "404""#,
      says: #"""
        api/thing.json:5:19: error: found string "404", expected a status from 200 to 599 [wrong-type]
          fix: remove the quotes: 404
        """#),
    .case(
      "a status that is none",
      #""status": 199"#,
      says: #"""
        api/thing.json:5:19: error: found 199, expected a status from 200 to 599 [bad-value]
        """#),
    .case(
      "a status that is no integer",
      #""status": 200.5"#,
      says: #"""
        api/thing.json:5:19: error: found number 200.5, expected a status from 200 to 599 [wrong-type]
        """#),
    .case(
      "two bodies",
      #""status": 200, "body": {}, "text": """#,
      says: #"""
        api/thing.json:5:44: error: found "body" and "text" in a case, expected at most one of "body", "text", "base64", "file" [conflicting-keys]
          fix: remove one of the two
        """#),
    .case(
      "a text that is no string",
      #""status": 200, "text": {}"#,
      says: #"""
        api/thing.json:5:32: error: found object with 0 members, expected string [wrong-type]
        """#),
    .case(
      "base64 that is none",
      #""status": 200, "base64": "a?b=""#,
      says: #"""
        api/thing.json:5:34: error: found text that is not base64 [bad-value]
        """#),
    .case(
      "a file that is not there",
      #""status": 200, "file": "files/none.jpg""#,
      says: #"""
        api/thing.json:5:32: error: cannot read api/files/none.jpg: no such file or directory [unreadable-file]
          fix: check the spelling, and the folder you are in
        """#),
    .case(
      "a file outside the upstream",
      #""status": 200, "file": "../other/upstream.json""#,
      says: #"""
        api/thing.json:5:32: error: found file "../other/upstream.json", expected one beneath api [unreadable-file]
          fix: copy it to api/files
        """#),
    .case(
      "a file by its whole path",
      #""status": 200, "file": "/etc/hostname""#,
      says: #"""
        api/thing.json:5:32: error: found file "/etc/hostname", expected one beneath api [unreadable-file]
          fix: copy it to api/files
        """#),
    .case(
      "headers that are an array",
      #""status": 200, "headers": []"#,
      says: #"""
        api/thing.json:5:35: error: found array with 0 elements, expected an object: headers by name [wrong-type]
        """#),
    .case(
      "a header with a bad name",
      #""status": 200, "headers": { "Content Type": "a" }"#,
      says: #"""
        api/thing.json:5:37: error: found header "Content Type", expected a name of letters, digits and dashes [bad-name]
        """#),
    .case(
      "a header the server sets",
      #""status": 200, "headers": { "Content-Length": "5" }"#,
      says: #"""
        api/thing.json:5:37: error: found header "Content-Length", which the server sets itself [bad-value]
          fix: remove it; "framing", "encoding" and "malform" decide it
        """#),
    .case(
      "a header that is a number",
      #""status": 200, "headers": { "X-Count": 5 }"#,
      says: #"""
        api/thing.json:5:48: error: found number 5, expected string, an array of strings, or null to drop the header [wrong-type]
          fix: put it in quotes: "5"
        """#),
    .case(
      "a header with a line break",
      #""status": 200, "headers": { "X-Count": "5\r\n" }"#,
      says: #"""
        api/thing.json:5:48: error: found a control character in a header's value [bad-value]
          fix: a broken header is played by "fault": "MALFORMED_HEADER"
        """#),
    .case(
      "a header in two spellings",
      #""status": 200, "headers": { "Link": "a", "link": "b" }"#,
      says: #"""
        api/thing.json:5:50: error: found header "link" a second time: names are the same in any case [duplicate-key]
          fix: write its values as an array under one name
        """#),
    .case(
      "a schema that is none",
      #""status": 200, "body": 1, "schema": { "type": "numer" }"#,
      says: #"""
        api/thing.json:5:55: error: found string "numer" as "type", expected one of null, boolean, integer, number, string, array, object [bad-schema]
          fix: did you mean "number"?
        """#),
    .case(
      "a schema with a keyword nobody knows",
      #""status": 200, "body": 1, "schema": { "minimun": 1 }"#,
      says: #"""
        api/thing.json:5:58: error: found "minimun", which is no keyword and has no effect [bad-schema]
          fix: did you mean "minimum"?
        """#),
    .case(
      "a schema without a body",
      #""status": 200, "text": "a", "schema": {}"#,
      says: #"""
        api/thing.json:5:47: error: found a schema for a case without a JSON "body" [schema-mismatch]
          fix: remove the schema, or write the answer as "body"
        """#),
    .case(
      "a body that breaks its schema",
      #""status": 200, "body": { "a": "1", "b": 2 }, "schema": { "properties": { "a": { "type": "integer" } }, "required": ["c"] }"#,
      says: #"""
        api/thing.json:5:32: error: missing "c": the body breaks its schema [schema-mismatch]
          fix: correct the body, or the schema at 5:64
        api/thing.json:5:39: error: found string "1", expected integer: the body breaks its schema [schema-mismatch]
          fix: correct the body, or the schema at 5:64
        """#),
    .case(
      "a body that breaks the schema it comes to by like",
      #""like": "ok", "body": { "b": 1 }"#,
      says: #"""
        api/thing.json:5:31: error: missing "a": the body breaks its schema [schema-mismatch]
          fix: correct the body, or the schema at 4:54
        """#),
    .case(
      "a version nobody speaks",
      #""status": 200, "version": "2""#,
      says: #"""
        api/thing.json:5:35: error: found string "2", expected one of "1.0", "1.1" [bad-value]
        """#),
    .case(
      "a version that is a number",
      #""status": 200, "version": 1.1"#,
      says: #"""
        api/thing.json:5:35: error: found number 1.1, expected one of "1.0", "1.1" [wrong-type]
          fix: put it in quotes
        """#),
    .case(
      "a framing nobody knows",
      #""status": 200, "framing": "chunks""#,
      says: #"""
        api/thing.json:5:35: error: found string "chunks", expected one of "length", "chunked", "close" [bad-value]
          fix: did you mean "chunked"?
        """#),
  ]
}
