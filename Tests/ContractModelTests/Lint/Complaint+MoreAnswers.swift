extension Complaint {
  /// What can be wrong with an answer.
  static let moreAnswers: [Complaint] = [
    .case(
      "a date by the clock of no machine: an hour from 2030 is right, more is not",
      #""status": 200, "body": { "b": 1893459600, "c": 1893459601 }, "schema": { "additionalProperties": { "x-time": { "epoch": 1970, "within": ["-1h", "+1h"] } } }"#,
      says: #"""
        api/thing.json:5:56: error: 1893459601 reads as 2030-01-01 since 1970, later than +1h: the body breaks its schema [schema-mismatch]
          fix: correct the body, or the schema at 5:80
        """#),
    .case(
      "chunks in HTTP/1.0",
      #""status": 200, "version": "1.0", "framing": "chunked""#,
      says: #"""
        api/thing.json:5:53: error: found chunked framing in HTTP/1.0, which has none [bad-value]
          fix: use "close" or "length"
        """#),
    .case(
      "an encoding nobody knows",
      #""status": 200, "encoding": "br""#,
      says: #"""
        api/thing.json:5:36: error: found string "br", expected "gzip" [bad-value]
        """#),
    .case(
      "a template of a part nobody knows",
      #""status": 200, "template": ["head"]"#,
      says: #"""
        api/thing.json:5:37: error: found string "head", expected one of "headers", "body" [bad-value]
        """#),
    .case(
      "a template that is a string",
      #""status": 200, "template": "body""#,
      says: #"""
        api/thing.json:5:36: error: found string "body", expected an array of strings [wrong-type]
          fix: put it in brackets: ["body"]
        """#),
    .case(
      "an expression that is none",
      #""status": 200, "template": ["body"], "body": "{now.utc}""#,
      says: #"""
        api/thing.json:5:54: error: found "{now.utc}", which is not an expression [bad-template]
          fix: use one listed under Templates in Contracts/README.md, or write \\{now.utc} for plain text
        """#),
    .case(
      "what looks like an expression",
      #""status": 200, "template": ["body"], "body": { "{now-1h}": "{now+1h}", "b": "{form.user} {sha} {/x} {body of it} {e.g. a}" }"#,
      says: #"""
        api/thing.json:5:68: error: found "{now+1h}", which is not an expression [bad-template]
          fix: use one listed under Templates in Contracts/README.md, or write \\{now+1h} for plain text
        api/thing.json:5:68: error: found "{now-1h}", which is not an expression [bad-template]
          fix: use one listed under Templates in Contracts/README.md, or write \\{now-1h} for plain text
        api/thing.json:5:85: error: found "{form.user}", which is not an expression [bad-template]
          fix: use one listed under Templates in Contracts/README.md, or write \\{form.user} for plain text
        """#),
    .case(
      "an expression that is none in a damaged body",
      #""like": "ok", "template": ["body"], "malform": { "html": "<p>{Now}</p>" }"#,
      says: #"""
        api/thing.json:5:66: error: found "{Now}", which is not an expression [bad-template]
          fix: use one listed under Templates in Contracts/README.md, or write \\{Now} for plain text
        """#),
    .case(
      "expressions in state",
      #""like": "ok", "then": { "a": "{uuid}", "b": "{now+1h}", "c": "{plain}" }"#,
      says: #"""
        api/thing.json:5:38: error: found string "{uuid}", expected plain text: nothing is replaced in state [bad-template]
          fix: write the value itself, without braces
        api/thing.json:5:53: error: found string "{now+1h}", expected plain text: nothing is replaced in state [bad-template]
          fix: write the value itself, without braces
        """#),
    .case(
      "text that is no expression, by a backslash",
      #""status": 200, "template": ["body"], "body": "\\{now+1h} \\{uuid}""#,
      says: ""),
    .case(
      "an expression of a parameter that is none",
      #""status": 200, "template": ["headers"], "headers": { "Link": ["{path.ids}", "{path.id}"] }"#,
      says: #"""
        api/thing.json:5:71: error: found "{path.ids}", expected a parameter of the path [bad-template]
          fix: did you mean "id"?
        """#),
    .case(
      "an expression of an upstream that is none",
      #""status": 200, "template": ["body"], "text": "{server.othr.baseURL}""#,
      says: #"""
        api/thing.json:5:54: error: found "{server.othr.baseURL}", expected the name of an upstream [bad-template]
          fix: did you mean "other"?
        """#),
    .case(
      "like a case that is none",
      #""like": "okay""#,
      says: #"""
        api/thing.json:5:17: error: found like "okay", which is no case of this contract [unknown-case]
          fix: the cases are it, ok
        """#),
    .case(
      "like a case that resembles none",
      #""like": "perfect""#,
      says: #"""
        api/thing.json:5:17: error: found like "perfect", which is no case of this contract [unknown-case]
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
        api/thing.json:5:17: error: found "it" like itself [circular-like]
          fix: let one of them stand on its own
        """#),
    .cases(
      "a circle",
      #""a": { "like": "b" }, "b": { "like": "c" }, "c": { "like": "a" }"#,
      says: #"""
        api/thing.json:5:60: error: found "c" like "a", which leads back to "c" [circular-like]
          fix: let one of them stand on its own
        """#),
    .cases(
      "like a case that gives no answer",
      #""reset": { "fault": "CONNECTION_RESET_BY_PEER" }, "it": { "like": "reset" }"#,
      says: #"""
        api/thing.json:5:67: error: found like a case of CONNECTION_RESET_BY_PEER, which has no answer to take [bad-value]
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
        api/thing.json:5:1: error: found key "ok" a second time [duplicate-key]
          fix: remove one of the two, or rename it
        """#),
    .case(
      "a trigger that asks nothing",
      #""like": "ok", "when": {}"#,
      says: #"""
        api/thing.json:5:31: error: found a trigger that asks nothing, expected "request" or "state" [missing-key]
        """#),
    .case(
      "a trigger that is a string",
      #""like": "ok", "when": "full""#,
      says: #"""
        api/thing.json:5:31: error: found string "full", expected an object: a trigger [wrong-type]
        """#),
    .case(
      "a trigger on a parameter of another part",
      #""like": "ok", "when": { "request": { "cookie.a": "1" } }"#,
      says: #"""
        api/thing.json:5:46: error: found key "cookie.a", expected path.NAME, query.NAME or header.NAME [bad-name]
        """#),
    .case(
      "a trigger on a path parameter that is none",
      #""like": "ok", "when": { "request": { "path.name": "1" } }"#,
      says: #"""
        api/thing.json:5:59: error: found "path.name", which is in no path of this request [unknown-parameter]
          fix: add {name} to the path, or remove this
        """#),
    .cases(
      "two cases with one trigger",
      #"""
      "a": { "like": "ok", "when": { "request": { "query.a": "1" } } },
      "b": { "like": "ok", "when": { "request": { "query.a": "1" } } }
      """#,
      says: #"""
        api/thing.json:6:30: error: found a case that belongs to the same requests and state as "a", which comes first [unreachable]
          fix: change one "when", or remove it and choose the case by hand
        """#),
    .contract(
      "a trigger that contradicts the request",
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
        api/thing.json:5:61: error: found a condition that contradicts the request's own on "query.page" [unreachable]
          fix: the request asks for one of "1", "2"
        """#),
    .case(
      "state that is no string",
      #""like": "ok", "then": { "count": 1 }"#,
      says: #"""
        api/thing.json:5:42: error: found number 1, expected string [wrong-type]
          fix: state is made of strings; lists do not store items
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
        api/thing.json:5:31: warning: found state "list": "full", which no case or scenario sets [unset-state]
          fix: set it in a "then", or waive this when it is set by hand
        """#),
  ]
}
