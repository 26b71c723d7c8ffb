@testable import UnderstudyContractModel

/// Small files to be broken in one place. What is put in stands on lines of its own, so that the
/// positions in a complaint are easy to follow.
enum Sample {
  static let upstream = #"{ "baseURL": "https://api.example.com/v1" }"#

  static let consumers = #"""
    {
      "things.get": {
        "upstreams": ["api"],
        "arguments": { "id": "string", "count": "integer" },
        "errors": { "invalidData": null, "unexpectedStatus": "integer", "limited": "any" }
      },
      "other.get": { "upstreams": ["other"], "errors": {} }
    }
    """#

  static let thing = #"""
    {
      "request": { "method": "GET", "path": "/things" },
      "cases": { "ok": { "status": 200 } }
    }
    """#

  /// A folder with the upstreams `api` and `other`, and a thing in each.
  static let files = [
    "consumers.json": consumers, "api/upstream.json": upstream, "api/thing.json": thing,
    "other/upstream.json": "{}", "other/thing.json": thing,
  ]

  /// A contract with this request, on the second line.
  static func contract(request: String) -> String {
    """
    {
    "request": \(request),
    "cases": { "ok": { "status": 200 } }
    }
    """
  }

  /// A contract with a good case `ok` and these beside it, from the fifth line.
  static func contract(cases: String) -> String {
    """
    {
    "request": { "method": "GET", "path": "/things/{id}", "parameters": { "path.id": { "example": "1" } } },
    "cases": {
    "ok": { "status": 200, "body": { "a": 1 }, "schema": { "required": ["a"] }, "live": {}, "expect": { "things.get": { "value": 1 } } },
    \(cases)
    }
    }
    """
  }

  /// A contract with this among its members, from the fourth line.
  static func contract(member: String) -> String {
    """
    {
    "request": { "method": "GET", "path": "/things" },
    "cases": { "ok": { "status": 200 }, "gone": { "status": 410 } },
    \(member)
    }
    """
  }
}
