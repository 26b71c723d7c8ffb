import Foundation

/// Writes contracts, a hundred per upstream: realistic ones of some 2.5 KB with eight cases each, or
/// small ones of a single case.
struct Generator {
  enum Schemas: String {
    /// All contracts have the same.
    case equal
    /// Each contract has its own.
    case distinct
    /// The contracts are small, and have no schema.
    case none
  }

  let folder: URL
  let schemas: Schemas

  func write(_ count: Int) throws {
    try write(Self.consumers(upstreamCount: (count + 99) / 100), to: "consumers.json")
    for number in 0..<count {
      let upstream = "api-\(number / 100)"
      if schemas == .none {
        if number % 100 == 0 {
          try write("{ \"summary\": \"Made for ci/bench\" }", to: "\(upstream)/upstream.json")
        }
        try write(Self.smallContract(number), to: "\(upstream)/items-\(number).json")
        continue
      }
      if number % 100 == 0 {
        try write(
          "{ \"baseURL\": \"https://\(upstream).example.com/v1\", \"rate\": { \"concurrency\": 2 } }",
          to: "\(upstream)/upstream.json")
      }
      try write(contract(number), to: "\(upstream)/things-\(number).json")
    }
  }

  private func write(_ text: String, to name: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private static func consumers(upstreamCount: Int) -> String {
    let upstreams = (0..<upstreamCount).map { "\"api-\($0)\"" }.joined(separator: ", ")
    return """
      {
        "things.list": {
          "upstreams": [\(upstreams)],
          "arguments": { "group": "string" },
          "errors": { "connectivity": null, "invalidData": null, "unexpectedStatus": "integer" }
        }
      }
      """
  }

  private static func smallContract(_ number: Int) -> String {
    let thing = #"{ "id": 17, "name": "a thing", "price": 12.5, "tags": ["new", "red"] }"#
    return """
      { "request": { "method": "GET", "path": "/items/\(number)" },
        "cases": { "ok": { "status": 200,
          "headers": { "Content-Type": "application/json" },
          "body": [\(Array(repeating: thing, count: 5).joined(separator: ", "))] } } }
      """
  }

  private func contract(_ number: Int) -> String {
    """
    {
      "$schema": "../contract.schema.json",
      "summary": "Things of kind \(number), a page at a time",
      "request": {
        "method": "GET",
        "path": "/groups/{group}/things-\(number)",
        "also": ["/all/{group}/things-\(number)"],
        "parameters": {
          "path.group": { "example": "a-\(number)" },
          "query.page": { "optional": true, "matches": "^[0-9]+$" },
          "header.Accept": { "optional": true, "example": "application/json" }
        }
      },
      "cases": {
        "ok": {
          "status": 200,
          "headers": {
            "Content-Type": "application/json; charset=utf-8",
            "Link": "<{server.baseURL}/groups/{path.group}/things-\(number)?page=2>; rel=\\"next\\""
          },
          "template": ["headers"],
          "body": [
            { "id": \(number), "name": "thing-\(number)", "private": false, "owner": { "login": "apple", "id": 1 },
              "url": "https://example.com/things/\(number){/other}", "topics": ["a", "b"], "score": 1.5 },
            { "id": \(number + 1), "name": "thing-\(number + 1)", "private": true, "owner": { "login": "swift", "id": 2 },
              "url": "https://example.com/things/\(number + 1)", "topics": [], "score": 0 }
          ],
          "schema": {
            "type": "array", "title": "Things\(schemas == .distinct ? " of kind \(number)" : "")",
            "items": {
              "type": "object",
              "required": ["id", "name", "owner"],
              "properties": {
                "id": { "type": "integer" }, "name": { "type": "string", "minLength": 1 },
                "private": { "type": "boolean" }, "score": { "type": "number" },
                "owner": { "type": "object", "properties": { "login": { "type": "string" } } },
                "topics": { "type": "array", "items": { "type": "string" } }
              }
            }
          },
          "live": {},
          "expect": {
            "things.list": { "arguments": { "group": "apple" }, "value": ["thing-\(number)", "thing-\(number + 1)"] }
          }
        },
        "empty": { "like": "ok", "body": [], "expect": { "things.list": { "value": [] } } },
        "page-2": { "like": "ok", "when": { "request": { "query.page": "2" } } },
        "not-found": {
          "status": 404,
          "body": { "message": "Not Found" },
          "live": { "parameters": { "path.group": "no-such-group" } },
          "expect": { "things.list": { "error": { "unexpectedStatus": 404 } } }
        },
        "cut-short": {
          "like": "ok", "malform": { "truncateAt": 17 },
          "expect": { "things.list": { "error": "invalidData" } }
        },
        "wrong-type": {
          "like": "ok", "malform": { "set": { "/0/name": 7 } },
          "expect": { "things.list": { "error": "invalidData" } }
        },
        "slow": { "like": "ok", "delay": { "fixed": "2s" }, "expect": { "things.list": { "like": "ok" } } },
        "reset": {
          "fault": "CONNECTION_RESET_BY_PEER",
          "expect": { "things.list": { "error": "connectivity", "transport": "reset", "curl": [56] } }
        }
      },
      "scripts": { "fails-twice": ["reset", "cut-short", "ok"] }
    }
    """
  }
}
