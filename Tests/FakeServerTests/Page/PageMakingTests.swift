import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

extension PageTests {
  /// What the page makes of a request: a command, a case, a contract.
  @Suite struct Making {
    private static let live = SmallServer.files.merging([
      "shop/upstream.json": #"{ "summary": "A shop", "baseURL": "https://api.shop.example/v1" }"#
    ]) { $1 }

    /// What was copied last.
    private static func copy(_ selector: String, _ browser: WebDriver) throws -> String {
      try browser.value(
        "void Object.defineProperty(navigator, 'clipboard', "
          + "{ configurable: true, value: { writeText: async (text) => window.copied = text } })")
      try browser.click(selector)
      try browser.wait(for: "#done", toSay: "Copied.")
      return try #require(browser.value("window.copied").string)
    }

    @Test(
      "a copied command sends the same request, and reads no file",
      arguments: [
        (
          "POST /shop/items", "@/etc/passwd",
          "-i -X POST -H 'Content-Type:' --data-raw '@/etc/passwd'"
        ),
        ("POST /shop/items", "it's", #"-i -X POST -H 'Content-Type:' --data-raw 'it'\''s'"#),
        (
          "POST /shop/items", #"a'; touch x; $(id) `id` \"b"#,
          #"-i -X POST -H 'Content-Type:' --data-raw 'a'\''; touch x; $(id) `id` \"b'"#
        ),
        ("GET|id /shop/items", nil, "-i -X 'GET|id'"),
        ("HEAD /shop/items", nil, "-I"),
        ("GET /shop/items", nil, "-i"),
      ])
    func curl(line: String, body: String?, options: String) async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        let client = try server.client()
        client.ask(line, ["Connection: close"], host: "\(server.address)", body: body)
        _ = client.receiveAll()
        try browser.click("#rows .target")
        let copied = try Self.copy("#copy-curl", browser)
        #expect(copied == "curl \(options) 'http://\(server.address)/shop/items'")
        if let body { #expect(try Self.words(of: copied).contains(body)) }
      }
    }

    /// What a shell makes of a command: its words, and no more.
    private static func words(of command: String) throws -> [String] {
      let shell = Process()
      let output = Pipe()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      // Anything else that the text would run is not found, and ends it.
      shell.arguments = ["-euc", "PATH=/nowhere; curl() { printf '%s\\0' \"$@\"; }; \(command)"]
      shell.standardOutput = output
      try shell.run()
      let bytes = output.fileHandleForReading.readOn()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0)
      return String(decoding: bytes, as: UTF8.self).split(separator: "\0").map(String.init)
    }

