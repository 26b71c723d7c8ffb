import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

/// axe-core, as `ci/axe` fetches it.
private let axe = ProcessInfo.processInfo.environment["UNDERSTUDY_AXE"].flatMap {
  try? String(contentsOfFile: $0, encoding: .utf8)
}

extension PageTests {
  @Suite(.enabled(if: axe != nil, "UNDERSTUDY_AXE names no file: it is what ci/axe prints"))
  struct Accessibility {
    @Test(
      "axe-core finds nothing, and nothing is wider than the window",
      arguments: [1280, 768, 320], [false, true])
    func violations(width: Int, isDark: Bool) async throws {
      try await SmallServer.with {
        $0.recording = RecordedFiles()
      } _: { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.show(width: width, isDark: isDark)
        try browser.open(server, at: "#contract=shop%2Fitems")
        try Self.expectNone(browser)
        _ = try server.admin("PUT", "/contracts/shop/add/case", body: #"{"case":"ok"}"#)
        for line in ["GET /shop/items", "GET /shop/none"] {
          _ = try server.client().exchange(line)
        }
        _ = try server.admin("PUT", "/state", body: #"{"state":{"shop":{"shelf":"full"}}}"#)
        _ = try server.admin("PUT", "/contracts/shop/items/hold")
        let client = try server.client()
        client.ask("GET /shop/items")
        try browser.wait(for: "document.querySelector('#rows tr.held')")
        try browser.press("j")
        try browser.wait(for: "document.querySelector('#release')")
        try Self.expectNone(browser)
        #expect(
          try browser.value("document.documentElement.scrollWidth <= innerWidth").bool == true)
        try browser.press("k")
        for key in ["?", "m"] {
          try browser.press(key)
          try browser.wait(for: "document.querySelector('dialog[open]')")
          try Self.expectNone(browser)
          try browser.press(WebDriver.Key.escape)
        }
        try browser.click("#recording")
        try browser.wait(for: "document.querySelector('#recorder[open]')")
        try Self.expectNone(browser)
        #expect(
          try browser.value("document.documentElement.scrollWidth <= innerWidth").bool == true)
      }
    }

    private static func expectNone(_ browser: WebDriver) throws {
      let found = try browser.result(
        of: """
          const done = arguments[0];
          \(try #require(axe))
          axe.run().then((result) => done({
            passes: result.passes.length,
            violations: result.violations.map((one) => one.id + ": " + one.nodes[0].html),
          }));
          """)
      #expect((found["passes"]?.int ?? 0) > 20)
      let violations = try #require(found["violations"]).elements.compactMap(\.string)
      #expect(violations.isEmpty, "\(violations)")
    }
  }
}
