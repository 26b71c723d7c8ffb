import Synchronization
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP

@testable import UnderstudyFakeServer

/// Contracts that are made while a server runs.
@Suite struct StubTests {
  private static func contract(
    _ path: String, text: String, method: String = "GET", request: String = ""
  ) -> String {
    #"""
    { "summary": "Made at run time", "request": { "method": "\#(method)", "path": "\#(path)"\#(request) },
      "cases": { "ok": { "status": 200, "text": "\#(text)" }, "gone": { "status": 410 } } }
    """#
  }

  @Test("a contract responds from when it is made until it is deleted", arguments: [1, 2])
  func responses(threads: Int) async throws {
    try await SmallServer.with(threads: threads) { (server) async throws in
      let client = try server.client()
      #expect(try client.exchange("GET /shop/new").status == 404)
      let made = try server.admin(
        "PUT", "/contracts/shop/new", body: Self.contract("/new", text: "one"))
      #expect(made.status == 201)
      #expect(try made.json()["isStub"]?.bool == true)
      #expect(try client.exchange("GET /shop/new").text == "one")
      let changed = try server.admin(
        "PUT", "/contracts/shop/new", body: Self.contract("/new", text: "two"))
      #expect(changed.status == 200)
      #expect(try client.exchange("GET /shop/new").text == "two")
      #expect(try client.exchange("GET /shop/new", ["Prefer: example=gone"]).status == 410)
      #expect(try client.exchange("GET /~w/shop/new").text == "two")
      #expect(try client.exchange("GET /shop/items").text == "[1,2]")
      #expect(try server.admin("DELETE", "/contracts/shop/new").status == 204)
      #expect(try client.exchange("GET /shop/new").status == 404)
      #expect(try server.admin("DELETE", "/contracts/shop/new").status == 404)
    }
  }

  @Test("it responds before the contract of a file that matches, however specific that is")
  func precedes() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      let made = try server.admin(
        "PUT", "/contracts/shop/all", body: Self.contract("/{rest...}", text: "all"))
      #expect(made.status == 201)
      #expect(try client.exchange("GET /shop/items").text == "all")
      #expect(try client.exchange("GET /shop").text == "all")
      #expect(try client.exchange("POST /shop/items").status == 201)
    }
  }

  @Test("hosts lead where files say, and its responses link to the fakes of other upstreams")
  func hostsAndLinks() async throws {
    func upstream(_ path: String) -> String { #"{ "baseURL": "https://api.example.com\#(path)" }"# }
    let files = [
      "one/upstream.json": upstream(""), "two/upstream.json": upstream("/v2"),
      "one/file.json": Self.contract("/v2/{rest...}", text: "one"),
      "two/file.json": Self.contract("/file", text: "two"),
    ]
    try await SmallServer.with(files, { $0.rewritesLinks = true }) { (server) async throws in
      let link = "https://api.example.com/v2/file"
      for (name, path) in [("made", "/made"), ("all", "/v2/{rest...}")] {
        let made = try server.admin(
          "PUT", "/contracts/one/\(name)", body: Self.contract(path, text: link))
        #expect(made.status == 201, "\(made.text)")
      }
      let client = try server.client()
      #expect(
        try client.exchange("GET /one/made").text == "http://\(server.address)/two/v2/file")
      #expect(try client.exchange("GET /v2/file", host: "api.example.com").text == "two")
    }
  }

  @Test("it replaces the contract of a file that has its name, wherever that is")
  func replaces() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      let made = try server.admin(
        "PUT", "/contracts/shop/items", body: Self.contract("/things", text: "things"))
      #expect(made.status == 201)
      #expect(try client.exchange("GET /shop/things").text == "things")
      #expect(try client.exchange("GET /shop/items").status == 404)
      #expect(try client.exchange("POST /shop/items").status == 201)
      let listed = try #require(try server.admin("GET", "/contracts").json()["contracts"])
      #expect(listed.elements.count { $0["id"]?.string == "shop/items" } == 1)
      #expect(try server.admin("DELETE", "/contracts/shop/items").status == 204)
      #expect(try client.exchange("GET /shop/items").status == 200)
      #expect(try server.admin("DELETE", "/contracts/shop/items").status == 409)
    }
  }

  @Test("one of a session responds only to its clients, before those of the server")
  func sessions() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      let path = "/contracts/shop/new"
      _ = try server.admin("PUT", path, session: "w", body: Self.contract("/new", text: "w"))
      #expect(try client.exchange("GET /~w/shop/new").text == "w")
      #expect(try client.exchange("GET /shop/new").status == 404)
      #expect(try client.exchange("GET /~v/shop/new").status == 404)
      _ = try server.admin("PUT", path, body: Self.contract("/new", text: "all"))
      #expect(try client.exchange("GET /~w/shop/new").text == "w")
      #expect(try client.exchange("GET /~v/shop/new").text == "all")
      #expect(try server.admin("DELETE", path, session: "v").status == 409)
      #expect(try server.admin("DELETE", path, session: "w").status == 204)
      #expect(try client.exchange("GET /~w/shop/new").text == "all")
    }
  }

  @Test("a new upstream, a case chosen by hand, a script, a journal entry and a count")
  func steering() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      _ = try server.admin(
        "PUT", "/contracts/fresh/thing", body: Self.contract("/thing", text: "x"))
      #expect(try client.exchange("GET /fresh/thing").text == "x")
      let chosen = try server.admin(
        "PUT", "/contracts/fresh/thing/case", body: #"{"case":"gone"}"#)
      #expect(chosen.status == 200)
      #expect(try client.exchange("GET /fresh/thing").status == 410)
      let entries = try server.admin("GET", "/journal?contract=fresh/thing").json()["requests"]
      #expect(entries?.elements.compactMap { $0["case"]?.string } == ["ok", "gone"])
      let upstreams = try #require(try server.admin("GET", "/contracts").json()["upstreams"])
      #expect(upstreams.elements.compactMap { $0["name"]?.string } == ["fresh", "shop"])
    }
  }

  @Test("a reset removes what was made, of one session or of all", arguments: [nil, "w"])
  func reset(session: String?) async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      let prefix = session.map { "/~\($0)" } ?? ""
      _ = try server.admin(
        "PUT", "/contracts/shop/new", session: session, body: Self.contract("/new", text: "x"))
      #expect(try client.exchange("GET \(prefix)/shop/new").status == 200)
      for other in ["v", "x"] {
        _ = try server.admin(
          "PUT", "/contracts/shop/own", session: other, body: Self.contract("/own", text: other))
      }
      #expect(try server.admin("POST", "/reset", session: session).status == 204)
      #expect(try client.exchange("GET \(prefix)/shop/new").status == 404)
      #expect(try client.exchange("GET \(prefix)/shop/items").status == 200)
      // A reset without a session is one of all.
      for other in ["v", "x"] {
        let status = try client.exchange("GET /~\(other)/shop/own").status
        #expect(status == (session == nil ? 404 : 200))
      }
    }
  }

  @Test("a request that it nearly responses is explained by it")
  func nearest() async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.admin(
        "PUT", "/contracts/shop/new",
        body: Self.contract(
          "/new", text: "x", request: #", "parameters": { "query.page": { "equals": "2" } }"#))
      let missed = try server.client().exchange("GET /shop/new?page=3")
      #expect(missed.status == 404)
      #expect(try missed.json()["nearest"]?[0]?["contract"]?.string == "shop/new")
    }
  }

  @Test(
    "what lint finds comes back with its place",
    arguments: [
      ("{", "broken-json"), ("[]", "wrong-type"),
      (#"{ "request": { "method": "GET", "path": "/x" }, "cases": {} }"#, "missing-key"),
      (
        #"{ "request": { "method": "GET", "path": "/x" }, "cases": { "ok": { "status": 2000 } } }"#,
        "bad-status"
      ),
      (
        #"{ "request": { "method": "GET", "path": "/x" }, "cases": { "ok": { "file": "../a" } } }"#,
        "unreadable-file"
      ),
    ])
  func wrong(body: String, rule: String) async throws {
    try await SmallServer.with { (server) async throws in
      let refused = try server.admin("PUT", "/contracts/shop/new", body: body)
      #expect(refused.status == 422)
      let first = try refused.json()["diagnostics"]?[0]
      #expect(first?["severity"]?.string == "error")
      #expect(first?["line"]?.int == 1)
      #expect((first?["message"]?.string ?? "").isEmpty == false)
      #expect(try server.admin("GET", "/contracts/shop/new").status == 404, "\(rule)")
    }
  }

  @Test(
    "names are those of files",
    arguments: [
      "shop/..", "../x", "Shop/x", "shop/a%2Fb", "shop/a b", "shop/.x", "shop/upstream",
      "shop/" + String(repeating: "x", count: 201),
    ])
  func names(id: String) async throws {
    try await SmallServer.with { (server) async throws in
      let path =
        "/contracts/"
        + id.split(separator: "/").map { PercentEncoding.encode(String($0)) }
        .joined(separator: "/")
      let refused = try server.admin("PUT", path, body: Self.contract("/new", text: "x"))
      #expect(refused.status == 422, "\(refused.text)")
      #expect(refused.text.contains("bad-name"), "\(refused.text)")
    }
  }

  @Test("it may name the body files of the contract that it replaces, and no others")
  func bodyFiles() async throws {
    let body: [UInt8] = [0xFF, 0, 0x80]
    var files = SmallServer.files.mapValues { Array($0.utf8) }
    files["shop/files/new"] = body
    files["shop/new.json"] = Array(
      Self.contract("/new", text: "x").replacing(#""text": "x""#, with: #""file": "files/new""#)
        .utf8)
    let server = try await FakeServer.start(ContractLibrary(readingBytes: files))
    let contract = try #require(files["shop/new.json"])
    // The second one replaces the first.
    for cases in [#""more": { "status": 201 }, "ok""#, #""ok""#] {
      let text = String(decoding: contract, as: UTF8.self).replacing(#""ok""#, with: cases)
      let made = try server.admin("PUT", "/contracts/shop/new", body: text)
      #expect([200, 201].contains(made.status), "\(made.text)")
      let client = try WireClient(port: server.address.port)
      client.send(
        "GET /shop/new HTTP/1.1\r\nHost: x\r\nPrefer: example=ok\r\nConnection: close\r\n\r\n")
      #expect(client.receiveAllBytes().bytes.suffix(3) == body[...])
    }
    let other = try server.admin(
      "PUT", "/contracts/shop/new",
      body: String(decoding: contract, as: UTF8.self).replacing("files/new", with: "files/old"))
    #expect(other.status == 422)
    #expect(other.text.contains("write the body into the contract, as"), "\(other.text)")
    await server.close()
  }

  @Test("only a server that may write saves one, and its file responds from then on")
  func save() async throws {
    let contract = Self.contract("/new", text: "x")
    try await SmallServer.with { (server) async throws in
      _ = try server.admin("PUT", "/contracts/shop/new", body: contract)
      #expect(try server.admin("POST", "/contracts/shop/new/save").status == 403)
    }
    let saved = SavedFiles()
    try await SmallServer.with {
      $0.saving = saved
    } _: { (server) async throws in
      let client = try server.client()
      #expect(try server.admin("POST", "/contracts/shop/items/save").status == 409)
      _ = try server.admin("PUT", "/contracts/shop/new", body: contract)
      let inSession = try server.admin("POST", "/contracts/shop/new/save", session: "w")
      #expect(inSession.text.contains("it was made in the main session: save it there"))
      let response = try server.admin("POST", "/contracts/shop/new/save")
      #expect(try response.json()["file"]?.string == "shop/new.json")
      #expect(saved["shop/new"] == contract)
      var files = SmallServer.files
      files["shop/new.json"] = Self.contract("/new", text: "from the file")
      server.replaceContracts(with: ContractLibrary(reading: files))
      #expect(try client.exchange("GET /shop/new").text == "from the file")
    }
  }

  /// What was done to a contract at run time.
  enum Made: CaseIterable { case unsaved, saved, savedAndChanged }

  @Test(
    "a reload leaves what no file has yet, and lets go of what was saved before it",
    arguments: Made.allCases, [true, false])
  func reloaded(made: Made, isInFiles: Bool) async throws {
    for isReadLater in [true, false] {
      let saved = SavedFiles()
      try await SmallServer.with {
        $0.saving = saved
      } _: { (server) async throws in
        var files = SmallServer.files
        if isInFiles {
          files["shop/new.json"] = Self.contract("/new", text: "file")
          saved["shop/new"] = files["shop/new.json"]
          server.replaceContracts(with: ContractLibrary(reading: files))
        }
        func put(_ text: String) throws {
          let body = Self.contract("/new", text: text)
          let status = try server.admin("PUT", "/contracts/shop/new", body: body).status
          #expect([200, 201].contains(status))
        }
        try put("made")
        if made != .unsaved {
          #expect(try server.admin("POST", "/contracts/shop/new/save").status == 200)
          files["shop/new.json"] = Self.contract("/new", text: "saved")
        }
        if made == .savedAndChanged { try put("changed") }
        // Read before anything was saved, or after it.
        server.core.replaceLibrary(
          with: ContractLibrary(reading: files), readAt: isReadLater ? .max : 0)
        let expected =
          switch made {
          case .unsaved: "made"
          case .saved: isReadLater ? "saved" : "made"
          case .savedAndChanged: "changed"
          }
        #expect(
          try server.client().exchange("GET /shop/new").text == expected,
          "\(made), read \(isReadLater ? "later" : "before")")
      }
    }
  }

  @Test("a file that has changed since then stays as it is")
  func changedFile() async throws {
    let saved = SavedFiles()
    try await SmallServer.with {
      $0.saving = saved
    } _: { (server) async throws in
      func put(_ text: String) throws {
        _ = try server.admin(
          "PUT", "/contracts/shop/new", body: Self.contract("/new", text: text))
      }
      func save() throws -> Int { try server.admin("POST", "/contracts/shop/new/save").status }
      try put("a")
      saved["shop/new"] = "somebody's"
      #expect(try save() == 409)
      #expect(saved["shop/new"] == "somebody's")
      try put("b")
      #expect(try [save(), save()] == [200, 200])
      #expect(saved["shop/new"] == Self.contract("/new", text: "b"))
    }
  }

  @Test("it may be a contract of a file: live, and with what services make of it")
  func expectations() async throws {
    try await SmallServer.with { (server) async throws in
      let contract = """
        { "summary": "What there is", "request": { "method": "GET", "path": "/items" },
          "cases": { "ok": { "status": 204, "live": {}, "expect": {
            "shop.items": { "value": null, "with": { "item": "ok" } } } } } }
        """
      let made = try server.admin("PUT", "/contracts/shop/items", body: contract)
      #expect(made.status == 201, "\(made.text)")
      #expect(try server.client().exchange("GET /shop/items").status == 204)
    }
  }

  @Test("its text is what was sent, until a reset shows that of the file again")
  func source() async throws {
    try await SmallServer.with { (server) async throws in
      let old = try #require(SmallServer.files["shop/items.json"])
      #expect(try server.admin("GET", "/contracts/shop/items/source").text == old)
      let new = " " + Self.contract("/items", text: "x")
      _ = try server.admin("PUT", "/contracts/shop/items", body: new)
      #expect(try server.admin("GET", "/contracts/shop/items/source").text == new)
      _ = try server.admin("POST", "/reset")
      #expect(try server.admin("GET", "/contracts/shop/items/source").text == old)
    }
  }

  @Test("many are made and removed without indexing all of them each time")
  func indexing() async throws {
    try await SmallServer.with { (server) async throws in
      let stubs = server.core.mainSession.stubs
      let client = try server.client()
      for number in 0..<5 {
        let made = try server.admin(
          "PUT", "/contracts/shop/new-\(number)",
          body: Self.contract("/new/\(number)", text: "\(number)"))
        #expect(made.status == 201)
        #expect(stubs.changeCount == number + 1)
      }
      #expect(try client.exchange("GET /shop/new/4").text == "4")
      #expect(stubs.changeCount == 0)
      for number in 1..<5 {
        #expect(try server.admin("DELETE", "/contracts/shop/new-\(number)").status == 204)
        #expect(stubs.changeCount == number)
      }
      #expect(try client.exchange("GET /shop/new/0").text == "0")
      #expect(try client.exchange("GET /shop/new/4").status == 404)
    }
  }

  @Test("a session takes only so many")
  func limits() throws {
    let shelf = StubShelf()
    let contract = try ContractLibrary.contract(
      named: "x", of: "shop", reading: Array(Self.contract("/x", text: "x").utf8), beside: [])
    let large = [UInt8](repeating: 32, count: StubShelf.byteCountMax)
    #expect(try shelf.put(contract, text: large))
    #expect(try shelf.put(contract, text: large) == false)
    #expect(throws: StubShelf.Full(limit: "64 MB")) { try shelf.put(contract, text: large + [32]) }
    #expect(shelf.remove("x", of: "shop"))
    #expect(shelf.isEmpty)
  }
}
