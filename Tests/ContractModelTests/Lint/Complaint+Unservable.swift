extension Complaint {
  /// What no server could serve and no client could send.
  static let unservable: [Complaint] = [
    .case(
      "a body where there can be none",
      #""status": 204, "text": "gone""#,
      says: #"""
        api/thing.json:5:19: error: a response of status 204 cannot have a body [bad-value]
          fix: remove the body, or choose another status
        """#),
    .case(
      "a body taken to where there can be none",
      #""like": "ok", "status": 304"#,
      says: #"""
        api/thing.json:5:33: error: a response of status 304 cannot have a body [bad-value]
          fix: remove the body, or choose another status
        """#),
    .case(
      "a malformed body where there can be none",
      #""status": 204, "malform": { "html": "<html>" }"#,
      says: #"""
        api/thing.json:5:19: error: a response of status 204 cannot have a body [bad-value]
          fix: remove the body, or choose another status
        """#),
    .case(
      "a wrong length where there is none",
      #""status": 204, "malform": { "contentLength": 5 }"#,
      says: #"""
        api/thing.json:5:54: error: the response has no length that could be wrong [not-malformed]
          fix: use a status whose responses have a body
        """#),
    .case(
      "a response that is none yet",
      #""status": 100"#,
      says: #"""
        api/thing.json:5:19: error: found 100, expected a status from 200 to 599 [bad-value]
        """#),
    .case(
      "a content type of two lines",
      #""like": "ok", "malform": { "contentType": "text/plain\r\nX-A: 1" }"#,
      says: #"""
        api/thing.json:5:51: error: the header's value has a control character [bad-value]
        """#),
    .case(
      "an early end that nobody can tell",
      #""like": "ok", "framing": "close", "fault": "CONNECTION_CLOSED_IN_BODY""#,
      says: #"""
        api/thing.json:5:34: error: the response has no length, so its early end goes unnoticed [bad-value]
          fix: use "length" or "chunked"
        """#),
    .case(
      "half of a body that is empty",
      #""status": 200, "fault": "CONNECTION_CLOSED_IN_BODY""#,
      says: #"""
        api/thing.json:5:33: error: CONNECTION_CLOSED_IN_BODY breaks nothing: the response has no body [bad-value]
          fix: add a body, or use "framing": "chunked"
        """#),
    .case(
      "an empty body whose last chunk is missing",
      #""status": 200, "framing": "chunked", "fault": "CONNECTION_CLOSED_IN_BODY""#, says: ""),
    .case(
      "half of an empty body that is compressed",
      #""status": 200, "encoding": "gzip", "fault": "CONNECTION_CLOSED_IN_BODY""#, says: ""),
    .case(
      "half of an empty body with another length",
      #""status": 200, "malform": { "contentLength": 5 }, "fault": "CONNECTION_RESET_IN_BODY""#,
      says: ""),
    .case(
      "half of a body that there cannot be",
      #""status": 204, "fault": "CONNECTION_RESET_IN_BODY""#,
      says: #"""
        api/thing.json:5:33: error: CONNECTION_RESET_IN_BODY breaks nothing: a response of status 204 has no body [bad-value]
          fix: choose another status
        """#),
    .contract(
      "half of a body that is not sent",
      #"""
      { "request": { "method": "HEAD", "path": "/things" },
        "cases": {
          "cut": { "status": 200, "text": "a text", "fault": "CONNECTION_RESET_IN_BODY" } } }
      """#,
      says: #"""
        api/thing.json:3:56: error: CONNECTION_RESET_IN_BODY breaks nothing: a response to HEAD has no body [bad-value]
          fix: choose another fault, such as CONNECTION_RESET_BY_PEER
        """#),
    .case(
      "a malformed chunk where there are none",
      #""like": "ok", "version": "1.0", "fault": "MALFORMED_RESPONSE_CHUNK""#,
      says: #"""
        api/thing.json:5:50: error: MALFORMED_RESPONSE_CHUNK breaks nothing: HTTP/1.0 has no chunks [bad-value]
          fix: remove "version"
        """#),
    .case(
      "a delay of no time",
      #""like": "ok", "delay": { "fixed": "0s" }"#,
      says: #"""
        api/thing.json:5:43: error: the delay is zero [bad-value]
          fix: choose a longer one, or remove it
        """#),
    .case(
      "a range of delays of no time",
      #""like": "ok", "delay": { "uniform": ["0s", "0ms"] }"#,
      says: #"""
        api/thing.json:5:45: error: the delay is zero [bad-value]
          fix: choose a longer one, or remove it
        """#),
    .case(
      "a value without quotes within a text",
      #""status": 200, "template": ["body"], "body": { "a": "{path.id as json}", "b": "no. {path.id as json}" }"#,
      says: #"""
        api/thing.json:5:87: error: found "as json" inside a longer text, expected it as a whole string of "body" [bad-template]
          fix: remove " as json"
        """#),
    .case(
      "a value without quotes in what is no JSON",
      #""status": 200, "template": ["body"], "text": "{uuid as json}""#,
      says: #"""
        api/thing.json:5:54: error: found "as json" inside a longer text, expected it as a whole string of "body" [bad-template]
          fix: remove " as json"
        """#),
    .case(
      "a random number below zero",
      #""status": 200, "template": ["body"], "text": "{random.-5-6} {random.+1-2} {random.1-6}""#,
      says: #"""
        api/thing.json:5:54: error: "{random.+1-2}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{random.+1-2} for plain text
        api/thing.json:5:54: error: "{random.-5-6}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{random.-5-6} for plain text
        """#),
    .cases(
      "templates made of what another case writes",
      #"""
      "plain": { "status": 200, "headers": { "X-A": "{path.}" }, "body": { "a": "{now.utc}" } },
      "filled": { "like": "plain", "template": ["headers", "body"] },
      "again": { "like": "filled", "template": ["body"] },
      "own": { "like": "plain", "template": ["body"], "text": "{uuid}" }
      """#,
      says: #"""
        api/thing.json:6:42: error: "{path.}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{path.} for plain text
        api/thing.json:6:42: error: found ".utc" in "{now.utc}", expected .http, .unix, .unixMilliseconds [bad-template]
          fix: remove ".utc" for a date as in RFC 3339, or write \\{now.utc} for plain text
        """#),
    .request(
      "a header's name with a space",
      #"{ "method": "GET", "path": "/a", "parameters": { "header.bad name": {} } }"#,
      says: #"""
        api/thing.json:2:61: error: found header "bad name", expected a name of letters, digits and dashes [bad-name]
        """#),
    .request(
      "a path with a line in it",
      #"{ "method": "GET", "path": "/a\n" }"#,
      says: #"""
        api/thing.json:2:39: error: a control character in a path, expected none [bad-path]
          fix: remove it
        """#),
    .request(
      "a path with an encoded NUL",
      #"{ "method": "GET", "path": "/a%00" }"#,
      says: #"""
        api/thing.json:2:39: error: found segment "a%00" in path "/a%00", expected no control character [bad-path]
          fix: remove it
        """#),
    .request(
      "a path that goes up",
      #"{ "method": "GET", "path": "/a/%2E./b" }"#,
      says: #"""
        api/thing.json:2:39: error: clients resolve segment "%2E." in path "/a/%2E./b" themselves [bad-path]
          fix: write the resolved path
        """#),
    .upstream(
      "headers that cannot be sent",
      #"{ "headers": { "bad name": "a", "X-A": "a\nb" }, "secrets": { "x y": "{UNDERSTUDY_API_A}" } }"#,
      says: #"""
        api/upstream.json:1:16: error: found header "bad name", expected a name of letters, digits and dashes [bad-name]
        api/upstream.json:1:40: error: the header's value has a control character [bad-value]
        api/upstream.json:1:63: error: found header "x y", expected a name of letters, digits and dashes [bad-name]
        """#),
    .upstream(
      "no hosts",
      #"{ "hosts": [] }"#,
      says: #"""
        api/upstream.json:1:12: error: no hosts, expected at least one [bad-value]
          fix: remove "hosts" to use the host of "baseURL"
        """#),
    .upstream(
      "hosts that are none",
      #"{ "hosts": ["a b", "", "a:0", "localhost:8080"] }"#,
      says: #"""
        api/upstream.json:1:13: error: found host "a b", expected a name such as api.example.com or localhost:8080 [bad-value]
        api/upstream.json:1:20: error: found host "", expected a name such as api.example.com or localhost:8080 [bad-value]
        api/upstream.json:1:24: error: found host "a:0", expected a name such as api.example.com or localhost:8080 [bad-value]
        """#),
  ]
}
