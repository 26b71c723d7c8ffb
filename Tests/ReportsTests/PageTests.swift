import Foundation
import Testing
import UnderstudyFindings

@testable import UnderstudyReports

/// The page as a real browser has it.
@Suite struct PageTests {
  /// Looks at pages one after the other, on a thread of its own, which the browser may block.
  private static func onEach<Value: Sendable>(
    _ pages: [String], dark: Bool = false, _ look: @escaping @Sendable (Browser) throws -> Value
  ) async throws -> [Value] {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let file = FileManager.default.temporaryDirectory
              .appendingPathComponent("understudy-\(UUID().uuidString).html")
            defer { try? FileManager.default.removeItem(at: file) }
            let browser = try Browser()
            try browser.send(
              "Emulation.setEmulatedMedia",
              [
                "features": [["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]]
              ])
            return try pages.map { page in
              try page.write(to: file, atomically: true, encoding: .utf8)
              try browser.open(file)
              return try look(browser)
            }
          })
      }
    }
  }

  private static func onPage<Value: Sendable>(
    _ page: String, dark: Bool = false, _ look: @escaping @Sendable (Browser) throws -> Value
  ) async throws -> Value {
    try #require(try await onEach([page], dark: dark, look).first)
  }

  private static let drift = ReportFormat.html.text(of: Samples.drift, in: Samples.driftContext)

  private static let nasty = EscapingTests.texts.map {
    ReportFormat.html.text(of: Samples.nasty($0))
  }

  @Test("requests nothing, breaks no rule of its own policy, and logs no errors")
  func quiet() async throws {
    let looks = try await Self.onEach([Self.drift] + Self.nasty) { browser in
      // By now whatever the page is to do is done.
      let background = try browser.value("getComputedStyle(document.body).backgroundColor")
      let requests = browser.events.filter { $0.name == "Network.requestWillBeSent" }.map {
        ($0.parameters["request"] as? [String: Any])?["url"] as? String ?? ""
      }
      let kinds = [
        "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown",
        "Audits.issueAdded",
      ]
      let complaints = browser.events.filter { kinds.contains($0.name) }.map { "\($0.parameters)" }
      return (requests, complaints, background as? String)
    }
    #expect(looks.count == Self.nasty.count + 1)
    for (requests, complaints, background) in looks {
      #expect(requests.count == 1)
      #expect(requests.filter { !$0.hasPrefix("file:///") } == [])
      // Where the hash of the style sheet is wrong, the browser says which one it has to be.
      #expect(complaints == [])
      #expect(background == "rgb(247, 246, 243)")
    }
  }

  @Test("each state that can be chosen has a rule that hides the others")
  func choices() {
    for state in DriftState.byUrgency.map(\.rawValue) {
      let rule = "body:has(#show-\(state):checked) [data-has]:not([data-has~=\(state)])"
      #expect(PageStyle.css.contains("\(rule){display:none}"))
    }
  }

  @Test("text from outside makes no element")
  func inert() async throws {
    let plain = ReportFormat.html.text(of: Samples.nasty("plain"))
    let elements = try await Self.onEach([plain] + Self.nasty) {
      try $0.value("[...document.querySelectorAll('*')].map(e => e.tagName).join()") as? String
    }
    for (found, text) in zip(elements.dropFirst(), EscapingTests.texts) {
      #expect(found == elements[0], "\(text.debugDescription)")
    }
  }

  /// The rules of WCAG 2.1 for AA: 4.5 to 1, or 3 to 1 where the text is large.
  private static let contrasts = #"""
    (() => {
      const parse = text => {
        const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
        return { r, g, b, a };
      };
      const over = (top, under) => ({
        r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a),
        b: top.b * top.a + under.b * (1 - top.a), a: 1 });
      const luminance = ({ r, g, b }) => {
        const [x, y, z] = [r, g, b].map(c => (c /= 255) <= 0.03928 ? c / 12.92
          : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
      };
      const ground = element => {
        if (!element) return { r: 255, g: 255, b: 255, a: 1 };
        return over(parse(getComputedStyle(element).backgroundColor), ground(element.parentElement));
      };
      for (const details of document.querySelectorAll('details')) details.open = true;
      const weak = [];
      let count = 0;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || element.closest('svg')) continue;
        const style = getComputedStyle(element);
        const back = ground(element);
        const [high, low] = [luminance(over(parse(style.color), back)), luminance(back)]
          .sort((a, b) => b - a);
        const ratio = (high + 0.05) / (low + 0.05);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
        count++;
        if (ratio < (isLarge ? 3 : 4.5)) weak.push(ratio.toFixed(2) + ' ' + element.className
          + ' ' + walker.currentNode.data.trim().slice(0, 30));
      }
      return JSON.stringify({ count, weak: [...new Set(weak)] });
    })()
    """#

  @Test("every text can be read by day and by run", arguments: [false, true])
  func contrast(dark: Bool) async throws {
    let json = try await Self.onPage(Self.drift, dark: dark) {
      try $0.value(Self.contrasts) as? String
    }
    let result =
      try JSONSerialization.jsonObject(with: Data((json ?? "").utf8)) as? [String: Any]
    #expect(result?["weak"] as? [String] == [])
    #expect(result?["count"] as? Int ?? 0 > 100)
  }

  @Test("the tab key reaches every control in order, and the focus is visible")
  func tabOrder() async throws {
    let (order, expected) = try await Self.onPage(Self.drift) { browser in
      let name = """
        (e => e.tagName + ' ' + (e.id || e.getAttribute('aria-label') || e.textContent.trim()))
        """
      let usable = """
        JSON.stringify([...document.querySelectorAll('input:checked, summary, pre, a[href]')]
          .filter(e => e.checkVisibility() && (e.tagName !== 'PRE' || e.scrollWidth > e.clientWidth))
          .map\(name))
        """
      var order: [String] = []
      for _ in 0..<40 {
        try browser.press("Tab", code: 9)
        let active = """
          (() => { const e = document.activeElement; if (e === document.body) return '';
            const seen = e.tagName === 'INPUT' ? e.nextElementSibling : e;
            const outline = getComputedStyle(seen);
            return \(name)(e) + (outline.outlineStyle === 'solid' ? '' : ' unseen') })()
          """
        guard let found = try browser.value(active) as? String, !found.isEmpty else { break }
        order.append(found)
      }
      return (order, try browser.value(usable) as? String)
    }
    let list = try JSONSerialization.jsonObject(with: Data((expected ?? "").utf8)) as? [String]
    #expect(order == list)
    #expect(order.first == "INPUT show-all")
    #expect(order.count > 8)
  }

  @Test("headings go down one level at a time, and every drawing has a text")
  func structure() async throws {
    let (levels, drawings) = try await Self.onPage(Self.drift) { browser in
      let levels = try browser.value(
        "[...document.querySelectorAll('h1,h2,h3,h4')].map(e => Number(e.tagName[1]))")
      let drawings = try browser.value(
        "[...document.querySelectorAll('svg')].map(e => e.getAttribute('aria-label') || '')")
      return (levels as? [Int] ?? [], drawings as? [String] ?? [])
    }
    #expect(levels.first == 1 && levels.count > 2)
    #expect(!zip(levels, levels.dropFirst()).contains { $1 > $0 + 2 })
    #expect(drawings.contains("40 runs: 8 drifting, 32 passing"))
    #expect(!drawings.contains(""))
  }

  @Test("shows only what is selected")
  func filter() async throws {
    let shown = try await Self.onPage(Self.drift) { browser in
      try ["all", "drifting", "unreachable", "changed", "passing", "not-run"].map { choice in
        try browser.value(
          """
          document.getElementById('show-\(choice)').click();
          [...document.querySelectorAll('.endpoint')].filter(e => e.checkVisibility())
            .map(e => e.querySelector('h3').textContent)
          """) as? [String]
      }
    }
    #expect(
      shown == [
        ["github/repos", "joke/random-joke", "dog-ceo/random-images"], ["github/repos"],
        ["joke/random-joke"], ["github/repos"], ["dog-ceo/random-images"], ["github/repos"],
      ])
  }

  @Test("is no wider than a phone")
  func narrow() async throws {
    let width = try await Self.onPage(Self.drift) { browser in
      try browser.send(
        "Emulation.setDeviceMetricsOverride",
        ["width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true])
      return try browser.value("document.documentElement.scrollWidth") as? Int
    }
    #expect(width == 360)
  }
}
