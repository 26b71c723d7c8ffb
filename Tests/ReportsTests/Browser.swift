import Foundation

/// A headless Chromium with one page, spoken to over the DevTools protocol by pipes.
///
/// Used by one thread at a time, which it blocks: tests keep it off the pool that they share.
final class Browser {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What the page said or asked for by itself, by the event's name.
  private(set) var events: [(name: String, parameters: [String: Any])] = []

  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  /// Short, since Chromium has sockets beneath it.
  private let profile = FileManager.default.temporaryDirectory
    .appendingPathComponent("browser-\(UUID().uuidString.prefix(13))")
  private var session: String?
  private var lastID = 0
  private var unread = Data()

  init() throws {
    let names = ["chromium", "chromium-browser", "google-chrome"]
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let files = names.flatMap { name in folders.map { "\($0)/\(name)" } }
    guard let file = files.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw Failure(description: "chromium is not installed: run ci/setup tests")
    }
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // What it leaves elsewhere would stay behind.
    try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": profile.path]) {
      $1
    }
    // Chromium reads its third descriptor and writes to its fourth.
    let flags = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
      "--user-data-dir=\(profile.path)",
    ]
    process.arguments =
      [
        "-c", #"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, "sh", file,
      ] + flags
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    let target = try send("Target.createTarget", ["url": "about:blank"])
    let attached = try send(
      "Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])
    session = attached["sessionId"] as? String
    for domain in ["Page", "Network", "Log", "Runtime", "Audits"] { try send("\(domain).enable") }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: profile)
  }

  /// Sends a command and reads on until its response has come.
  @discardableResult
  func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    lastID += 1
    var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    let bytes = try JSONSerialization.data(withJSONObject: message) + Data([0])
    try input.fileHandleForWriting.write(contentsOf: bytes)
    while true {
      let response = try receive()
      guard response["id"] as? Int == lastID else { continue }
      if let error = response["error"] { throw Failure(description: "\(method): \(error)") }
      return response["result"] as? [String: Any] ?? [:]
    }
  }

  /// The value of an expression in the page, whatever its policy says of scripts of its own.
  func value(_ expression: String) throws -> Any? {
    let response = try send(
      "Runtime.evaluate", ["expression": expression, "returnByValue": true, "awaitPromise": true])
    if let details = response["exceptionDetails"] { throw Failure(description: "\(details)") }
    return (response["result"] as? [String: Any])?["value"]
  }

  /// Opens a page and waits until it is there with everything it asks for.
  func open(_ file: URL) throws {
    events = []
    try send("Page.navigate", ["url": file.absoluteString])
    while !events.contains(where: { $0.name == "Page.loadEventFired" }) { _ = try receive() }
  }

  /// Moves the pointer to the middle of an element, and clicks there if asked to.
  func point(at selector: String, clicks: Bool = false) throws {
    let place = try value(
      """
      (() => { const e = document.querySelector("\(selector)"); e.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = e.getClientRects()[0]; return [x + width / 2, y + height / 2] })()
      """)
    guard let place = place as? [Double], place.count == 2 else {
      throw Failure(description: "no element is \(selector)")
    }
    for type in clicks ? ["mousePressed", "mouseReleased"] : ["mouseMoved"] {
      try send(
        "Input.dispatchMouseEvent",
        [
          "type": type, "x": place[0], "y": place[1], "button": clicks ? "left" : "none",
          "clickCount": 1,
        ])
    }
  }

  func press(_ key: String, code: Int) throws {
    for type in ["rawKeyDown", "keyUp"] {
      try send(
        "Input.dispatchKeyEvent",
        ["type": type, "key": key, "code": key, "windowsVirtualKeyCode": code])
    }
  }

  /// A browser that is stuck fails its test, which would hang.
  private func awaitBytes() throws {
    var response = pollfd(
      fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while true {
      switch poll(&response, 1, 60_000) {
      case 0: throw Failure(description: "the browser has not responded for a minute")
      case -1 where errno == EINTR: continue
      default: return
      }
    }
  }

  private func receive() throws -> [String: Any] {
    while true {
      if let end = unread.firstIndex(of: 0) {
        let bytes = Data(unread[..<end])
        unread = Data(unread[unread.index(after: end)...])
        let message = try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
        if let name = message["method"] as? String {
          events.append((name, message["params"] as? [String: Any] ?? [:]))
        }
        return message
      }
      try awaitBytes()
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw Failure(description: "the browser has ended") }
      unread += bytes
    }
  }
}
