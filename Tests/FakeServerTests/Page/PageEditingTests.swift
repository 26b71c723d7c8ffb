import Testing
import UnderstudyContractModel
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

extension PageTests {
  /// The editor of a contract.
  @Suite struct Editing {
    private static let text = "document.querySelector('#editor-text').value"

    private static func edit(_ browser: WebDriver, _ text: String, cursorAt mark: String) throws {
      var quoted = JSONWriter()
      quoted.string(text)
      try browser.value(
        """
        (() => {
          const field = document.querySelector('#editor-text');
          const text = \(String(decoding: quoted.bytes, as: UTF8.self));
          field.value = text.replace("\(mark)", "");
          field.focus();
          field.setSelectionRange(text.indexOf("\(mark)"), text.indexOf("\(mark)"));
        })()
        """)
    }

    private static func complete(_ browser: WebDriver) throws {
      try browser.value(
        """
        document.querySelector('#editor-text').dispatchEvent(
          new KeyboardEvent('keydown', { key: ' ', ctrlKey: true, bubbles: true }))
        """)
    }

    @Test("the contract of a file is edited, with the keys and values that may stand there")
    func completion() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server, at: "#contract=shop%2Fitems")
        try browser.click("#contract .edit")
        try browser.wait(for: "document.querySelector('#editor').open")
        let contract = #"""
          { "request": { "method": "GET", "path": "/items" },
            "cases": { "ok": { "status": 200, "dela§" } } }
          """#
        try Self.edit(browser, contract, cursorAt: "§")
        try Self.complete(browser)
        try browser.wait(
          for: "#completions [aria-selected=true]", toSay: #""delay" The time from the complete"#)
        try browser.press(WebDriver.Key.enter)
        try browser.wait(for: "\(Self.text).includes('200, \"delay\": ')")
        try Self.edit(
          browser, contract.replacing(#""GET""#, with: #""P§""#).replacing(#", "dela§""#, with: ""),
          cursorAt: "§")
        try Self.complete(browser)
        try browser.wait(for: "#completions", toSay: #""PATCH""#)
        try browser.press(WebDriver.Key.down, WebDriver.Key.down, WebDriver.Key.enter)
        try browser.wait(for: "document.querySelector('#completions').hidden")
        try browser.wait(for: "\(Self.text).includes('\"method\": \"PATCH\"')")
        // Escape closes the list, and the editor stays.
        try Self.complete(browser)
        try browser.press(WebDriver.Key.escape)
        #expect(try browser.value("document.querySelector('#editor').open").bool == true)
      }
    }

    @Test("what is wrong is said while somebody types, and leads to its line")
    func diagnostics() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server, at: "#contract=shop%2Fitems")
        try browser.click("#contract .edit")
        try browser.wait(for: "document.querySelector('#editor').open")
        try Self.edit(
          browser,
          """
          { "request": { "method": "GET", "path": "/items" },
            "cases": {
              "ok": { "status": 200,§ "bodi": 1 } } }
          """, cursorAt: "§")
        try browser.press(" ")
        try browser.wait(for: "#editor-findings", toSay: "line 3")
        try browser.wait(for: "#editor-findings", toSay: "bodi")
        try browser.click("#editor-findings button")
        #expect(
          try browser.value("document.activeElement.id").string == "editor-text")
        #expect(
          try browser.value("getSelection().toString()").string?.hasPrefix(#""bodi""#) == true)
        // Nothing of it was served.
        #expect(try server.client().exchange("GET /shop/items").text == "[1,2]")
      }
    }

    @Test("what no case can be added to says so before anybody presses a button")
    func imported() async throws {
      let folder = try TemporaryFolder()
      for (name, text) in SmallServer.files { try folder.write(name, text) }
      let library = try ContractLibrary.load([folder.path], for: .serving)
      try folder.remove("shop/items.json")
      let server = try await FakeServer.start(library, configuration: ServerConfiguration())
      try await BlockingThread.run {
        let browser = try WebDriver.fresh()
        try browser.open(server)
        _ = try server.client().exchange("GET /shop/items")
        try browser.click("#rows .target")
        try browser.wait(for: "document.querySelector('#make-case')?.disabled")
        try browser.wait(
          for: "#detail",
          toSay: "shop/items was imported, or its file is gone. Make a contract instead.")
        try browser.wait(for: "!document.querySelector('#make').disabled")
      }
      await server.close()
    }
  }
}
