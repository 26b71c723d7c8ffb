/// One contract that uses every key of the contract format, and the files around it.
enum CompleteContract {
  static let contract = #"""
    {
      "$schema": "../contract.schema.json",
      "summary": "Repositories",
      "request": {
        "method": "POST", "path": "/orgs/{org}/repos", "also": ["/organizations/{id}/repos"],
        "parameters": {
          "path.org": { "example": "apple" },
          "query.page": { "matches": "^[0-9]+$", "optional": true },
          "query.sort": { "oneOf": ["name", "age"], "example": "age" },
          "query.debug": { "absent": true },
          "header.Accept": "application/json",
          "header.X-Kind": { "equals": "all" }
        },
        "body": {
          "contains": { "a": 1 }, "schema": { "type": "object" }, "matches": "a",
          "example": { "a": 1, "b": 2 }
        }
      },
      "default": "ok",
      "cases": {
        "empty": { "summary": "None", "status": 200, "body": [], "when": { "state": { "list": "manual" } } },
        "ok": {
          "status": 200,
          "headers": { "Content-Type": "application/json", "Link": "<{server.baseURL}/2>", "X-A": ["1", "2"] },
          "template": ["headers", "body"],
          "body": [{ "name": "{path.org}", "id": 1.0 }],
          "schema": { "type": "array", "items": { "required": ["name"] } },
          "live": { "parameters": { "path.org": "swift" }, "latency": "1.5s", "safe": true },
          "expect": {
            "repos.list": {
              "arguments": { "org": "apple" }, "value": ["apple"], "requests": 2,
              "with": { "create": "made", "images/picture": "made" }
            }
          }
        },
        "full": {
          "like": "ok", "when": { "request": { "query.page": "2", "body": { "equals": { "a": 1 } } }, "state": { "list": "full" } },
          "then": { "list": "none" }
        },
        "other": {
          "like": "ok", "status": 203, "headers": { "link": null, "x-a": "3", "X-B": "b" }, "template": [],
          "body": [], "version": "1.0", "framing": "close", "encoding": "gzip",
          "expect": { "repos.list": { "like": "too-slow", "timeout": "250ms" } }
        },
        "text": { "like": "other", "text": "é", "framing": "chunked" },
        "bytes": { "status": 200, "base64": "AP8=", "ranges": false, "etag": true },
        "stream": {
          "status": 200, "fault": { "name": "CONNECTION_RESET_IN_BODY", "atEvent": 1 },
          "events": [
            { "event": "a", "id": "1", "data": { "b": 1.0 }, "retry": "3s" },
            { "data": "c\r\nd", "after": "200ms" }
          ]
        },
        "streaming": { "like": "stream", "stall": { "atEvent": 2 } },
        "file": { "status": 200, "file": "files/a.bin" },
        "cut": { "like": "ok", "malform": { "truncateAt": 3 }, "then": { "list": "full" } },
        "slow": { "like": "ok", "delay": { "fixed": "2s" }, "pace": { "chunks": 5, "over": "1m" } },
        "too-slow": {
          "like": "slow", "delay": { "uniform": ["1s", "3s"] }, "pace": { "bytesPerSecond": 10 },
          "expect": {
            "repos.list": { "error": { "unexpectedStatus": 404 }, "transport": "timedOut", "curl": [28, 7] }
          }
        },
        "stalled": {
          "like": "ok", "delay": { "lognormal": { "median": "200ms", "sigma": 0.4, "max": "1h" } },
          "stall": { "atByte": 5 }
        },
        "not-found": {
          "status": 404, "stall": "afterHead",
          "expect": {
            "repos-cli": {
              "exitCode": 3, "stdout": "", "timeout": "1m",
              "stderr": { "equals": "no such thing", "contains": "such", "matches": "^no" }
            }
          }
        },
        "reset": { "fault": "CONNECTION_RESET_BY_PEER", "delay": { "fixed": "1ms" } },
        "calling": {
          "status": 202,
          "callbacks": {
            "made": {
              "summary": "When it is made", "method": "PUT", "url": "{body./url}/{path.org}",
              "headers": { "X-A": ["1", "{uuid}"] }, "template": ["headers", "body"],
              "body": { "state": "{state.list}" }, "delay": { "uniform": ["1s", "2s"] },
              "expect": { "status": 204 }
            },
            "told": { "url": "https://hooks.example.com:8443/", "file": "files/a.bin" },
            "called": { "method": "GET", "url": "http://localhost" }
          }
        }
      },
      "scripts": { "twice": ["reset", "cut", "ok"] },
      "waive": { "unset-state": "set by hand" }
    }
    """#

  static let upstream = #"""
    {
      "$schema": "../upstream.schema.json", "summary": "Repos", "baseURL": "https://API.example.com:8080/v3/",
      "hosts": ["API.example.com"], "callbacks": ["Hooks.example.com"], "headers": { "Accept": "json" },
      "secrets": {
        "Authorization": "Bearer {UNDERSTUDY_GIT_TOKEN}",
        "X-Api-Key": { "value": "{UNDERSTUDY_GIT_KEY_2}", "optional": true }
      },
      "rate": { "requests": 60, "per": "1h", "concurrency": 2 },
      "failedPercent": 20, "owner": "me", "retired": "gone",
      "scenarios": {
        "begin": {
          "summary": "From nothing", "state": { "list": "none" },
          "scripts": { "list": ["empty", "ok"], "create": ["made"] },
          "mode": "live", "modes": { "list": "fake", "create": "off" }
        }
      },
      \#(waivers)
    }
    """#

  static let images = "{ \(waivers) }"

  private static let waivers =
    #""waive": { "no-404-case": "a", "no-slow-case": "a", "no-broken-case": "a" }"#

  static let create = #"""
    { "request": { "method": "PUT", "path": "/" }, "cases": { "made": { "status": 201 } } }
    """#

  static let consumers = #"""
    {
      "repos.list": {
        "summary": "Lists", "upstreams": ["git"], "in": "repos-tool", "arguments": { "org": "string" },
        "errors": { "unexpectedStatus": "integer", "invalidData": null }
      },
      "repos-cli": { "summary": "Prints them", "upstreams": ["git"], "command": ["true"] }
    }
    """#
}
