import Testing
import UnderstudyContractModel
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySystem

@testable import UnderstudyFakeServer

extension PageTests {
  /// The page against hostile texts, lost servers and floods.
  @Suite struct Safety {
    private static let image = #"<img src=x onerror=\"document.title='open'\">"#

    @Test("markup in contracts and requests is text")
    func markup() async throws {
      let image = Self.image
      let files = [
        "shop/upstream.json": #"{ "summary": "\#(image)" }"#,
        "shop/items.json": #"""
        { "summary": "\#(image)", "request": { "method": "GET", "path": "/items" },
          "cases": { "ok": { "summary": "\#(image)", "status": 200, "text": "\#(image)" } } }
        """#,
      ]
      try await SmallServer.with(files) { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server, at: "#contract=shop%2Fitems")
        try browser.value(
          "document.addEventListener('securitypolicyviolation', () => document.title = 'asked')")
        let plain = image.replacing("\\", with: "")
        let target = "/shop/items?\(plain.replacing(" ", with: "%20"))"
        _ = try server.client().exchange("GET \(target)", ["X-Note: \(plain)"])
        _ = try server.admin(
          "PUT", "/state", body: #"{"state":{"shop":{"\#(image)":"\#(image)"}}}"#)
        try browser.wait(for: "#contract-head", toSay: plain)
        try browser.wait(for: "#state", toSay: plain)
        try browser.click("#rows .target")
        try browser.wait(for: "#detail", toSay: "X-Note: \(plain)")
        try browser.wait(for: "#response", toSay: "200 OK")
        try browser.wait(for: "#response .body", toSay: plain)
        #expect(try browser.value("document.querySelectorAll('img').length").int == 0)
        #expect(try browser.value("document.title").string == "Dashboard · Understudy")
      }
    }

    @Test("the token is asked for, and kept nowhere")
    func token() async throws {
      try await SmallServer.with {
        $0.adminToken = "0123456789abcdef"
      } _: { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open("http://\(server.address)/__understudy/")
        try browser.wait(for: "document.querySelector('#token').open")
        // A browser closes a dialog at the first Escape whatever a page says.
        for _ in 0..<2 {
          try browser.press(WebDriver.Key.escape)
          try browser.wait(for: "document.activeElement.id === 'token-input'")
        }
        try browser.press("wrong", WebDriver.Key.enter)
        try browser.wait(for: "#token-text", toSay: "does not know this token")
        try browser.wait(for: "document.querySelector('#token').open")
        try browser.press("0123456789abcdef", WebDriver.Key.enter)
        try browser.wait(for: "document.querySelector('#connection.following')")
        try browser.wait(for: ".contract", toSay: "GET /items")
        #expect(
          try browser.value("localStorage.length + sessionStorage.length + document.cookie").string
            == "0")
      }
    }

    @Test("a lost server comes back without a row twice or missing")
    func restart() async throws {
      let library = ContractLibrary(reading: SmallServer.files)
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        for _ in 0..<3 { _ = try server.client().exchange("GET /shop/items") }
        try browser.wait(for: "#shown", toSay: "3 requests")
        await server.close()
        try browser.wait(for: "document.querySelector('#connection.lost')")
        var configuration = ServerConfiguration()
        configuration.address = server.address
        let next = try await FakeServer.start(library, configuration: configuration)
        for _ in 0..<2 { _ = try next.client().exchange("POST /shop/items") }
        try browser.wait(for: "document.querySelector('#connection.following')")
        try browser.wait(for: "#shown", toSay: "5 requests")
        _ = try next.client().exchange("GET /shop/none")
        try browser.wait(for: "#shown", toSay: "6 requests")
        try browser.wait(for: "#kinds", toSay: "∅ unmatched 1")
        #expect(try browser.value("document.querySelectorAll('#rows tr').length").int == 6)
        try browser.wait(for: ".contract", toSay: "POST /items shop/add ok the default 2 requests")
        await next.close()
      }
    }

    @Test("ten thousand requests leave the rows in view, a right count, and a page that responds")
    func flood() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server, at: "#contract=shop%2Fitems")
        let request = "GET /shop/items HTTP/1.1\r\nHost: x\r\n\r\n"
        let client = try server.client()
        for _ in 0..<100 {
          client.send(String(repeating: request, count: 100))
          _ = client.receiveWaiting()
        }
        try browser.press("2")
        try browser.wait(for: ".contract.selected", toSay: "empty chosen by hand")
        try browser.wait(for: ".contract.selected", toSay: "10000 requests")
        try browser.wait(for: "#shown", toSay: "5000 requests")
        let rowCount = try browser.value("document.querySelectorAll('#rows tr').length").int
        #expect(1..<100 ~= rowCount ?? 0)
      }
    }
  }
}
