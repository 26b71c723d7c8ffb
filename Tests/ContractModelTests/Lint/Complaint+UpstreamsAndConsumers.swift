extension Complaint {
  /// What can be wrong with upstreams, consumers and files.
  static let upstreamsAndConsumers: [Complaint] = [
    .upstream(
      "a misspelt key",
      #"{ "baseUrl": "https://api.example.com" }"#,
      says: #"""
        api/upstream.json:1:3: error: unknown key "baseUrl" in an upstream [unknown-key]
          fix: did you mean "baseURL"?
        """#),
    .upstream(
      "a newer format",
      #"{ "summary": "Things", "format": 2 }"#,
      says: #"""
        api/upstream.json:1:34: error: found number 2, expected 1, the version of the format [bad-value]
          fix: update understudy: these contracts are for a newer version
        """#),
    .upstream(
      "a format that is not a number",
      #"{ "summary": "Things", "format": "1" }"#,
      says: #"""
        api/upstream.json:1:34: error: found string "1", expected 1, the version of the format [wrong-type]
        """#),
    .upstream(
      "an address without a scheme",
      #"{ "baseURL": "api.example.com" }"#,
      says: #"""
        api/upstream.json:1:14: error: found "api.example.com", expected a URL such as https://example.com/api [bad-value]
          fix: write "https://api.example.com"
        """#),
    .upstream(
      "an address with a query",
      #"{ "baseURL": "https://api.example.com/?a=1" }"#,
      says: #"""
        api/upstream.json:1:14: error: found "https://api.example.com/?a=1", expected a URL such as https://example.com/api [bad-value]
          fix: leave out user, query and fragment
        """#),
    .upstream(
      "an address of another kind",
      #"{ "baseURL": "ftp://api.example.com" }"#,
      says: #"""
        api/upstream.json:1:14: error: found "ftp://api.example.com", expected a URL such as https://example.com/api [bad-value]
          fix: begin it with https:// or http://
        """#),
    .upstream(
      "an address whose bracket is never closed",
      #"{ "baseURL": "http://[::1" }"#,
      says: #"""
        api/upstream.json:1:14: error: found "http://[::1", expected a URL such as https://example.com/api [bad-value]
        """#),
    .upstream(
      "a host alone",
      #"{ "hosts": "api.example.com" }"#,
      says: #"""
        api/upstream.json:1:12: error: found string "api.example.com", expected an array of strings [wrong-type]
          fix: put it in brackets: ["api.example.com"]
        """#),
    .upstream(
      "a header that is a number",
      #"{ "headers": { "X-Version": 3 } }"#,
      says: #"""
        api/upstream.json:1:29: error: found number 3, expected string [wrong-type]
        """#),
    .upstream(
      "a credential among the headers",
      #"{ "headers": { "Authorization": "Basic dGVzdA==" } }"#,
      says: #"""
        api/upstream.json:1:33: error: found a value for Authorization in a file, expected it to come from the environment [secret]
          fix: move it to "secrets": { "Authorization": "{UNDERSTUDY_API_TOKEN}" }
        """#),
    .upstream(
      "a secret without a variable",
      #"{ "secrets": { "Authorization": "Bearer abc" } }"#,
      says: #"""
        api/upstream.json:1:33: error: found a secret without a variable {UNDERSTUDY_…}, expected its value in the environment [secret]
          fix: write "Bearer {UNDERSTUDY_API_TOKEN}" and set UNDERSTUDY_API_TOKEN where drift runs
        """#),
    .upstream(
      "a secret from a variable of others",
      #"{ "secrets": { "Authorization": "Bearer {GITHUB_TOKEN}" } }"#,
      says: #"""
        api/upstream.json:1:33: error: found a secret without a variable {UNDERSTUDY_…}, expected its value in the environment [secret]
          fix: write "Bearer {UNDERSTUDY_API_TOKEN}" and set UNDERSTUDY_API_TOKEN where drift runs
        """#),
    .upstream(
      "a secret from a variable of the tool",
      #"{ "secrets": { "Authorization": "Bearer {UNDERSTUDY_ADMIN_TOKEN}" } }"#,
      says: #"""
        api/upstream.json:1:33: error: found {UNDERSTUDY_ADMIN_TOKEN}, which belongs to the tool itself, expected a variable of api: {UNDERSTUDY_API_…} [secret]
          fix: name another one, such as {UNDERSTUDY_API_TOKEN}
        """#),
    .upstream(
      "a secret from a variable of no upstream",
      #"{ "secrets": { "Authorization": "Bearer {UNDERSTUDY_TOKEN}" } }"#,
      says: #"""
        api/upstream.json:1:33: error: found {UNDERSTUDY_TOKEN}, expected a variable of api: {UNDERSTUDY_API_…} [secret]
          fix: name another one, such as {UNDERSTUDY_API_TOKEN}
        """#),
    .upstream(
      "a secret without a value",
      #"{ "secrets": { "Authorization": { "optional": true } } }"#,
      says: #"""
        api/upstream.json:1:33: error: missing "value" in a secret [missing-key]
          fix: add "value"
        """#),
    .upstream(
      "a secret that is a number",
      #"{ "secrets": { "Authorization": 1 } }"#,
      says: #"""
        api/upstream.json:1:33: error: found number 1, expected an object: a secret [wrong-type]
        """#),
    .upstream(
      "a rate without a period",
      #"{ "rate": { "requests": 60 } }"#,
      says: #"""
        api/upstream.json:1:25: error: found one of "requests" and "per", expected both or neither [missing-key]
          fix: write { "requests": 60, "per": "1h" }
        """#),
    .upstream(
      "a period without a unit",
      #"{ "rate": { "requests": 60, "per": "1" } }"#,
      says: #"""
        api/upstream.json:1:36: error: found string "1", expected a duration with a unit: ms, s, m or h [delay-unit]
          fix: write "1ms" or "1s"
        """#),
    .upstream(
      "a rate of nothing",
      #"{ "rate": { "requests": 0, "per": "1h", "concurrency": 0 } }"#,
      says: #"""
        api/upstream.json:1:25: error: found 0, expected a number of requests from 1 [bad-value]
        api/upstream.json:1:56: error: found 0, expected a number from 1 to 1000 [bad-value]
        """#),
    .upstream(
      "a scenario without scripts",
      #"{ "scenarios": { "begin": {} } }"#,
      says: #"""
        api/upstream.json:1:27: error: missing "scripts" in a scenario [missing-key]
          fix: add "scripts"
        """#),
    .upstream(
      "a scenario of a contract that is none",
      #"{ "scenarios": { "begin": { "scripts": { "thin": ["ok"] } } } }"#,
      says: #"""
        api/upstream.json:1:42: error: "thin" is not a contract of api [unknown-endpoint]
          fix: did you mean "thing"?
        """#),
    .upstream(
      "a scenario of a case that is none",
      #"{ "scenarios": { "begin": { "scripts": { "thing": ["okay"] } } } }"#,
      says: #"""
        api/upstream.json:1:52: error: "okay" is not a case of this contract [unknown-case]
          fix: did you mean "ok"?
        """#),
    .upstream(
      "a scenario of modes that are none",
      #"{ "scenarios": { "begin": { "mode": "of", "modes": { "thing": 1, "thin": "off" } } } }"#,
      says: #"""
        api/upstream.json:1:37: error: found mode "of", expected "fake", "live" or "off" [bad-value]
          fix: did you mean "off"?
        api/upstream.json:1:63: error: found number 1, expected "fake", "live" or "off" [wrong-type]
        api/upstream.json:1:66: error: "thin" is not a contract of api [unknown-endpoint]
          fix: did you mean "thing"?
        """#),
    .upstream(
      "a live mode without a live API",
      #"{ "scenarios": { "begin": { "modes": { "thing": "live" } } } }"#,
      says: #"""
        api/upstream.json:1:49: error: mode "live" needs a live API: api has no "baseURL" [bad-value]
          fix: add "baseURL", or choose "fake" or "off"
        """#),
    .upstream(
      "a scenario with a bad name",
      #"{ "scenarios": { "Begin!": { "scripts": { "thing": ["ok"] } } } }"#,
      says: #"""
        api/upstream.json:1:18: error: found scenario "Begin!", expected a name of lower-case letters, digits and dashes [bad-name]
        """#),
    .upstream(
      "an array",
      "[]",
      says: #"""
        api/upstream.json:1:1: error: found array with 0 elements, expected an object: an upstream [wrong-type]
        """#),
    .upstream(
      "text that is no JSON",
      "{",
      says: #"""
        api/upstream.json:1:2: error: found the end of the text, expected a key or "}" for the object opened at 1:1 [invalid-json]
          fix: add "}"
        """#),
    .consumers(
      "a consumer without anything",
      #"{ "things.get": {} }"#,
      says: #"""
        consumers.json:1:17: error: missing "errors" in a consumer [missing-key]
          fix: add "errors"
        consumers.json:1:17: error: missing "upstreams" in a consumer [missing-key]
          fix: add "upstreams"
        """#),
    .consumers(
      "a consumer with a misspelt key",
      #"{ "things.get": { "upstreams": ["api"], "errors": {}, "argument": {} } }"#,
      says: #"""
        consumers.json:1:55: error: unknown key "argument" in a consumer [unknown-key]
          fix: did you mean "arguments"?
        """#),
    .consumers(
      "a consumer with a bad name",
      #"{ "get things": { "upstreams": ["api"], "errors": {} } }"#,
      says: #"""
        consumers.json:1:3: error: found consumer "get things", expected a name such as "repos.list" [bad-name]
        """#),
    .consumers(
      "a consumer of an upstream that is none",
      #"{ "things.get": { "upstreams": ["api", "apo"], "errors": {} } }"#,
      says: #"""
        consumers.json:1:40: error: upstream "apo" does not exist [unknown-endpoint]
          fix: did you mean "api"?
        """#),
    .consumers(
      "an argument of a type nobody knows",
      #"{ "things.get": { "upstreams": ["api"], "errors": {}, "arguments": { "id": "text" } } }"#,
      says: #"""
        consumers.json:1:76: error: found string "text", expected one of "string", "integer", "number", "boolean", "array", "object", "any" [bad-value]
        """#),
    .consumers(
      "an argument without a type",
      #"{ "things.get": { "upstreams": ["api"], "errors": {}, "arguments": { "id": null } } }"#,
      says: #"""
        consumers.json:1:76: error: found null, expected one of "string", "integer", "number", "boolean", "array", "object", "any" [wrong-type]
        """#),
    .consumers(
      "a payload of a type nobody knows",
      #"{ "things.get": { "upstreams": ["api"], "errors": { "status": "int" } } }"#,
      says: #"""
        consumers.json:1:63: error: found string "int", expected one of "string", "integer", "number", "boolean", "array", "object", "any", or null for none [bad-value]
          fix: did you mean "integer"?
        """#),
    .files(
      "a contract beside the upstreams",
      [
        "thing.json": "{}"
      ],
      says: #"""
        thing.json: error: found a file beside the upstreams, expected only consumers.json and folders [unexpected-file]
          fix: move it to <upstream>/thing.json
        """#),
    .files(
      "contracts without an upstream.json",
      [
        "new/thing.json": Sample.thing
      ],
      says: #"""
        new/upstream.json: error: contracts without an upstream.json beside them [unreadable-file]
          fix: write new/upstream.json: { "summary": "…", "baseURL": "https://…" }
        """#),
    .files(
      "an upstream without a contract",
      [
        "new/upstream.json": "{}"
      ],
      says: #"""
        new/upstream.json: warning: this upstream has no contract [no-contract]
          fix: add new/<endpoint>.json
        """#),
    .files(
      "an upstream with a bad name",
      [
        "New API/upstream.json": "{}",
        "New API/thing.json": Sample.thing,
      ],
      says: #"""
        New API/upstream.json: error: found upstream "New API", expected a name of lower-case letters, digits and dashes [bad-name]
        """#),
    .files(
      "expectations without a consumers.json",
      [
        "consumers.json": "{}",
        "api/thing.json": #"""
        {
        "request": { "method": "GET", "path": "/things" },
        "cases": {
        "ok": { "status": 200, "expect": { "things.get": { "value": 1 } } }
        }
        }
        """#,
      ],
      says: #"""
        api/thing.json:4:50: error: consumer "things.get" is not declared in consumers.json [unknown-consumer]
          fix: write a consumers.json that declares it
        """#),
    .files(
      "two upstreams for one host",
      [
        "other/upstream.json": #"{ "baseURL": "https://api.example.com/v1/" }"#
      ],
      says: #"""
        other/upstream.json: error: api already uses host "api.example.com/v1" [ambiguous]
          fix: give one of them its own "hosts"
        """#),
  ]
}
