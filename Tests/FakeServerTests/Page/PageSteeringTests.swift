import Testing
import UnderstudyContractModel
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

extension PageTests {
  /// What is said first, and what one click does.
  @Suite struct Steering {
    @Test("a click on a case forces it, a banner says so until it is cleared, and again chooses")
    func forced() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        let gone = ".contract .chips [title^=\"error 410\"]"
        try browser.click(gone)
        try browser.wait(for: "#forced", toSay: "1 forced")
        try browser.wait(for: "#forced", toSay: "! shop/items#gone ×")
        #expect(try server.client().exchange("GET /shop/items").status == 410)
        _ = try server.admin("PUT", "/contracts/shop/add/case", body: #"{"case":"ok"}"#)
        try browser.wait(for: "#forced", toSay: "2 forced")
        try browser.click("#clear-forced")
        try browser.wait(for: "document.querySelector('#forced').hidden")
        #expect(try server.client().exchange("GET /shop/items").status == 200)
        try browser.click(gone)
        try browser.wait(for: "#forced", toSay: "1 forced")
        try browser.click(gone)
        try browser.wait(for: "document.querySelector('#forced').hidden")
      }
    }

    @Test("a slow, a malformed and an unmatched request do not look like a good one")
    func kinds() async throws {
      let files = SmallServer.files.merging([
        "shop/odd.json": #"""
        { "request": { "method": "GET", "path": "/odd" },
          "cases": { "ok": { "status": 200, "body": [1] },
                     "late": { "like": "ok", "delay": { "fixed": "20ms" } },
                     "cut": { "like": "ok", "malform": { "truncateAt": 1 } } } }
        """#
      ]) { $1 }
      try await SmallServer.with(files) { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        for name in ["ok", "late", "cut"] {
          _ = try server.client().exchange("GET /shop/odd", ["Prefer: example=\(name)"])
        }
        _ = try server.client().exchange("GET /shop/none", ["User-Agent: probe/2.1 (x)"])
        for (kind, words) in [
          ("good", "✓ odd #ok 200 <1 ms"), ("slow", "◷ odd #late 200"),
          ("malformed", "≈ odd #cut 200"), ("unmatched", "∅ unmatched 404"),
        ] {
          try browser.wait(for: "#rows tr.\(kind)", toSay: words)
        }
        try browser.wait(for: "#rows tr.unmatched .client", toSay: "probe")
        // The delay that was configured is a part of the axis in the heading.
        #expect(
          try browser.value(
            "Number(document.querySelector('#rows .slow').style.getPropertyValue('--configured'))"
              + " > 0"
          ).bool == true)
        try browser.wait(for: "#legend", toSay: "✓ good ◷ slow ≈ malformed ∅ unmatched")
        try browser.wait(for: "#count-words", toSay: "4 in the last minute")
        try browser.click("#kinds [data-kind=slow]")
        try browser.click("#kinds [data-kind=unmatched]")
        try browser.wait(for: "#shown", toSay: "2 of 4 requests")
        #expect(try browser.value("location.hash").string == "#kinds=slow%2Cunmatched")
      }
    }

    @Test("requests are grouped by their contracts")
    func groups() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        for line in ["GET /shop/items", "POST /shop/items", "GET /shop/items", "GET /shop/none"] {
          _ = try server.client().exchange(line)
        }
        try browser.wait(for: "#shown", toSay: "4 requests")
        try browser.click("#grouping option[value=contract]")
        try browser.wait(for: "document.querySelectorAll('#rows .group').length === 3")
        let text = try browser.value("document.querySelector('#rows').innerText").string
        let groups = (text ?? "").split(separator: "\n").filter { $0.contains("good") }
        #expect(groups.map(String.init) == ["shop/add ✓ 1 good", "shop/items ✓ 2 good"])
        try browser.click("#rows .group:nth-child(3) .open")
        try browser.wait(for: "#contract-title", toSay: "shop/add")
      }
    }

    @Test("before the first request, the page shows commands that this server responds to")
    func empty() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        let command = "curl -i 'http://\(server.address)/shop/items'"
        try browser.wait(for: "#empty code", toSay: command)
        try browser.wait(for: "#addresses", toSay: "http://\(server.address)/shop")
        _ = try server.client().exchange("GET /shop/items")
        try browser.wait(for: "document.querySelector('#empty').hidden")
        try browser.wait(for: "#rows", toSay: "GET /shop/items")
      }
    }

    @Test("a request is sent again as it was")
    func replay() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        _ = try server.client().exchange(
          "POST /shop/items?a=1", ["X-Note: kept", "Content-Type: text/plain"], body: "one")
        try browser.click("#rows .target")
        try browser.click("#replay")
        try browser.wait(for: "#shown", toSay: "2 requests")
        let entries = await server.journal()
        #expect(entries.count == 2)
        let again = try #require(entries.last).request
        #expect(again.method == "POST" && again.path == "/shop/items" && again.query == "a=1")
        #expect(again.headerValue("x-note") == "kept")
        #expect(again.headerValue("content-type") == "text/plain")
        #expect(String(decoding: again.body, as: UTF8.self) == "one")
      }
    }

    @Test("a body is a tree, a text and bytes")
    func forms() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        let list = "[\((0..<250).map(String.init).joined(separator: ","))]"
        _ = try server.client().exchange(
          "POST /shop/items", body: #"{"name":"Rex","list":\#(list)}"#)
        try browser.click("#rows .target")
        try browser.wait(for: "#detail .tree", toSay: #"name "Rex" list [250]"#)
        try browser.click("#detail .tree summary")
        try browser.wait(for: "#detail .tree", toSay: "99 99 150 more")
        try browser.click("#detail .tree li button")
        try browser.wait(for: "#detail .tree", toSay: "199 199 50 more")
        try browser.click("#detail .forms button:nth-child(3)")
        try browser.wait(for: "#detail .hex", toSay: "00000000 7b 22 6e 61 6d 65")
      }
    }

    @Test("thousands of contracts are drawn as somebody scrolls to them, and found at once")
    func manyContracts() async throws {
      var files = SmallServer.files
      for number in 0..<1000 {
        files["shop/many-\(number).json"] = """
          { "request": { "method": "GET", "path": "/many/\(number)" },
            "cases": { "ok": { "status": 200 } } }
          """
      }
      try await SmallServer.with(files) { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        let drawn = "document.querySelectorAll('.contract').length"
        #expect(try browser.value(drawn).int == 50)
        try browser.value("document.querySelector('#more-contracts').scrollIntoView()")
        try browser.wait(for: "\(drawn) >= 100")
        try browser.click("#contract-filter")
        try browser.press("many-999")
        try browser.wait(for: "\(drawn) === 1")
        try browser.wait(for: "#contract-count", toSay: "1 of 1004")
      }
    }
  }
}
