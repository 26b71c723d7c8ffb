extension Complaint {
  /// What can be wrong with callbacks.
  static let callbacks: [Complaint] = [
    .case(
      "callbacks that are an array",
      #""status": 200, "callbacks": []"#,
      says: #"""
        api/thing.json:5:37: error: found array with 0 elements, expected an object: callbacks by name [wrong-type]
        """#),
    .case(
      "callbacks without a member",
      #""status": 200, "callbacks": {}"#,
      says: #"""
        api/thing.json:5:37: error: found 0 callbacks, expected from 1 to 20 [bad-value]
          fix: remove "callbacks"
        """#),
    .case(
      "a callback with a bad name, and without a URL",
      #""status": 200, "callbacks": { "Paid": {} }"#,
      says: #"""
        api/thing.json:5:39: error: found callback "Paid", expected a name of lower-case letters, digits and dashes [bad-name]
        api/thing.json:5:47: error: missing "url" in a callback [missing-key]
          fix: add "url"
        """#),
    .case(
      "a callback with misspelt keys",
      #""status": 200, "callbacks": { "paid": { "url": "http://localhost/", "header": {}, "jsonBody": 1 } }"#,
      says: #"""
        api/thing.json:5:77: error: unknown key "header" in a callback [unknown-key]
          fix: did you mean "headers"?
        api/thing.json:5:91: error: unknown key "jsonBody" in a callback [unknown-key]
          fix: write "body"
        """#),
    .case(
      "a callback with two bodies, and one by GET",
      #""status": 200, "callbacks": { "a": { "url": "http://localhost/", "body": 1, "text": "" }, "b": { "method": "GET", "url": "http://[::1]/", "text": "a" } }"#,
      says: #"""
        api/thing.json:5:93: error: found "body" and "text" in a callback, expected at most one of "body", "text", "base64", "file" [conflicting-keys]
          fix: remove one of the two
        api/thing.json:5:155: error: a callback by GET cannot have a body [conflicting-keys]
          fix: remove the body, or use POST
        """#),
    .case(
      "a callback by a method in small letters",
      #""status": 200, "callbacks": { "a": { "url": "http://localhost/", "method": "post" } }"#,
      says: #"""
        api/thing.json:5:84: error: found method "post", expected one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS [bad-value]
          fix: write it in capitals: "POST"
        """#),
    .case(
      "a callback that expects too much, with a delay without a unit",
      #""status": 200, "callbacks": { "a": { "url": "http://localhost/", "expect": { "status": 700, "body": 1 }, "delay": { "fixed": 2 } } }"#,
      says: #"""
        api/thing.json:5:96: error: found 700, expected a status from 200 to 599 [bad-value]
        api/thing.json:5:101: error: unknown key "body" in what a callback expects [unknown-key]
          fix: the keys of what a callback expects are status
        api/thing.json:5:134: error: found number 2, expected a duration with a unit: ms, s, m or h [delay-unit]
          fix: write "2ms" or "2s"
        """#),
    .case(
      "callbacks that lead to hosts that nobody has declared",
      #""status": 200, "callbacks": { "a": { "url": "https://hooks.example.com/{body./id}" }, "b": { "url": "http://169.254.169.254/latest" } }"#,
      says: #"""
        api/thing.json:5:53: error: hooks.example.com is neither on this machine nor declared by api [undeclared-callback]
          fix: let the request name an address on this machine, or add "hooks.example.com" to "callbacks" in api/upstream.json
        api/thing.json:5:109: error: 169.254.169.254 is a link-local or unspecified address, where no callback is sent [undeclared-callback]
        """#),
    .case(
      "callbacks that lead nowhere",
      #""status": 200, "callbacks": { "a": { "url": "/paid" }, "b": { "url": "ftp://{body./host}/" } }"#,
      says: #"""
        api/thing.json:5:53: error: found "/paid", expected a URL, or one by a template [bad-value]
          fix: write it like "http://127.0.0.1:9000/paid" or "{body./callbackUrl}"
        api/thing.json:5:78: error: found "ftp://{body./host}/", expected a URL, or one by a template [bad-value]
          fix: write it like "http://127.0.0.1:9000/paid" or "{body./callbackUrl}"
        """#),
    .case(
      "templates of a callback that are none",
      #""status": 200, "callbacks": { "a": { "url": "{body.url}", "headers": { "X-A": "{path.nobody}" }, "body": ["{now +1q}"], "template": ["headers", "body"] } }"#,
      says: #"""
        api/thing.json:5:53: error: "{body.url}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{body.url} for plain text
        api/thing.json:5:87: error: found "{path.nobody}", expected a parameter of the path [bad-template]
          fix: its parameters are id
        api/thing.json:5:115: error: found "+1q" in "{now +1q}", expected a number and a unit: s, m, h, d, w, M or y [bad-template]
          fix: write it like "+1h" or "-3d", or write \\{now +1q} for plain text
        """#),
    .case(
      "a secret and a framed message in the headers of a callback",
      #""status": 200, "callbacks": { "a": { "url": "http://localhost/", "headers": { "Content-Length": "1", "Authorization": "Bearer 0123456789abcdef0123" } } }"#,
      says: #"""
        api/thing.json:5:87: error: the server sets header "Content-Length" itself [bad-value]
          fix: remove it
        api/thing.json:5:127: error: the value for Authorization in a file may be a secret [secret]
          fix: use an obviously invented one, such as "invented"
        api/thing.json:5:127: error: this looks like a secret, which no file should have [secret]
          fix: revoke it, and use an obviously invented value
        """#),
    .case(
      "callbacks of a case that breaks the handshake",
      #""fault": "TLS_EXPIRED", "callbacks": { "a": { "url": "http://localhost/" } }"#,
      says: #"""
        api/thing.json:5:46: error: "callbacks" has no effect beside TLS_EXPIRED, which comes before any request and response [conflicting-keys]
          fix: remove "callbacks"
        """#),
    .upstream(
      "callbacks to no host, or to one with a scheme",
      #"{ "callbacks": [] }"#,
      says: #"""
        api/upstream.json:1:16: error: no hosts, expected at least one [bad-value]
          fix: remove "callbacks" to send them to this machine only
        """#),
    .upstream(
      "callbacks to a URL",
      #"{ "callbacks": ["https://hooks.example.com"] }"#,
      says: #"""
        api/upstream.json:1:17: error: found host "https://hooks.example.com", expected a name such as api.example.com or localhost:8080 [bad-value]
        """#),
  ]
}
