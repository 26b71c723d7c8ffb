import Synchronization
import Testing
import UnderstudyContractModel
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySystem

@testable import UnderstudyFakeServer

/// The page in a browser: what people see in it, and do with it.
@Suite(
  .enabled(if: WebDriver.isAvailable, "no chromium and chromedriver: run ci/setup tests"),
  WebDriver.Shared())
struct PageTests {
  private static let items = "#contract=shop%2Fitems"

  private static func with(
    _ files: [String: String] = SmallServer.files,
    _ configure: (inout ServerConfiguration) -> Void = { _ in },
    _ test: (WebDriver, FakeServer) async throws -> Void
  ) async throws {
    try await SmallServer.with(files, configure) { (server) async throws in
      try await test(try WebDriver.fresh(), server)
    }
  }

  @Test("a request appears by itself, with its case and the delay")
  func live() async throws {
    try await Self.with { (browser, server) async throws in
      try browser.open(server)
      _ = try server.client().exchange("GET /shop/items?a=1")
      try browser.wait(for: "#rows tr", toSay: "GET /shop/items?a=1 ✓ items #ok 200 <1 ms")
      try browser.click("#rows .target")
      try browser.wait(for: "#detail", toSay: "Chosen by the default Delay configured 0 ms, actual")
      try browser.wait(for: "#detail", toSay: "200 OK")
      try browser.wait(for: "#response", toSay: "tree text bytes 0 1 1 2")
      try browser.wait(for: ".contract", toSay: "GET /items shop/items ok the default 1 request")
    }
  }

  @Test("a case is chosen by mouse and by key, and other windows follow")
  func flip() async throws {
    try await Self.with { (browser, server) async throws in
      try browser.open(server, at: Self.items)
      try browser.click("#contract .cases li:nth-child(3) button")
      try browser.wait(for: ".contract.selected", toSay: "gone chosen by hand")
      #expect(try server.client().exchange("GET /shop/items").status == 410)
      let (first, second) = try browser.openWindow()
      try browser.open(server, at: Self.items)
      try browser.wait(for: ".contract.selected", toSay: "gone chosen by hand 1 request")
      try browser.goTo(window: first)
      try browser.press("2")
      try browser.wait(for: ".contract.selected", toSay: "empty chosen by hand")
      #expect(try server.client().exchange("GET /shop/items").text == "[]")
      try browser.goTo(window: second)
      try browser.wait(for: ".contract.selected", toSay: "empty chosen by hand 2 requests")
      try browser.press("0")
      try browser.wait(for: ".contract.selected", toSay: "ok the default")
      #expect(try server.client().exchange("GET /shop/items").text == "[1,2]")
    }
  }