    @Test("a copied command says when it has not the whole body")
    func binary() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        let client = try server.client()
        client.send("POST /shop/items HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n")
        client.send([0xFF])
        _ = try client.response()
        try browser.click("#rows .target")
        #expect(
          try Self.copy("#copy-curl", browser) == """
            # The body is left out: it is not text, or the request log has only a part.
            curl -i -X POST -H 'Host: x' 'http://\(server.address)/shop/items'
            """)
      }
    }

    @Test("a request by the live API's Host stays here, and becomes a contract below its base URL")
    func liveHost() async throws {
      try await SmallServer.with(Self.live) { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        let client = try server.client()
        #expect(try client.exchange("GET /v1/zzz", host: "api.shop.example").status == 404)
        try browser.click("#rows .target")
        #expect(
          try Self.copy("#copy-curl", browser)
            == "curl -i -H 'Host: api.shop.example' 'http://\(server.address)/v1/zzz'")
        try browser.click("#make")
        try browser.click("#editor-serve")
        try browser.wait(for: "#done", toSay: "shop/zzz is served.")
        #expect(try client.exchange("GET /v1/zzz", host: "api.shop.example").text == "{}")
      }
    }

    @Test("a contract replaces another only by a name that somebody typed, after being told")
    func names() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        _ = try server.client().exchange("GET /shop/items?x=1&x=2")
        try browser.click("#rows .target")
        try browser.click("#make")
        try browser.wait(for: "document.querySelector('#editor').open")
        #expect(
          try browser.value("document.querySelector('#editor-name').value").string == "items-2")
        try browser.click("#editor-name")
        try browser.press(WebDriver.Key.end, WebDriver.Key.backspace, WebDriver.Key.backspace)
        try browser.wait(for: "#editor-note", toSay: "Replaces shop/items, 5 cases.")
        try browser.press("-", "3")
        try browser.wait(for: "#editor-note", toSay: "Responds before")
        try browser.click("#editor-serve")
        try browser.wait(for: "#done", toSay: "shop/items-3 is served.")
        #expect(try server.client().exchange("GET /shop/items?x=1&x=2").text == "[1,2]")
        try browser.press("3")
        try browser.wait(for: "#notice", toSay: "shop/items-3 has no case number 3.")
      }
    }

    @Test("what is made is saved, edited and removed, and a file changed meanwhile stays")
    func saving() async throws {
      let saved = SavedFiles()
      try await SmallServer.with {
        $0.saving = saved
      } _: { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        _ = try server.client().exchange("GET /shop/new")
        try browser.click("#rows .target")
        try browser.click("#make")
        try browser.click("#editor-save")
        try browser.wait(for: "#done", toSay: "Saved shop/new.json.")
        #expect(saved["shop/new"] != nil)
        // It is still said when the server has read the new file.
        server.follow(.mended(ContractLibrary(reading: SmallServer.files)), readAt: .max)
        _ = try server.client().exchange("GET /shop/later")
        try browser.wait(for: "#rows", toSay: "GET /shop/later")
        #expect(
          try browser.value("document.querySelector('#done').textContent").string
            == "Saved shop/new.json.")
        saved["shop/new"] = "somebody's"
        try browser.click("#contract .save")
        try browser.wait(for: "#notice", toSay: "served, but not saved: the file of")
        #expect(saved["shop/new"] == "somebody's")
        try browser.click("#contract .edit")
        try browser.wait(for: "document.querySelector('#editor').open")
        _ = try server.admin(
          "PUT", "/contracts/shop/new",
          body: #"{"request":{"method":"GET","path":"/new"},"cases":{"ok":{"status":204}}}"#)
        try browser.click("#editor-serve")
        try browser.wait(for: "#editor-problem", toSay: "shop/new has changed since")
        try browser.click("#editor .close")
        try browser.value("void (window.confirm = (text) => { window.asked = text; })")
        try browser.press("R")
        try browser.wait(for: "window.asked === 'A reset removes 1 contract made here. Reset?'")
        #expect(try server.client().exchange("GET /shop/new").status == 204)
        try browser.click("#contract .remove")
        try browser.wait(for: "!document.querySelector('.selected')")
        #expect(try server.client().exchange("GET /shop/new").status == 404)
      }
    }

    @Test("a contract with bodies in files of their own gets a case")
    func bodyFile() async throws {
      let files = SmallServer.files.merging([
        "shop/files/note": "kept apart",
        "shop/note.json": """
        { "request": { "method": "GET", "path": "/note" },
          "cases": { "ok": { "status": 200, "file": "files/note" } } }
        """,
      ]) { $1 }
      try await SmallServer.with(files) { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        #expect(try server.client().exchange("GET /shop/note?b=1").text == "kept apart")
        try browser.click("#rows .target")
        try browser.click("#make-case")
        try browser.wait(for: "document.querySelector('#editor').open")
        try browser.click("#editor-serve")
        try browser.wait(for: "#done", toSay: "shop/note is served.")
        #expect(
          try server.client().exchange("GET /shop/note", ["Prefer: example=ok"]).text
            == "kept apart")
      }
    }

    @Test("a contract needs no secret, and meets a reset with a reset")
    func secrets() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        let body = #"{"user":"jo","password":"invented one"}"#
        let type = ["Content-Type: application/json"]
        _ = try server.client().exchange("POST /shop/session", type, body: body)
        try browser.click("#rows .target")
        try browser.click("#make")
        try browser.click("#editor-serve")
        try browser.wait(for: "#done", toSay: "shop/session is served.")
        #expect(try server.client().exchange("POST /shop/session", type, body: body).status == 200)
        #expect(
          try server.client().exchange("POST /shop/session", type, body: #"{"user":"al"}"#).status
            == 404)
        _ = try server.admin("PUT", "/contracts/shop/items/case", body: #"{"case":"reset"}"#)
        let client = try server.client()
        client.ask("GET /shop/items")
        #expect(client.receiveAll().end == .reset)
        try browser.click("#rows tr.broken .target")
        #expect(
          try Self.copy("#copy-case", browser)
            == "\"new-case\": {\n  \"fault\": \"CONNECTION_RESET_BY_PEER\"\n}")
      }
    }
  }
}
