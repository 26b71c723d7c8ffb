import Testing
import UnderstudyContractModel
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

extension PageTests {
  /// The page while others change what it shows.
  @Suite struct Following {
    /// Notes what the page fetches, and keeps back what `held` is part of until `letGo()`.
    private static func watchFetches(_ browser: WebDriver, holding held: String = "-") throws {
      try browser.value(
        """
        (() => {
          const real = window.fetch;
          window.fetched = [];
          window.fetch = (path, options) => {
            window.fetched.push(path);
            if (!path.includes("\(held)")) return real(path, options);
            return new Promise((go) => window.letGo = () => go(real(path, options)));
          };
        })()
        """)
    }

    private static func count(_ path: String, _ browser: WebDriver) throws -> Int {
      try #require(
        browser.value("window.fetched.filter((one) => one.includes('\(path)')).length").int)
    }

    @Test("why nothing responded is said of the request it is about, however late it comes")
    func lateReason() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        for path in ["/shop/a", "/shop/b"] { _ = try server.client().exchange("GET \(path)") }
        try Self.watchFetches(browser, holding: "unmatched?sequence=1")
        try browser.click("#rows tr:nth-child(1) .target")
        try browser.wait(for: "window.letGo")
        try browser.click("#rows tr:nth-child(2) .target")
        try browser.wait(for: "#detail .why", toSay: "no contract for GET /shop/b")
        try browser.value("window.letGo()")
        // It is asked for after the reason was shown.
        try browser.wait(for: "window.fetched.some((one) => one.includes('har?sequence=1'))")
        let why = "document.querySelector('#detail .why').textContent"
        #expect(
          try browser.value(why).string?.hasPrefix("no contract for GET /shop/b") == true)
      }
    }

    @Test("rows are reached by arrow keys although single keys are off")
    func arrows() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        for _ in 0..<3 { _ = try server.client().exchange("GET /shop/items") }
        try browser.wait(for: "#shown", toSay: "3 requests")
        try browser.press("?")
        try browser.click("#keys-on")
        try browser.press(WebDriver.Key.escape)
        try browser.click("#rows tr:nth-child(3) .target")
        for (key, number) in [
          (WebDriver.Key.up, 2), (WebDriver.Key.home, 1), (WebDriver.Key.end, 3),
          (WebDriver.Key.up, 2), (WebDriver.Key.down, 3),
        ] {
          try browser.press(key)
          try browser.wait(
            for: "document.activeElement === "
              + "document.querySelector('#rows tr:nth-child(\(number))[aria-current] .target')")
        }
      }
    }

    @Test(
      "a reset clears the rows of its session, and one without a session those of all",
      arguments: [("w", 2), ("v", 2), ("none", 3), (nil, 0)] as [(String?, Int)])
    func cleared(session: String?, count: Int) async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        for prefix in ["", "/~v", "/~w"] {
          _ = try server.client().exchange("GET \(prefix)/shop/items")
        }
        try browser.wait(for: "document.querySelectorAll('#rows .target').length === 3")
        // What is fetched afterwards would mend what the event has done.
        try Self.watchFetches(browser, holding: "/journal?limit")
        #expect(try server.admin("POST", "/reset", session: session).status == 204)
        try browser.wait(for: "window.letGo")
        try browser.wait(for: "document.querySelectorAll('#rows .target').length === \(count)")
      }
    }

    @Test("many short sessions are followed by few fetches, and leave nothing behind")
    func resets() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        _ = try server.client().exchange("GET /~s/shop/items")
        try browser.click("#rows .target")
        try browser.wait(for: "#detail-title", toSay: "GET /shop/items")
        try Self.watchFetches(browser)
        for _ in 0..<40 {
          _ = try server.client().exchange("GET /~s/shop/items")
          _ = try server.admin("DELETE", "/sessions/s")
        }
        _ = try server.client().exchange("GET /shop/items")
        try browser.wait(for: "#shown", toSay: "1 request")
        try browser.wait(for: ".contract", toSay: "GET /items shop/items ok the default 1 request")
        try browser.wait(for: "document.querySelector('#drawer').hidden")
        #expect(try Self.count("/journal?limit", browser) < 20)
      }
    }

    @Test("state is followed without asking, and what somebody types stays")
    func state() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server, at: "#contract=shop%2Fitems")
        func set(_ values: String, session: String? = nil) throws {
          _ = try server.admin(
            "PUT", "/state", session: session, body: "{\"state\":{\"shop\":{\(values)}}}")
        }
        try Self.watchFetches(browser)
        try set(#""a":"1","b":"2""#)
        try browser.click("#state-values li:nth-child(1) input")
        try browser.press("5")
        for number in 3...30 { try set("\"b\":\"\(number)\"") }
        try set(#""b":"31""#, session: "w")
        let values = "[...document.querySelectorAll('#state-values input')].map((one) => one.value)"
        try browser.wait(for: "\(values).join() === '15,30' || \(values).join() === '51,30'")
        #expect(try server.admin("GET", "/state").json()["state"]?["shop"]?["a"]?.string == "1")
        #expect(
          try browser.value("document.activeElement.closest('#state-values') !== null").bool
            == true)
        try set(#""a":null"#)
        try browser.wait(for: "\(values).join() === '30'")
        _ = try server.admin("DELETE", "/state")
        try browser.wait(for: "!document.querySelector('#state-values li')")
        #expect(try Self.count("/state", browser) == 0)
      }
    }

    @Test("a session's page follows the modes and contracts of the main session")
    func mainSession() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server, session: "a")
        _ = try server.admin("PUT", "/mode", body: #"{"mode":"off"}"#)
        try browser.wait(for: ".contract", toSay: "GET /items shop/items off connections are reset")
        _ = try server.admin(
          "PUT", "/contracts/shop/new",
          body: #"{"request":{"method":"GET","path":"/new"},"cases":{"ok":{"status":204}}}"#)
        try browser.wait(for: ".contract", toSay: "GET /new")
      }
    }

    @Test("broken files are told with the first place, until they are mended")
    func broken() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        let files = SmallServer.files.merging(["shop/items.json": "{ \"summary\": 7 }"]) { $1 }
        server.follow(.broken(ContractLibrary(reading: files)), readAt: .max)
        try browser.wait(for: "#notice", toSay: "The contracts were not reloaded: ")
        try browser.wait(for: "#notice", toSay: "shop/items.json:1: ")
        try browser.press("r")
        try browser.wait(for: "#notice", toSay: "No response is held.")
        try browser.wait(for: "#notice", toSay: "The contracts were not reloaded")
        server.follow(.mended(ContractLibrary(reading: SmallServer.files)), readAt: .max)
        try browser.wait(for: "!document.querySelector('#notice').textContent")
      }
    }

    @Test("a long response is shown in part, and then all of it")
    func longResponse() async throws {
      let text = String(repeating: "0123456789", count: 15_000)
      let files = SmallServer.files.merging([
        "shop/long.json": """
        { "summary": "Long", "request": { "method": "GET", "path": "/long" },
          "cases": { "ok": { "status": 200, "text": "\(text)" } } }
        """
      ]) { $1 }
      try await SmallServer.with(files) { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        _ = try server.client().exchange("GET /shop/long")
        try browser.click("#rows .target")
        let response = "#response .body"
        let length = "document.querySelector('\(response) pre')?.textContent.length"
        try browser.wait(for: "\(length) === 100000")
        try browser.click("\(response) .all")
        try browser.wait(for: "\(length) === 150000")
      }
    }

    @Test("arrow keys choose a mode, and Enter sets it")
    func modes() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        try Self.watchFetches(browser)
        try browser.value("document.querySelector('#server-mode').focus()")
        try browser.press(WebDriver.Key.down, WebDriver.Key.down)
        try browser.wait(for: "document.querySelector('#server-mode').value === 'off'")
        #expect(try Self.count("/mode", browser) == 0)
        try browser.press(WebDriver.Key.enter)
        try browser.wait(for: ".contract", toSay: "off connections are reset")
      }
    }
  }
}
