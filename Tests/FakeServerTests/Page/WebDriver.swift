import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// A headless Chromium, steered by chromedriver over the WebDriver protocol.
///
/// Used by one test at a time, whose thread it blocks.
final class WebDriver: Sendable {
  /// A missing browser fails the tests in CI, where `ci/setup tests` has installed one.
  static let isAvailable =
    ProcessInfo.processInfo.environment["CI"] != nil
    || ["chromedriver", "chromium"].allSatisfy { name in
      ["/usr/bin", "/usr/local/bin"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
      }
    }

  enum Key {
    static let tab = "\u{E004}"
    static let enter = "\u{E007}"
    static let escape = "\u{E00C}"
    static let backspace = "\u{E003}"
    static let end = "\u{E010}"
    static let home = "\u{E011}"
    static let up = "\u{E013}"
    static let down = "\u{E015}"
  }

  private let program: Program
  private let port: UInt16
  private let session: String

  private init() throws {
    let output = Pipe()
    program = try Program(
      "chromedriver", ["--port=0"], output: output.fileHandleForWriting.fileDescriptor)
    try output.fileHandleForWriting.close()
    var text = ""
    var port: UInt16?
    while port == nil {
      let bytes = output.fileHandleForReading.availableData
      try #require(!bytes.isEmpty, "chromedriver ended: \(text)")
      text += String(decoding: bytes, as: UTF8.self)
      port = text.firstMatch(of: /successfully on port (\d+)\./).flatMap { UInt16($0.1) }
    }
    let found = try #require(port)
    self.port = found
    let arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--disable-background-networking", "--window-size=1280,800",
    ]
    let created = try Self.command("POST", "/session", port: found) { body in
      body.key("capabilities")
      body.object { capabilities in
        capabilities.key("alwaysMatch")
        capabilities.object { wanted in
          wanted.key("goog:chromeOptions")
          wanted.object { $0.member("args", arguments) }
        }
      }
    }
    session = "/session/\(try #require(created["sessionId"]?.string))"
  }

  deinit {
    // Otherwise the browser would outlive its driver.
    _ = try? command("DELETE", session)
  }

  /// Sends a command and returns the value of its response.
  @discardableResult
  private func command(
    _ method: String, _ path: String, _ write: (inout JSONWriter) -> Void = { _ in }
  ) throws -> JSONValue {
    try Self.command(method, path, port: port, write)
  }

  private static func command(
    _ method: String, _ path: String, port: UInt16, _ write: (inout JSONWriter) -> Void = { _ in }
  ) throws -> JSONValue {
    let response = try response(method, path, port: port, write)
    let value = try #require(try response.json()["value"])
    try #require(response.status == 200, "\(method) \(path): \(value["message"]?.string ?? "")")
    return value
  }

  private static func response(
    _ method: String, _ path: String, port: UInt16, _ write: (inout JSONWriter) -> Void = { _ in }
  ) throws -> ReceivedResponse {
    var body = JSONWriter()
    body.object { write(&$0) }
    return try WireClient(port: port).exchange(
      "\(method) \(path)", ["Content-Type: application/json"], host: "localhost:\(port)",
      body: method == "POST" ? String(decoding: body.bytes, as: UTF8.self) : nil)
  }

  /// Opens the page of a server, and waits until it has everything.
  func open(_ server: FakeServer, session name: String? = nil, at hash: String = "") throws {
    let prefix = name.map { "/~\($0)" } ?? ""
    try open("http://\(server.address)\(prefix)/__understudy/\(hash)")
    try wait(
      for: "document.querySelector('#connection.following') && document.querySelector('.contract')")
    if hash.contains("contract=") { try wait(for: "document.querySelector('.selected')") }
  }

  func open(_ url: String) throws {
    try command("POST", "\(session)/url") { $0.member("url", url) }
  }

  /// The value of an expression in the page.
  @discardableResult
  func value(_ expression: String) throws -> JSONValue {
    try command("POST", "\(session)/execute/sync") { body in
      body.member("script", "return \(expression)")
      body.member("args", [String]())
    }
  }

  /// What a script passes to its last argument, a function.
  func result(of script: String) throws -> JSONValue {
    try command("POST", "\(session)/execute/async") { body in
      body.member("script", script)
      body.member("args", [String]())
    }
  }

  /// Waits until an expression in the page is true, and fails with what the page shows instead.
  func wait(for expression: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let script = """
      const [done, end] = [arguments[0], Date.now() + 15000];
      (function look() {
        if (\(expression)) done(null);
        else if (Date.now() > end) done(document.body.innerText);
        else setTimeout(look, 20);
      })();
      """
    let shown = try result(of: script)
    try #require(
      shown.kind == .null, "never: \(expression)\n\(shown.string ?? "")",
      sourceLocation: sourceLocation)
  }

  /// Waits until an element shows these words, white space aside.
  func wait(
    for selector: String, toSay words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var quoted = JSONWriter()
    quoted.string(words)
    try wait(
      for: "[...document.querySelectorAll('\(selector)')].some((one) => "
        + "one.innerText.replace(/\\s+/g, ' ').includes(\(String(decoding: quoted.bytes, as: UTF8.self))))",
      sourceLocation: sourceLocation)
  }

  /// Clicks as a mouse does, once the element can be seen; again where the page drew another in its
  /// place before the click, or moved it to an edge.
  func click(_ selector: String) throws {
    for attempt in 1... {
      // An option is seen in its list.
      try wait(
        for: "[...document.querySelectorAll('\(selector)')].slice(0, 1)"
          + ".some((one) => (one.closest('select') ?? one).checkVisibility())")
      let found = try command("POST", "\(session)/element") { body in
        body.member("using", "css selector")
        body.member("value", selector)
      }
      let id = try #require(found.members.first { _ in true }?.value.string)
      let response = try Self.response("POST", "\(session)/element/\(id)/click", port: port)
      let value = try response.json()["value"]
      switch value?["error"]?.string {
      case "stale element reference": continue
      case "element click intercepted" where attempt < 10:
        try self.value(
          "document.querySelector('\(selector)')?.scrollIntoView({ block: 'center' })")
        continue
      default: break
      }
      try #require(response.status == 200, "click \(selector): \(value?["message"]?.string ?? "")")
      return
    }
  }

  /// Presses keys one after the other, wherever the focus is.
  func press(_ keys: String...) throws {
    try command("POST", "\(session)/actions") { body in
      body.key("actions")
      body.array { sources in
        sources.object { source in
          source.member("type", "key")
          source.member("id", "keyboard")
          source.key("actions")
          source.array { actions in
            for key in keys.flatMap({ $0 }) {
              for type in ["keyDown", "keyUp"] {
                actions.object { action in
                  action.member("type", type)
                  action.member("value", String(key))
                }
              }
            }
          }
        }
      }
    }
  }

  /// Makes the page this wide, in dark or light colours, and without motion: a colour that changes
  /// slowly has too little contrast on its way.
  func show(width: Int, isDark: Bool) throws {
    try develop("Emulation.setDeviceMetricsOverride") { parameters in
      parameters.member("width", width)
      parameters.member("height", 800)
      parameters.member("deviceScaleFactor", 1)
      parameters.key("mobile")
      parameters.bool(false)
    }
    try develop("Emulation.setEmulatedMedia") { parameters in
      parameters.key("features")
      parameters.array { features in
        features.object { feature in
          feature.member("name", "prefers-color-scheme")
          feature.member("value", isDark ? "dark" : "light")
        }
        features.object { feature in
          feature.member("name", "prefers-reduced-motion")
          feature.member("value", "reduce")
        }
      }
    }
  }

  /// Sends a command of the DevTools protocol.
  private func develop(_ name: String, _ write: (inout JSONWriter) -> Void) throws {
    try command("POST", "\(session)/goog/cdp/execute") { body in
      body.member("cmd", name)
      body.key("params")
      body.object { write(&$0) }
    }
  }

  /// Has one empty tab, as a browser that has just started.
  private func startAgain() throws {
    let old = try command("GET", "\(session)/window/handles").elements.compactMap(\.string)
    try goTo(window: try #require(old.first))
    let new = try command("POST", "\(session)/window/new") { $0.member("type", "tab") }
    for window in old {
      try goTo(window: window)
      try command("DELETE", "\(session)/window")
    }
    try goTo(window: try #require(new["handle"]?.string))
  }

  /// Opens another window and goes there; returns the names of both.
  func openWindow() throws -> (first: String, second: String) {
    let first = try #require(try command("GET", "\(session)/window").string)
    let new = try command("POST", "\(session)/window/new") { $0.member("type", "window") }
    let second = try #require(new["handle"]?.string)
    try goTo(window: second)
    return (first, second)
  }

  func goTo(window: String) throws {
    try command("POST", "\(session)/window") { $0.member("handle", window) }
  }
}

extension WebDriver {
  @TaskLocal private static var all: Pool?
  @TaskLocal private static var current: WebDriver?

  /// The browser of a test, with nothing left of the test before.
  static func fresh() throws -> WebDriver {
    let browser = try #require(current)
    try browser.startAgain()
    return browser
  }

  /// Gives the tests of a suite browsers that they share, since to start one takes longer than most
  /// tests: two, since more would wait for each other's processor.
  struct Shared: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    /// For the suite itself, and for each test.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
      testCase != nil || WebDriver.all == nil ? self : nil
    }

    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      guard let all = WebDriver.all else {
        let pool = Pool([try WebDriver(), try WebDriver()])
        return try await WebDriver.$all.withValue(pool, operation: function)
      }
      let browser = await all.taken()
      do {
        try await WebDriver.$current.withValue(browser, operation: function)
      } catch {
        await all.take(back: browser)
        throw error
      }
      await all.take(back: browser)
    }
  }

  private actor Pool {
    private var idle: [WebDriver]
    private var waiting: [CheckedContinuation<WebDriver, Never>] = []

    init(_ browsers: [WebDriver]) { idle = browsers }

    func taken() async -> WebDriver {
      if let browser = idle.popLast() { return browser }
      return await withCheckedContinuation { waiting.append($0) }
    }

    func take(back browser: WebDriver) {
      if waiting.isEmpty {
        idle.append(browser)
      } else {
        waiting.removeFirst().resume(returning: browser)
      }
    }
  }
}
