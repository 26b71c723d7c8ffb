import Foundation
import Testing
import UnderstudyCore
import UnderstudyFindings

@testable import UnderstudyReports

/// axe-core, as `ci/axe` fetches it.
private let axe = ProcessInfo.processInfo.environment["UNDERSTUDY_AXE"].flatMap {
  try? String(contentsOfFile: $0, encoding: .utf8)
}

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
      #expect(PageStyle.css.contains(rule))
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

  @Test("every text can be read in light and in dark", arguments: [false, true])
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
    #expect(order.first == "A github/repos#ok")
    #expect(order.contains("INPUT show-all"))
    #expect(order.count > 8)
  }

  @Test("headings go down one level at a time")
  func structure() async throws {
    let levels = try await Self.onPage(Self.drift) { browser in
      try browser.value(
        "[...document.querySelectorAll('h1,h2,h3,h4')].map(e => Number(e.tagName[1]))")
        as? [Int] ?? []
    }
    #expect(levels.first == 1 && levels.count > 2)
    #expect(!zip(levels, levels.dropFirst()).contains { $1 > $0 + 1 })
  }

  private static let shownParts = """
    [...document.querySelectorAll('h2')].filter(e => e.checkVisibility()).map(e => e.textContent)
    """

  @Test("what broke comes first, and what passed is folded at the end")
  func order() async throws {
    let (parts, open) = try await Self.onPage(Self.drift) { browser in
      let open = "[...document.querySelectorAll('section > details')].filter(e => e.open).length"
      return (try browser.value(Self.shownParts) as? [String], try browser.value(open) as? Int)
    }
    #expect(
      parts == [
        "Drifting 1", "The run as a whole", "Could not be checked 1",
        "Changed without breaking anything 1", "As in the contracts 1", "Not exercised 2",
        "Patch for the contracts",
      ])
    #expect(open == 0)
  }

  @Test("shows only what is selected, without any script")
  func filter() async throws {
    let shown = try await Self.onPage(Self.drift) { browser in
      try browser.send("Emulation.setScriptExecutionDisabled", ["value": true])
      return try ["drifting", "unreachable", "changed", "passing", "not-run", "all"].map { choice in
        try browser.point(at: "#show-\(choice)", clicks: true)
        return try browser.value(Self.shownParts) as? [String] ?? []
      }
    }
    let always = ["The run as a whole", "Patch for the contracts"]
    #expect(
      shown.map { $0.filter { !always.contains($0) } } == [
        ["Drifting 1"], ["Could not be checked 1"], ["Changed without breaking anything 1"],
        ["As in the contracts 1"], ["Not exercised 2"],
        [
          "Drifting 1", "Could not be checked 1", "Changed without breaking anything 1",
          "As in the contracts 1", "Not exercised 2",
        ],
      ])
  }

  @Test("each link within the page leads to an element that is then in view")
  func links() async throws {
    let (first, missed) = try await Self.onPage(Self.drift) { browser in
      let count = try browser.value("document.querySelectorAll('a[href^=\"#\"]').length") as? Int
      var missed: [String] = []
      var first: String?
      for index in 0..<(count ?? 0) {
        let found =
          try browser.value(
            """
            (async () => {
              const link = document.querySelectorAll('a[href^="#"]')[\(index)];
              link.click();
              await new Promise(done => setTimeout(done));
              const end = document.querySelector(':target');
              const { top, height } = end?.getBoundingClientRect() ?? {};
              return link.textContent + (height > 0 && top >= 0 && top < innerHeight ? ': ' + end.id : '')
            })()
            """) as? String
        first = first ?? found
        if found?.contains(": ") != true { missed.append(found ?? "") }
      }
      return (first, missed)
    }
    #expect(first == "github/repos#ok: github/repos%23ok")
    #expect(missed == [])
  }

  @Test("one mistake that breaks many cases is told once, and names them")
  func grouped() {
    let finding = Finding(
      .error, .value, "found 1, expected 2",
      at: Place("Contracts/a/b.json", SourcePosition(line: 3, column: 9)), diff: ["-2", "+1"])
    let checks = ["one", "two"].map { name in
      Check.checked(
        Check.Identity("a/b", name, consumer: "c"), at: Place("Contracts/a/b.json"),
        findings: [finding])
    }
    var context = ReportContext(contractText: { _ in "1\n2\n3\n4" })
    context.path = "page.html"
    let page = ReportFormat.html.text(
      of: Report(Samples.run(planning: 2), checks: checks), in: context)
    let links = { (words: [String]) in
      zip(["one", "two"], words).map { "<a href=\"#a/b%23\($0)\">\($1)</a>" }
        .joined(separator: ", ")
    }
    #expect(
      page.contains("<b>c</b> fails at \(links(["a/b#one", "a/b#two"])): found 1, expected 2"))
    #expect(page.contains("value</a> in \(links(["one", "two"]))</p>"))
    #expect(page.components(separatedBy: "<b class=\"here\">3  3</b>").count == 2)
    #expect(page.contains("<p>c failed</p>"))
  }

  private static let tips = """
    [...document.querySelectorAll('.tip')].filter(e => e.checkVisibility()).map(e => e.textContent)
    """

  @Test("the keyboard and the pointer reach every run of a chart")
  func chart() async throws {
    let looks = try await Self.onPage(Self.drift) { browser in
      let tip = { try (browser.value(Self.tips) as? [String])?.first ?? "" }
      var looks = [try tip()]
      _ = try browser.value("document.querySelector('.one input:checked').focus()")
      try browser.press("ArrowLeft", code: 37)
      looks.append(try tip())
      try browser.press("ArrowRight", code: 39)
      looks.append(try tip())
      try browser.point(at: ".one:first-child svg")
      looks.append(try tip())
      let names = try browser.value(
        """
        [...document.querySelectorAll('.one input')]
          .map(e => document.getElementById(e.getAttribute('aria-labelledby')).textContent)
        """)
      return looks + [(names as? [String] ?? []).first ?? ""]
    }
    let last =
      "2026-11-21 02:00 UTC: drifting, found null, expected a string; 417 ms captured responses"
    #expect(
      looks == [
        last,
        "2026-11-20 02:00 UTC: drifting, found null, expected a string; 414 ms captured responses",
        last, "2026-10-13 02:00 UTC: passing; 300 ms", "2026-10-13 02:00 UTC: passing; 300 ms",
      ])
  }

  @Test("names the first bad run and the last good one, with what was captured and the patch")
  func past() {
    let captures = "captures/2026-11-21/github/repos%23ok.json"
    for text in [
      "First bad run: <b>2026-11-14 02:00 UTC</b>. Last good run: <b>2026-11-13 02:00 UTC</b>.",
      "2026-11-14 to 2026-11-21: drifting in 8 runs, found null, expected a string,"
        + " <a href=\"\(captures)\">captured responses</a>",
      "<a href=\"#patch\">patch</a>",
      "+      &quot;schema&quot;: { &quot;properties&quot;: { &quot;language&quot;: { &quot;type&quot;:"
        + " [&quot;string&quot;, &quot;null&quot;] } } },",
    ] {
      #expect(Self.drift.contains(text), "\(text)")
    }
  }

  @Test("on paper there are no controls, and nothing is cut off")
  func paper() async throws {
    let (controls, ground, pages) = try await Self.onPage(Self.drift) { browser in
      try browser.send("Emulation.setEmulatedMedia", ["media": "print"])
      let controls = try browser.value(
        "[...document.querySelectorAll('.filter')].filter(e => e.checkVisibility()).length")
      let ground = try browser.value("getComputedStyle(document.body).backgroundColor")
      let paper = try browser.send("Page.printToPDF", ["printBackground": false])
      let bytes = Data(base64Encoded: paper["data"] as? String ?? "") ?? Data()
      let pages = String(decoding: bytes, as: UTF8.self).matches(of: /\/Type ?\/Page\b/).count
      return (controls as? Int, ground as? String, pages)
    }
    #expect(controls == 0)
    #expect(ground == "rgba(0, 0, 0, 0)")
    #expect(1...6 ~= pages)
  }

  @Test("10,000 checks are a page that opens at once")
  func large() async throws {
    let page = ReportFormat.html.text(of: Samples.many)
    let nodes = try await Self.onPage(page) {
      try $0.value("document.querySelectorAll('*').length") as? Int
    }
    // So many take Chromium a third of a second.
    #expect(nodes ?? .max < 50_000)
    #expect(page.utf8.count < 3_000_000)
  }

  @Test(
    "axe-core finds nothing, and nothing is wider than the window",
    .enabled(if: axe != nil, "UNDERSTUDY_AXE names no file: it is what ci/axe prints"),
    arguments: [1280, 768, 390], [false, true])
  func accessibility(width: Int, isDark: Bool) async throws {
    let script = try #require(axe)
    let pages = [
      Self.drift, ReportFormat.html.text(of: Samples.mixed),
      ReportFormat.html.text(of: Report(Samples.run(planning: 0), checks: [])),
    ]
    let looks = try await Self.onEach(pages, dark: isDark) { browser in
      try browser.send(
        "Emulation.setDeviceMetricsOverride",
        ["width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false])
      let isNarrow =
        try browser.value("document.documentElement.scrollWidth <= innerWidth") as? Bool
      let found =
        try browser.value(
          """
          (async () => { for (const one of document.querySelectorAll('details')) one.open = true;
            \(script)
            const { passes, violations } = await axe.run();
            return [String(passes.length), ...violations.map((v) => v.id + ': ' + v.nodes[0].html)] })()
          """) as? [String] ?? []
      return (isNarrow, found)
    }
    for (isNarrow, found) in looks {
      #expect(isNarrow == true)
      #expect(found.first.flatMap { Int($0) } ?? 0 > 10)
      #expect(found.dropFirst().isEmpty, "\(found)")
    }
  }
}