  @Test("an unmatched request says what explain says, and becomes a contract")
  func unmatched() async throws {
    try await Self.with { (browser, server) async throws in
      try browser.open(server)
      _ = try server.client().exchange("GET /shop/itemz?page=2")
      try browser.wait(for: "#rows tr.unmatched", toSay: "∅ unmatched 404")
      try browser.wait(for: "#announcer", toSay: "unmatched: GET /shop/itemz")
      try browser.click("#rows .target")
      let explanation = server.core.layer.explain(Request("GET", "/shop/itemz?page=2"))
      var lines = [explanation.complaint]
      for unmatched in explanation.nearMisses {
        lines.append("  nearest: \(unmatched.contract.id)  \(unmatched.request)")
        lines += unmatched.differences.map { "    \($0)" }
      }
      try #require(lines.count > 2)
      try browser.wait(for: "document.querySelector('#detail .why')")
      #expect(
        try browser.value("document.querySelector('#detail .why').textContent").string
          == lines.joined(separator: "\n"))
      try browser.press("m")
      try browser.wait(for: "document.querySelector('#editor').open")
      #expect(try browser.value("document.querySelector('#editor-save').hidden").bool == true)
      try browser.click("#editor-serve")
      try browser.wait(for: "#done", toSay: "shop/itemz is served.")
      try browser.wait(for: ".contract", toSay: "GET /itemz shop/itemz ok the default")
      #expect(try server.client().exchange("GET /shop/itemz?page=2").text == "{}")
      #expect(try server.client().exchange("GET /shop/itemz?page=3").status == 404)
    }
  }

  @Test("a request becomes a case of the contract that responded to it")
  func newCase() async throws {
    try await Self.with { (browser, server) async throws in
      try browser.open(server)
      _ = try server.client().exchange("GET /shop/items?page=2")
      try browser.wait(for: "#rows tr", toSay: "GET /shop/items?page=2")
      try browser.click("#rows .target")
      try browser.click("#make-case")
      try browser.wait(for: "document.querySelector('#editor').open")
      let selected = "getSelection().toString()"
      #expect(try browser.value(selected).string == "new-case")
      // All but the new case is as it was.
      let text = try #require(
        browser.value("document.querySelector('#editor-text').value").string)
      let old = try #require(SmallServer.files["shop/items.json"])
      let end = try #require(old.firstRange(of: " },\n  \"scripts\""))
      #expect(text.hasPrefix("\(old[..<end.lowerBound]),\n    \"new-case\": {"))
      #expect(text.hasSuffix("}\n \(old[end.lowerBound...])"))
      _ = try browser.value(
        """
        document.querySelector('#editor-text').value =
          document.querySelector('#editor-text').value.replace(
            /("new-case"[^]*"body": \\[)[^\\]]+/, "$1 3 ")
        """)
      try browser.click("#editor-serve")
      try browser.wait(for: ".contract.selected", toSay: "made here")
      try browser.wait(for: ".contract.selected", toSay: "new-case chosen by hand")
      try browser.press("0")
      try browser.wait(for: ".contract.selected", toSay: "ok the default")
      #expect(try server.client().exchange("GET /shop/items?page=2").text == "[3]")
      #expect(try server.client().exchange("GET /shop/items").text == "[1,2]")
      try browser.press("c")
      try browser.wait(for: "document.querySelector('#editor').open")
      #expect(try browser.value(selected).string == "new-case-2")
    }
  }

  @Test("where the server records, a request is sent to the live API again")
  func record() async throws {
    let recorded = Mutex<[String]>([])
    try await Self.with {
      $0.relay = Relay(baseURLs: RelayTests.baseURLs, takesAll: false) { relayed, then in
        let request = relayed.request
        recorded.withLock { $0.append("\(relayed.upstreamName) \(request.method) \(request.path)") }
        then(RelayedResponse(status: 203, headers: [], body: []))
        return nil
      }
    } _: { (browser, server) async throws in
      try browser.open(server)
      _ = try server.client().exchange("GET /shop/items")
      try browser.wait(for: "#rows tr", toSay: "GET /shop/items")
      try browser.click("#rows .target")
      try browser.click("#record")
      try browser.wait(for: "#done", toSay: "shop responded 203.")
      #expect(recorded.withLock { $0 } == ["shop GET /items"])
    }
  }

  @Test("a response is held, shown as such, and released as another case")
  func hold() async throws {
    try await Self.with { (browser, server) async throws in
      try browser.open(server, at: Self.items)
      try browser.press("h")
      try browser.wait(for: ".contract.selected", toSay: "‖ holds")
      let client = try server.client()
      client.ask("GET /shop/items")
      try browser.wait(for: "#rows tr.held", toSay: "‖ items #ok held")
      try browser.click("#rows .target")
      try browser.wait(for: "document.querySelector('#release')")
      try browser.click("#release-as option[value=reset]")
      try browser.click("#release")
      #expect(client.receiveAll().end == .reset)
      try browser.wait(for: "#rows tr.broken", toSay: "reset")
      try browser.wait(for: "!document.querySelector('#release')")
      try browser.press("h")
      try browser.wait(for: "!document.querySelector('.selected .marks .held').textContent")
    }
  }

  @Test("a script is built from cases and served, and its step is shown")
  func script() async throws {
    try await Self.with { (browser, server) async throws in
      try browser.open(server, at: Self.items)
      try browser.wait(for: "document.querySelector('#add-4')")
      for id in ["add-4", "add-2", "add-4", "add-0", "step-2", "script-start"] {
        try browser.click("#\(id)")
      }
      try browser.wait(for: ".contract.selected", toSay: "reset the script, step 1 of 3")
      let client = try server.client()
      client.ask("GET /shop/items")
      #expect(client.receiveAll().end == .reset)
      #expect(try server.client().exchange("GET /shop/items").status == 410)
      try browser.wait(for: "#script", toSay: "running, step 3 of 3")
      for _ in 0..<2 { #expect(try server.client().exchange("GET /shop/items").text == "[1,2]") }
      try browser.click("#script-stop")
      try browser.wait(for: ".contract.selected", toSay: "ok the default")
    }
  }

  @Test("a scenario of the contract's upstream is started")
  func scenario() async throws {
    try await Self.with { (browser, server) async throws in
      try browser.open(server, at: Self.items)
      try browser.click("#script-scenarios button")
      try browser.wait(for: "#done", toSay: "shop serves the scenario restock.")
      try browser.wait(for: ".contract.selected", toSay: "empty the script, step 1 of 2")
      try browser.wait(for: "document.querySelector('#state-values input')?.value === 'empty'")
      #expect(try server.client().exchange("GET /shop/items").text == "[]")
    }
  }

  @Test("state is set in the page, and follows what requests do")
  func state() async throws {
    try await Self.with { (browser, server) async throws in
      try browser.open(server, at: Self.items)
      try browser.click("#state-name")
      try browser.press("shelf")
      try browser.click("#state-value")
      try browser.press("sold", WebDriver.Key.enter)
      try browser.wait(for: "document.querySelector('#state-values input')?.value === 'sold'")
      try browser.wait(for: ".contract", toSay: "GET /items/{id} shop/item sold its “when” holds")
      _ = try server.admin("PUT", "/state", body: #"{"state":{"shop":{"shelf":"full"}}}"#)
      try browser.wait(for: "document.querySelector('#state-values input')?.value === 'full'")
      try browser.click("#state-values button")
      try browser.wait(for: "!document.querySelector('#state-values input')")
      #expect(try server.admin("GET", "/state").json()["state"]?.count == 0)
    }
  }

  @Test("everything goes by keyboard")
  func keyboard() async throws {
    try await Self.with { (browser, server) async throws in
      try browser.open(server)
      try browser.press("n")
      try browser.wait(for: "location.hash.startsWith('#contract=shop')")
      while try browser.value("location.hash").string != Self.items {
        try browser.press("n")
      }
      try browser.press("3")
      try browser.wait(for: ".contract.selected", toSay: "gone chosen by hand")
      #expect(try server.client().exchange("GET /shop/items").status == 410)
      try browser.press("0", "h")
      try browser.wait(for: ".contract.selected", toSay: "ok the default")
      try browser.wait(for: ".contract.selected", toSay: "‖ holds")
      let client = try server.client()
      client.ask("GET /shop/items")
      try browser.wait(for: "#rows tr.held", toSay: "‖ items #ok held")
      try browser.press("j", "k", "j", WebDriver.Key.enter)
      try browser.wait(for: "document.activeElement.id === 'detail-title'")
      try browser.press("r")
      #expect(try client.response().text == "[1,2]")
      try browser.press(WebDriver.Key.escape)
      try browser.wait(for: "document.activeElement.classList.contains('target')")
      try browser.press("/", "410")
      try browser.wait(for: "#shown", toSay: "1 of 2")
      try browser.press(WebDriver.Key.escape, "?")
      try browser.wait(for: "document.querySelector('#help').open")
      try browser.press(WebDriver.Key.escape)
      try browser.wait(for: "!document.querySelector('#help').open")
      try browser.press("s", WebDriver.Key.tab, "R")
      try browser.wait(for: "#shown", toSay: "0 requests")
      #expect(await server.journal().isEmpty)
    }
  }

  @Test("a session's page shows and steers that session alone")
  func session() async throws {
    try await Self.with { (browser, server) async throws in
      try browser.open(server, session: "a", at: Self.items)
      try browser.press("3")
      try browser.wait(for: ".contract.selected", toSay: "gone chosen by hand")
      for path in ["/shop/items", "/~b/shop/items", "/~a/shop/items"] {
        let isOwn = path.hasPrefix("/~a")
        #expect(try server.client().exchange("GET \(path)").status == (isOwn ? 410 : 200))
      }
      try browser.wait(for: "#shown", toSay: "1 request")
      try browser.wait(for: ".contract.selected", toSay: "1 request")
    }
  }

  @Test("the address leads to what was selected, and a key that is turned off does nothing")
  func link() async throws {
    try await Self.with { (browser, server) async throws in
      for line in ["GET /shop/items", "POST /shop/items", "GET /shop/none"] {
        _ = try server.client().exchange(line)
      }
      try browser.open(server, at: "#request=2&filter=shop%2Fadd")
      try browser.wait(for: "#detail-title", toSay: "POST /shop/items")
      try browser.wait(for: ".contract.selected", toSay: "POST /items")
      try browser.wait(for: "#shown", toSay: "1 of 3")
      try browser.press("?")
      try browser.click("#keys-on")
      try browser.press(WebDriver.Key.escape, "n", "j", "?")
      #expect(try browser.value("document.querySelector('#help').open").bool == false)
      #expect(
        try browser.value("location.hash").string == "#request=2&filter=shop%2Fadd")
    }
  }
}
