extension Complaint {
  /// What can be wrong with `live`.
  static let liveCases: [Complaint] = [
    .case(
      "live with a misspelt key",
      #""like": "ok", "live": { "parameter": {} }"#,
      says: #"""
        api/thing.json:5:31: error: "ok" has the same live request, and neither takes precedence [ambiguous]
          fix: change a parameter: "live": { "parameters": { … } }
        api/thing.json:5:33: error: unknown key "parameter" in "live" [unknown-key]
          fix: did you mean "parameters"?
        """#),
    .case(
      "a parameter that is no string",
      #""like": "ok", "live": { "parameters": { "path.id": 2 } }"#,
      says: #"""
        api/thing.json:5:31: error: "ok" has the same live request, and neither takes precedence [ambiguous]
          fix: change a parameter: "live": { "parameters": { … } }
        api/thing.json:5:60: error: found number 2, expected string [wrong-type]
        """#),
    .case(
      "a parameter the request has not",
      #""status": 404, "live": { "parameters": { "path.ids": "2" } }"#,
      says: #"""
        api/thing.json:5:62: error: found "path.ids", expected a parameter of the request [unknown-parameter]
          fix: did you mean "path.id"?
        """#),
    .case(
      "a live case that is slow",
      #""like": "ok", "delay": { "fixed": "2s" }, "live": {}"#,
      says: #"""
        api/thing.json:5:59: error: this live case is slow, which cannot be requested from a live API [not-live]
          fix: remove "live"
        """#),
    .case(
      "a live case that is malformed",
      #""like": "ok", "malform": { "empty": true }, "live": {}"#,
      says: #"""
        api/thing.json:5:61: error: this live case is malformed, which cannot be requested from a live API [not-live]
          fix: remove "live"
        """#),
    .case(
      "a live case that is broken",
      #""fault": "EMPTY_RESPONSE", "live": {}"#,
      says: #"""
        api/thing.json:5:44: error: this live case is broken, which cannot be requested from a live API [not-live]
          fix: remove "live"
        """#),
    .cases(
      "a live case that depends on state",
      #"""
      "full": { "like": "ok", "then": { "list": "full" } },
      "it": { "like": "ok", "when": { "state": { "list": "full" } }, "live": {} }
      """#,
      says: #"""
        api/thing.json:6:72: error: this live case depends on state, which cannot be set on a live API [not-live]
          fix: remove "live"
        """#),
    .case(
      "two live cases that nothing tells apart",
      #""status": 404, "live": {}"#,
      says: #"""
        api/thing.json:5:32: error: "ok" has the same live request, and neither takes precedence [ambiguous]
          fix: change a parameter: "live": { "parameters": { … } }
        """#),
    .case(
      "a live case with the request and the status of another",
      #""status": 200, "live": {}"#,
      says: #"""
        api/thing.json:5:32: error: "ok" has the same live request, and neither takes precedence [ambiguous]
          fix: change a parameter: "live": { "parameters": { … } }
        """#),
    .cases(
      "a live case whose request belongs to another",
      #"""
      "none": { "status": 404, "when": { "request": { "path.id": "0" } } },
      "it": { "status": 410, "live": { "parameters": { "path.id": "0" } } }
      """#,
      says: #"""
        api/thing.json:6:32: error: this live request serves "none", because its "when" matches [not-live]
          fix: change a parameter, or the "when" of "none"
        """#),
    .case(
      "a latency without a unit",
      #""like": "ok", "live": { "parameters": { "path.id": "2" }, "latency": 2 }"#,
      says: #"""
        api/thing.json:5:78: error: found number 2, expected a duration with a unit: ms, s, m or h [delay-unit]
          fix: write "2ms" or "2s"
        """#),
    .case(
      "a latency with safety in words",
      #""like": "ok", "live": { "parameters": { "path.id": "2" }, "safe": "yes" }"#,
      says: #"""
        api/thing.json:5:75: error: found string "yes", expected true or false [wrong-type]
        """#),
    .case(
      "a live case whose own condition nothing meets",
      #""status": 404, "when": { "request": { "path.id": { "matches": "^x" } } }, "live": {}"#,
      says: #"""
        api/thing.json:5:91: error: "path.id" of the live request does not meet the conditions of this case [not-live]
          fix: give it a value in "live": { "parameters": { "path.id": … } }
        """#),
    .contract(
      "a live case that changes something",
      #"""
      {
      "request": { "method": "POST", "path": "/things" },
      "cases": {
      "ok": { "status": 200, "live": {} }
      }
      }
      """#,
      says: #"""
        api/thing.json:4:32: error: this live case sends POST, which could change data [not-live]
          fix: add "safe": true if it may be sent in every run, or remove "live"
        """#),
    .contract(
      "a live case without a value for the path",
      #"""
      {
      "request": { "method": "GET", "path": "/things/{id}" },
      "cases": {
      "ok": { "status": 200, "live": {} }
      }
      }
      """#,
      says: #"""
        api/thing.json:4:32: error: this live case has no value for "path.id", which its request needs [not-live]
          fix: give the parameter an "example", or "live": { "parameters": { "path.id": … } }
        """#),
    .contract(
      "a live case without a value for the query",
      #"""
      {
      "request": { "method": "GET", "path": "/things", "parameters": { "query.page": {} } },
      "cases": {
      "ok": { "status": 200, "live": {} }
      }
      }
      """#,
      says: #"""
        api/thing.json:4:32: error: this live case has no value for "query.page", which its request needs [not-live]
          fix: give the parameter an "example", or "live": { "parameters": { "query.page": … } }
        """#),
    .files(
      "a live case whose header is a secret",
      [
        "api/upstream.json": #"""
        { "baseURL": "https://api.example.com",
          "secrets": { "Authorization": "Bearer {UNDERSTUDY_API_TOKEN}" } }
        """#,
        "api/thing.json": #"""
        {
        "request": { "method": "GET", "path": "/things",
          "parameters": { "header.authorization": { "matches": "^Bearer " } } },
        "cases": {
        "ok": { "status": 200, "live": {} }
        }
        }
        """#,
      ], says: ""),
    .files(
      "a live case whose header is a secret that may be missing",
      [
        "api/upstream.json": #"""
        { "baseURL": "https://api.example.com",
          "secrets": { "X-Plan": { "value": "{UNDERSTUDY_API_PLAN}", "optional": true } } }
        """#,
        "api/thing.json": #"""
        {
        "request": { "method": "GET", "path": "/things", "parameters": { "header.X-Plan": {} } },
        "cases": {
        "ok": { "status": 200, "live": {} }
        }
        }
        """#,
      ],
      says: #"""
        api/thing.json:4:32: error: this live case has no value for "header.X-Plan", which its request needs [not-live]
          fix: give the parameter an "example", or "live": { "parameters": { "header.X-Plan": … } }
        """#),
    .contract(
      "a live case whose body nothing meets",
      #"""
      {
      "request": { "method": "POST", "path": "/things", "body": { "schema": { "type": "object" } } },
      "cases": {
      "ok": { "status": 200, "live": { "safe": true } }
      }
      }
      """#,
      says: #"""
        api/thing.json:4:32: error: "body" of the live request does not meet the conditions of this case [not-live]
          fix: give the body an "example"
        """#),
    .files(
      "a live case of an upstream without an address",
      [
        "api/upstream.json": "{}",
        "api/thing.json": #"""
        {
        "request": { "method": "GET", "path": "/things" },
        "cases": {
        "ok": { "status": 200, "live": {} }
        }
        }
        """#,
      ],
      says: #"""
        api/thing.json:4:32: error: this case is live, but api has no "baseURL" [not-live]
          fix: add it to upstream.json, or remove "live"
        """#),
  ]
}
