import Testing
import UnderstudyContractModel
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// State whose names and values come from requests.
@Suite struct MemoryTests {
  private static let files = [
    "shop/upstream.json": #"{ "summary": "A shop" }"#,
    "list/upstream.json": #"""
    { "summary": "What is kept", "state": { "item.z": { "n": 1 }, "other": "x", "item.y": "two" } }
    """#,
    "list/items.json": #"""
    { "request": { "method": "GET", "path": "/items" },
      "cases": { "ok": { "status": 200, "template": ["body"], "body": "{state.item.* as json}" } } }
    """#,
    "list/of.json": #"""
    { "request": { "method": "GET", "path": "/of/{start}" },
      "cases": {
        "ok": { "status": 200, "template": ["body"], "text": "<{state.{path.start}.*}|{state.{path.start}}>" } } }
    """#,
    "list/item.json": #"""
    { "request": { "method": "PUT", "path": "/items/{id}" },
      "cases": { "ok": { "status": 204, "then": { "item.{path.id}": "{body}" } } } }
    """#,
    "shop/add.json": #"""
    { "request": { "method": "POST", "path": "/things" },
      "cases": {
        "added": { "status": 201, "template": ["headers", "body"],
          "headers": { "Location": "{server.baseURL}/things/{body./id}" },
          "then": { "thing.{body./id}": "{body}", "last": "{body./id}" },
          "body": { "last": "{state.last}" } } } }
    """#,
    "shop/make.json": #"""
    { "request": { "method": "POST", "path": "/made" },
      "cases": {
        "made": { "status": 201, "template": ["body"],
          "then": { "thing.{uuid}": "number {counter}", "thing.n{counter}": "{random.7-7}" },
          "body": { "id": "{uuid}", "number": "{counter as json}" } } } }
    """#,
    "shop/thing.json": #"""
    { "request": { "method": "GET", "path": "/things/{id}" }, "default": "missing",
      "cases": {
        "found": { "status": 200, "template": ["body"], "body": "{state.thing.{path.id} as json}",
          "when": { "state": { "thing.{path.id}": { "absent": false } } } },
        "missing": { "status": 404 } } }
    """#,
    "shop/text.json": #"""
    { "request": { "method": "GET", "path": "/texts/{id}" },
      "cases": { "ok": { "status": 200, "template": ["body"], "text": "<{state.thing.{path.id}}>" } } }
    """#,
    "shop/remove.json": #"""
    { "request": { "method": "DELETE", "path": "/things/{id}" }, "default": "missing",
      "cases": {
        "removed": { "status": 200, "template": ["body"], "text": "{state.thing.{path.id}}",
          "when": { "state": { "thing.{path.id}": { "matches": "." } } },
          "then": { "thing.{path.id}": null } },
        "missing": { "status": 404, "when": { "state": { "thing.{path.id}": null } } },
        "never": { "status": 500 } } }
    """#,
  ]

  @Test("what is created is found and no other, and is gone when removed")
  func items() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      let client = try server.client()
      #expect(try client.exchange("GET /shop/things/7").status == 404)
      for (id, last) in [("7", ""), ("a b", "7")] {
        let body = #"{ "id": "\#(id)", "tags": [1, { "b": null }] }"#
        let response = try client.exchange("POST /shop/things", body: body)
        #expect(response.status == 201)
        #expect(response.text == #"{"last":"\#(last)"}"#, "state as the request found it")
      }
      #expect(
        try client.exchange("GET /shop/things/7").text == #"{"id":"7","tags":[1,{"b":null}]}"#)
      #expect(try client.exchange("GET /shop/things/a%20b").status == 200)
      #expect(
        try client.exchange("GET /shop/texts/7").text == #"<{"id":"7","tags":[1,{"b":null}]}>"#)
      #expect(try client.exchange("GET /shop/things/a").status == 404)
      #expect(try client.exchange("GET /~other/shop/things/7").status == 404)
      #expect(try client.exchange("DELETE /shop/things/7").text.contains(#""id":"7""#))
      #expect(try client.exchange("DELETE /shop/things/7").status == 404)
      #expect(try client.exchange("GET /shop/things/7").status == 404)
      #expect(try client.exchange("GET /shop/things/a%20b").status == 200)
      #expect(try server.admin("DELETE", "/state").status == 204)
      #expect(try client.exchange("GET /shop/things/a%20b").status == 404)
    }
  }

  @Test("a list has all names of one beginning, in the order in which they were first set")
  func lists() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      let client = try server.client()
      func items() throws -> String { try client.exchange("GET /list/items").text }
      #expect(try items() == #"[{"n":1},"two"]"#)
      for (id, body) in [("b", "[3]"), ("a", "no JSON"), ("z", "true"), ("empty", "")] {
        #expect(try client.exchange("PUT /list/items/\(id)", body: body).status == 204)
      }
      #expect(try items() == #"[true,"two",[3],"no JSON"]"#)
      #expect(try client.exchange("GET /list/of/item").text == #"<[true,"two",[3],"no JSON"]|>"#)
      #expect(try client.exchange("PUT /list/items/*", body: "7").status == 204)
      #expect(
        try client.exchange("GET /list/of/item.*").text == "<[]|7>", "a request names one only")
      #expect(try client.exchange("GET /~other/list/items").text == #"[{"n":1},"two"]"#)
      #expect(try server.admin("DELETE", "/state").status == 204)
      #expect(try items() == #"[{"n":1},"two"]"#)
    }
  }

  @Test("what is drawn for the state is what the response has")
  func drawn() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      let client = try server.client()
      for number in 1...3 {
        let made = try client.exchange("POST /shop/made").json()
        let id = try #require(made["id"]?.string)
        #expect(made["number"]?.int == number)
        #expect(try client.exchange("GET /shop/things/\(id)").text == #""number \#(number)""#)
        #expect(try client.exchange("GET /shop/things/n\(number)").text == "7")
      }
    }
  }

  @Test("a request that would keep too much gets 507 and changes nothing")
  func full() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      let client = try server.client()
      // Two names: what the thing is, and which was the last.
      for number in 2...SessionMemory.nameCountMax {
        let response = try client.exchange("POST /shop/things", body: #"{"id":\#(number)}"#)
        guard response.status != 201 else { continue }
        Issue.record("\(number): \(response.status) \(response.text)")
        return
      }
      let refused = try client.exchange("POST /shop/things", body: #"{"id":1}"#)
      #expect(refused.status == 507)
      #expect(try refused.json()["detail"]?.string?.contains("10,000 names") == true)
      #expect(try client.exchange("GET /shop/things/1").status == 404)
      #expect(try client.exchange("POST /shop/things", body: #"{"id":2}"#).status == 201)
      #expect(try client.exchange("DELETE /shop/things/2").status == 200)
      #expect(try client.exchange("POST /shop/things", body: #"{"id":1}"#).status == 201)
      #expect(
        try server.client().exchange("POST /~b/shop/things", body: #"{"id":1}"#).status == 201)
    }
  }

  @Test("counts names and bytes whatever is set, replaced and forgotten", arguments: 0..<8)
  func counts(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    var memory = SessionMemory()
    for _ in 0..<200 {
      let changes = (0..<Int.random(in: 1...3, using: &dice)).map { _ in
        (
          name: dice.pick(["a", "bb", "ccc"]),
          value: Bool.random(using: &dice)
            ? String(repeating: "x", count: Int(dice.next() % 9)) : nil
        )
      }
      try memory.change(dice.pick(["one", "two"]), changes)
    }
    for upstream in ["one", "two"] {
      try memory.change(upstream, ["a", "bb", "ccc"].map { ($0, nil) })
    }
    // As much as there may be, so anything left would be too much.
    let half = String(repeating: "x", count: SessionMemory.byteCountMax / 2 - 1)
    try memory.change("one", [("a", half), ("b", half)])
    #expect(throws: SessionMemory.Full(limit: "64 MB")) { try memory.change("one", [("c", "")]) }
  }
}
