import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyHTTP
import UnderstudyTestSupport

@testable import UnderstudyTool

@Suite struct UseCommandTests {
  private static let files = [
    "shop/upstream.json": #"""
    { "summary": "A shop", "scenarios": { "closing": { "scripts": { "items": ["ok", "gone"] } } } }
    """#,
    "shop/items.json": #"""
    { "summary": "What there is", "request": { "method": "GET", "path": "/items" },
      "cases": { "ok": { "status": 200 }, "gone": { "status": 410 } } }
    """#,
  ]

  private func withServer(
    token: String? = nil, _ test: (_ server: FakeServer, _ url: String) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.adminToken = token
    let server = try await FakeServer.start(
      ContractLibrary(reading: Self.files), configuration: configuration)
    try await test(server, "http://\(server.address)")
    await server.close()
  }

  private static func status(_ server: FakeServer, _ path: String = "/shop/items") throws
    -> String
  {
    let response = try HTTPExchange(port: server.address.port).run("GET \(path)")
    return String(response.dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  @Test("a case is chosen, and cleared again")
  func choose() async throws {
    try await withServer { (server, url) async throws in
      let chosen = CommandLineRun("use shop/items=gone", environment: ["UNDERSTUDY_URL": url])
      #expect(chosen.output == "shop/items serves gone\n")
      #expect(chosen.errors == "")
      #expect(chosen.code == .pass)
      #expect(try Self.status(server) == "410")
      let cleared = CommandLineRun("use --default shop/items --url \(url)")
      #expect(cleared.output == "shop/items serves ok by default\n")
      #expect(try Self.status(server) == "200")
    }
  }

  @Test("a scenario is started, of a server or a session")
  func scenario() async throws {
    try await withServer { (server, url) async throws in
      let run = CommandLineRun("use --scenario shop=closing --session w --url \(url)")
      #expect(run.output == "shop serves the scenario closing\n")
      #expect(run.errors == "")
      #expect(run.code == .pass)
      let statuses = try (0..<3).map { _ in try Self.status(server, "/~w/shop/items") }
      #expect(statuses == ["200", "410", "410"])
      #expect(try Self.status(server) == "200")
      let wrong = CommandLineRun("use --scenario shop=opening --url \(url)")
      #expect(
        wrong.errors.contains("no scenario \"opening\"")
          && wrong.errors.contains("fix: known: closing"), "\(wrong.errors)")
      #expect(wrong.code == .couldNotRun)
    }
  }

  @Test("says as JSON what is served now")
  func json() async throws {
    try await withServer { (_, url) async throws in
      let run = CommandLineRun(
        "use --reset shop/items=gone --default shop/items --format json --url \(url)")
      #expect(
        run.output == """
          {
            "reset": true,
            "scenarios": [],
            "contracts": [
              {
                "contract": "shop/items",
                "case": "ok",
                "mode": "fake",
                "chosen": false,
                "held": false
              },
              {
                "contract": "shop/items",
                "case": "gone",
                "mode": "fake",
                "chosen": true,
                "held": false
              }
            ],
            "upstreams": [],
            "mode": null
          }

          """)
      #expect(run.errors == "")
      #expect(run.code == .pass)
    }
  }

  @Test("a contract is held, and released")
  func hold() async throws {
    try await withServer { (server, url) async throws in
      let held = CommandLineRun("use --hold shop/items shop/items=gone --url \(url)")
      #expect(held.output == "shop/items serves gone\nshop/items is held\n")
      #expect(held.code == .pass)
      async let status = offPool { try Self.status(server) }
      #expect(await server.nextRequest()?.outcome == .held)
      let released = CommandLineRun("use --release shop/items --url \(url)")
      #expect(released.output == "shop/items is released\n")
      #expect(try await status == "410")
      #expect(try Self.status(server) == "410")
    }
  }

  /// Whether requests get a response.
  private static func isOn(_ server: FakeServer, _ path: String) -> Bool {
    ((try? status(server, path)) ?? "").isEmpty == false
  }

  @Test("a mode of the server, an upstream and a contract is set, and cleared again")
  func modes() async throws {
    try await withServer { (server, url) async throws in
      func use(_ line: String) -> String {
        let run = CommandLineRun(
          words: ["use", "--url", url] + line.split(separator: " ").map(String.init))
        #expect(run.errors == "")
        return run.output
      }
      #expect(use("*=off") == "the server is off\n")
      #expect(!Self.isOn(server, "/shop/items"))
      #expect(use("shop=fake") == "shop is fake\n")
      #expect(Self.isOn(server, "/shop/items"))
      #expect(use("shop/items=off") == "shop/items is off\n")
      #expect(!Self.isOn(server, "/shop/items"))
      #expect(
        use("shop/items=gone") == "shop/items serves gone once it is no longer off\n")
      #expect(use("--default shop/items") == "shop/items serves ok by default\n")
      #expect(try Self.status(server) == "200")
      #expect(use("--default shop") == "shop is off by default\n")
      #expect(use("--default shop/items") == "shop/items is off by default\n")
      #expect(use("--default *") == "the server is fake by default\n")
      #expect(Self.isOn(server, "/shop/items"))
      #expect(
        use("shop=off *=off --format json") == """
          {
            "reset": false,
            "scenarios": [],
            "contracts": [],
            "upstreams": [
              {
                "upstream": "shop",
                "mode": "off",
                "chosen": true
              }
            ],
            "mode": "off"
          }

          """)
    }
  }

  @Test("a case that is named like a mode precedes the mode")
  func caseNamedLikeMode() async throws {
    let files = [
      "lamp/upstream.json": #"{ "summary": "A lamp" }"#,
      "lamp/light.json": #"""
      { "request": { "method": "GET", "path": "/light" },
        "cases": { "on": { "status": 200 }, "off": { "status": 204 } } }
      """#,
    ]
    let server = try await FakeServer.start(ContractLibrary(reading: files))
    let run = CommandLineRun("use lamp/light=off --url http://\(server.address)")
    #expect(run.output == "lamp/light serves off\n")
    #expect(try Self.status(server, "/lamp/light") == "204")
    await server.close()
  }

  @Test("a session is controlled alone, and reset alone", arguments: [true, false])
  func session(isInURL: Bool) async throws {
    try await withServer { (server, url) async throws in
      let place = isInURL ? "--url \(url)/~w" : "--url \(url) --session w"
      #expect(CommandLineRun("use shop/items=gone \(place)").code == .pass)
      #expect(try Self.status(server) == "200")
      #expect(try Self.status(server, "/~w/shop/items") == "410")
      #expect(CommandLineRun("use --reset \(place)").output == "reset\n")
      #expect(try Self.status(server, "/~w/shop/items") == "200")
    }
  }

  @Test("the token is sent")
  func token() async throws {
    try await withServer(token: "right") { (_, url) async throws in
      let line = "use shop/items=gone --url \(url)"
      #expect(CommandLineRun("\(line) --admin-token right").code == .pass)
      #expect(
        CommandLineRun(line, environment: ["UNDERSTUDY_ADMIN_TOKEN": "right"]).code == .pass)
      for refused in [CommandLineRun(line), CommandLineRun("\(line) --admin-token wrong")] {
        #expect(
          refused.errors == """
            understudy: error: the server at \(url) rejected the admin token
              fix: set UNDERSTUDY_ADMIN_TOKEN to the token the server was started with

            """)
        #expect(refused.code == .couldNotRun)
      }
    }
  }

  @Test(
    "what the server does not know is an error",
    arguments: [
      (
        "shop/itms=ok", "no contract \"shop/itms\"\n  fix: did you mean \"shop/items\"?\n"
      ),
      (
        "shop/items=gnoe",
        "no case \"shop/items#gnoe\"\n  fix: did you mean \"shop/items#gone\"?\n"
      ),
      (
        "--hold shop/itms", "no contract \"shop/itms\"\n  fix: did you mean \"shop/items\"?\n"
      ),
      ("items=ok", "no upstream \"items\"\n  fix: did you mean \"shop/items\"?\n"),
      ("--hold itms", "no upstream \"itms\"\n  fix: did you mean \"shop/items\"?\n"),
      ("shp=ok", "no upstream \"shp\"\n  fix: did you mean \"shop\"?\n"),
      ("shop=gone", "found mode \"gone\", expected \"fake\", \"live\" or \"off\"\n"),
      ("shp/items=off", "no upstream \"shp\"\n  fix: did you mean \"shop\"?\n"),
      (
        "shop=live",
        "only understudy serve and understudy run can serve mode \"live\"\n"
          + "  fix: choose \"fake\" or \"off\"\n"
      ),
    ])
  func unknown(choice: String, message: String) async throws {
    try await withServer { (_, url) async throws in
      let run = CommandLineRun("use \(choice) --url \(url)")
      #expect(run.errors == "understudy: error: \(message)")
      #expect(run.output == "")
      #expect(run.code == .couldNotRun)
    }
  }

  @Test("where nobody listens, it says so")
  func nobody() async throws {
    var place = ""
    try await withServer { (_, url) async throws in place = url }
    let run = CommandLineRun("use --reset --url \(place)")
    #expect(
      run.errors == """
        understudy: error: no response from \(place): cannot connect: connection refused
          fix: start "understudy serve", or give the address it printed with --url

        """)
    #expect(run.code == .couldNotRun)
  }

  @Test("gives up when the time is over, however much a server sends")
  func dribbling() async throws {
    let socket = try ListeningSocket(backlog: 1)
    async let served: Void = offPool {
      let client = accept(socket.descriptor, nil, nil)
      defer { close(client) }
      var byte = UInt8(ascii: "H")
      while send(client, &byte, 1, Platform.sendingFlags) == 1 { usleep(10_000) }
    }
    let url = try #require(WebURL(base: socket.url))
    let message = try await offPool {
      let client = AdminClient(
        url: url, session: nil, token: nil, timeMax: .milliseconds(300))
      do throws(Failure) {
        try client.send("GET", "/journal")
        return ""
      } catch {
        return error.message
      }
    }
    #expect(
      message
        == "no response from \(url): cannot wait for its response: connection timed out")
    _ = try await served
  }

  @Test(
    "usage that makes no sense is an error",
    arguments: [
      (
        "use",
        "nothing to change\n  fix: name a case or a mode, such as"
          + " dog-ceo/random-images=not-found or dog-ceo=off, or add --reset\n"
      ),
      ("use shop/items", "found \"shop/items\", expected CONTRACT=CASE\n"),
      (
        "use --reset --url https://x",
        "found \"https://x\" for --url, expected an address such as http://127.0.0.1:8080\n"
          + "  fix: begin it with http://: https is for a server on this machine\n"
      ),
    ])
  func usage(line: String, message: String) {
    let run = CommandLineRun(line)
    #expect(run.errors == "understudy: error: \(message)")
    #expect(run.code == .couldNotRun)
  }
}
