extension Complaint {
  /// What can be wrong with a response.
  static let responses: [Complaint] = [
    .case(
      "a misspelt key",
      #""like": "ok", "delai": { "fixed": "2s" }"#,
      says: #"""
        api/thing.json:5:23: error: unknown key "delai" in a case [unknown-key]
          fix: did you mean "delay"?
        """#),
    .case(
      "a key of WireMock",
      #""status": 200, "bodyFileName": "a.json""#,
      says: #"""
        api/thing.json:5:24: error: unknown key "bodyFileName" in a case [unknown-key]
          fix: write "file"
        """#),
    .case(
      "no status",
      #""summary": "nothing""#,
      says: #"""
        api/thing.json:5:7: error: missing "status" in a case [missing-key]
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
        api/thing.json:5:44: error: found "body" and "text" in a case, expected at most one of "body", "text", "base64", "file", "events" [conflicting-keys]
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
        api/thing.json:5:34: error: this is not base64 [bad-value]
        """#),
    .case(
      "a file that is not there",
      #""status": 200, "file": "files/none.jpg""#,
      says: #"""
        api/thing.json:5:32: error: cannot read api/files/none.jpg: no such file or directory [unreadable-file]
          fix: write its path as seen from the contract's folder
        """#),
    .case(
      "a file outside the upstream",
      #""status": 200, "file": "../other/upstream.json""#,
      says: #"""
        api/thing.json:5:32: error: found file "../other/upstream.json", expected one inside api [unreadable-file]
          fix: copy it to api/files
        """#),
    .case(
      "a file by its whole path",
      #""status": 200, "file": "/etc/hostname""#,
      says: #"""
        api/thing.json:5:32: error: found file "/etc/hostname", expected one inside api [unreadable-file]
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
        api/thing.json:5:37: error: the server sets header "Content-Length" itself [bad-value]
          fix: remove it; "framing", "encoding" and "malform" control it
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
        api/thing.json:5:48: error: the header's value has a control character [bad-value]
          fix: a broken header is served by "fault": "MALFORMED_HEADER"
        """#),
    .case(
      "a header in two spellings",
      #""status": 200, "headers": { "Link": "a", "link": "b" }"#,
      says: #"""
        api/thing.json:5:50: error: header "link" is given twice: header names ignore case [duplicate-key]
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
        api/thing.json:5:58: error: "minimun" is not a keyword and has no effect [bad-schema]
          fix: did you mean "minimum"?
        """#),
    .case(
      "a schema without a body",
      #""status": 200, "text": "a", "schema": {}"#,
      says: #"""
        api/thing.json:5:47: error: the case has a schema, but no JSON "body" [schema-mismatch]
          fix: remove the schema, or write the response as "body"
        """#),
    .case(
      "a body that breaks its schema",
      #""status": 200, "body": { "a": "1", "b": 2 }, "schema": { "properties": { "a": { "type": "integer" } }, "required": ["c"] }"#,
      says: #"""
        api/thing.json:5:32: error: missing "c": the body does not match its schema [schema-mismatch]
          fix: correct the body or the schema at 5:64
        api/thing.json:5:39: error: found string "1", expected integer: the body does not match its schema [schema-mismatch]
          fix: correct the body or the schema at 5:64
        """#),
    .case(
      "a body that breaks the schema it comes to by like",
      #""like": "ok", "body": { "b": 1 }"#,
      says: #"""
        api/thing.json:5:31: error: missing "a": the body does not match its schema [schema-mismatch]
          fix: correct the body or the schema at 4:54
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
    .case(
      "a date by the clock of no machine: an hour from 2030 is right, more is not",
      #""status": 200, "body": { "b": 1893459600, "c": 1893459601 }, "schema": { "additionalProperties": { "x-time": { "epoch": 1970, "within": ["-1h", "+1h"] } } }"#,
      says: #"""
        api/thing.json:5:56: error: 1893459601 reads as 2030-01-01 since 1970, later than +1h: the body does not match its schema [schema-mismatch]
          fix: correct the body or the schema at 5:80
        """#),
    .case(
      "chunks in HTTP/1.0",
      #""status": 200, "version": "1.0", "framing": "chunked""#,
      says: #"""
        api/thing.json:5:53: error: HTTP/1.0 does not support chunked framing [bad-value]
          fix: use "close" or "length"
        """#),
    .case(
      "an encoding nobody knows",
      #""status": 200, "encoding": "br""#,
      says: #"""
        api/thing.json:5:36: error: found string "br", expected "gzip" [bad-value]
        """#),
    .case(
      "like a case that is none",
      #""like": "okay""#,
      says: #"""
        api/thing.json:5:17: error: "okay" is not a case of this contract [unknown-case]
          fix: did you mean "ok"?
        """#),
    .case(
      "like a case that resembles none",
      #""like": "perfect""#,
      says: #"""
        api/thing.json:5:17: error: "perfect" is not a case of this contract [unknown-case]
          fix: the cases are it, ok
        """#),
    .case(
      "like a number",
      #""like": 1, "status": 200"#,
      says: #"""
        api/thing.json:5:17: error: found number 1, expected string [wrong-type]
        """#),
    .case(
      "like itself",
      #""like": "it""#,
      says: #"""
        api/thing.json:5:17: error: "it" is like itself [circular-like]
          fix: remove "like" from one of them
        """#),
    .cases(
      "a circle",
      #""a": { "like": "b" }, "b": { "like": "c" }, "c": { "like": "a" }"#,
      says: #"""
        api/thing.json:5:60: error: "c" is like "a", which leads back to "c" [circular-like]
          fix: remove "like" from one of them
        """#),
    .cases(
      "like a case that gives no response",
      #""reset": { "fault": "CONNECTION_RESET_BY_PEER" }, "it": { "like": "reset" }"#,
      says: #"""
        api/thing.json:5:67: error: this is like a case of CONNECTION_RESET_BY_PEER, which has no response to copy [bad-value]
          fix: name a case with a "status"
        """#),
    .cases(
      "a case with a bad name",
      #""Not Found": { "status": 404 }"#,
      says: #"""
        api/thing.json:5:1: error: found case "Not Found", expected a name of lower-case letters, digits and dashes [bad-name]
        """#),
    .cases(
      "a case that is no object",
      #""it": 404"#,
      says: #"""
        api/thing.json:5:7: error: found number 404, expected an object: a case [wrong-type]
        """#),
    .cases(
      "a case written twice",
      #""ok": { "status": 201 }"#,
      says: #"""
        api/thing.json:5:1: error: key "ok" is given twice [duplicate-key]
          fix: remove one of the two, or rename it
        """#),
    .case(
      "a when that asks nothing",
      #""like": "ok", "when": {}"#,
      says: #"""
        api/thing.json:5:31: error: found an empty "when", expected one of "request", "state", "count", "share" [missing-key]
        """#),
    .case(
      "a when that is a string",
      #""like": "ok", "when": "full""#,
      says: #"""
        api/thing.json:5:31: error: found string "full", expected an object: a "when" [wrong-type]
        """#),
    .case(
      "a when on a parameter of another part",
      #""like": "ok", "when": { "request": { "cookie.a": "1" } }"#,
      says: #"""
        api/thing.json:5:46: error: found key "cookie.a", expected path.NAME, query.NAME or header.NAME [bad-name]
        """#),
    .case(
      "a when on a path parameter that is none",
      #""like": "ok", "when": { "request": { "path.name": "1" } }"#,
      says: #"""
        api/thing.json:5:59: error: "path.name" is not in any path of this request [unknown-parameter]
          fix: add {name} to the path, or remove this condition
        """#),
    .cases(
      "two cases with one when",
      #"""
      "a": { "like": "ok", "when": { "request": { "query.a": "1" } } },
      "b": { "like": "ok", "when": { "request": { "query.a": "1" } } }
      """#,
      says: #"""
        api/thing.json:6:30: error: this case is never served: "a" comes first, with the same requests and state [unreachable]
          fix: change one "when", or remove it and choose the case by hand
        """#),
    .contract(
      "a when that contradicts the request",
      #"""
      {
      "request": { "method": "GET", "path": "/things", "parameters": { "query.page": { "oneOf": ["1", "2"] } } },
      "cases": {
      "ok": { "status": 200 },
      "it": { "status": 200, "when": { "request": { "query.page": "3" } } }
      }
      }
      """#,
      says: #"""
        api/thing.json:5:61: error: this contradicts the request's own condition on "query.page" [unreachable]
          fix: the request expects one of "1", "2"
        """#),
    .case(
      "state that is no string",
      #""like": "ok", "then": { "count": 1 }"#,
      says: #"""
        api/thing.json:5:42: error: found number 1, expected string, or null to forget the name [wrong-type]
          fix: put it in quotes: "1"
        """#),
    .case(
      "state that is an array",
      #""like": "ok", "then": ["full"]"#,
      says: #"""
        api/thing.json:5:31: error: found array with 1 element, expected an object: state, strings by name [wrong-type]
        """#),
    .case(
      "state that nothing sets",
      #""like": "ok", "when": { "state": { "list": "full" } }"#,
      says: #"""
        api/thing.json:5:31: warning: no case or scenario sets state "list" to "full" [unset-state]
          fix: set it in a "then", or waive this if it is set by hand
        """#),
    .case(
      "state that holds an object",
      #""like": "ok", "then": { "thing": { "a": 1 } }"#,
      says: #"""
        api/thing.json:5:42: error: found object with 1 member, expected string, or null to forget the name [wrong-type]
          fix: state holds text: "{body}" keeps the request's body
        """#),
    .case(
      "state with a mistake in its name and its value",
      #""like": "ok", "then": { "thing.{body.id}": "{form.user}" }"#,
      says: #"""
        api/thing.json:5:52: error: "{body.id}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{body.id} for plain text
        api/thing.json:5:52: error: "{form.user}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{form.user} for plain text
        """#),
    .case(
      "state whose name is drawn",
      #""like": "ok", "when": { "state": { "thing.{uuid}": "a" } }, "then": { "thing.{uuid}": "a" }"#,
      says: #"""
        api/thing.json:5:60: error: found a name with a drawn value in "when", expected one that the request decides [bad-template]
          fix: use a part of the request, such as {path.NAME}
        """#),
    .case(
      "a count that is no object",
      #""like": "ok", "when": { "count": 3 }"#,
      says: #"""
        api/thing.json:5:42: error: found number 3, expected an object: a number of requests [wrong-type]
        """#),
    .case(
      "a count below nothing",
      #""like": "ok", "when": { "count": { "above": -1 } }"#,
      says: #"""
        api/thing.json:5:53: error: found -1, expected a number of requests, such as 100 [bad-value]
        """#),
  ]
}
