import Foundation
import Testing
import UnderstudyDrafting

@testable import UnderstudyTool

/// The real binary on a real port.
@Suite struct ServeCommandTests {
  private static let path = "/dog-ceo/api/breed/hound/images/random"

  @Test("prints its address and what to try, then each request, and stops on request")
  func session() throws {
    let samples = try SampleContracts()
    let server = try RunningServer([], in: samples.folder)
    let url = "http://127.0.0.1:PORT\(Self.path)"
    #expect(server.firstLine == "listening on http://127.0.0.1:PORT")
    #expect(
      server.lines { $0.isEmpty } == [
        "  dog-ceo  http://127.0.0.1:PORT/dog-ceo/api", "try", "  curl -i \(url)",
        "  curl -i -H 'Prefer: example=not-found' \(url)",
        "dashboard at http://127.0.0.1:PORT/__understudy/", "",
      ])
    let response = try server.send("GET \(Self.path)")
    #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(response.hasSuffix(#"{"message":"https://images.dog.ceo/1.jpg"}"#))
    #expect(try server.send("GET \(Self.path)", "Prefer: example=reset") == "")
    _ = try server.send("POST /dog-ceo/api/breed/hound")
    _ = try server.send("GET /nowhere")
    _ = try server.send("GET /")
    _ = try server.send("GET / /")
    server.interrupt()
    let end = server.end()
    #expect(
      Self.sizesLeftOut(end.output) == """
        GET     200         -      SIZE  \(Self.path)  dog-ceo/random-images#ok
        GET     -        0 ms      SIZE  \(Self.path)  dog-ceo/random-images#reset  reset
        POST    404         -      SIZE  /dog-ceo/api/breed/hound                no contract for POST /dog-ceo/api/breed/hound
          nearest: dog-ceo/random-images  GET /breed/{name}/images/random
            path segment 3: missing, expected "images"
            path segment 4: missing, expected "random"
            method: found POST, expected GET
        GET     404         -      SIZE  /nowhere                                no upstream in "/nowhere", expected a path that starts with its name
          nearest: dog-ceo/random-images  GET /breed/{name}/images/random
            path segment 1: found "nowhere", expected "breed"
            path segment 2: missing, expected "{name}"
            path segment 3: missing, expected "images"
            path segment 4: missing, expected "random"
        GET     200         -      SIZE  /                                       welcome page
        -       400         -      SIZE  -                                       expected a request line like "GET /path HTTP/1.1", with one space between its parts
        stopped after 6 requests

        """)
    #expect(end.errors == "")
    #expect(end.code == 0)
  }

  /// Sizes depend on the length of the port's number.
  private static func sizesLeftOut(_ text: String) -> String {
    text.replacing(#/ *\d+ B /#) { _ in "      SIZE " }
  }

  @Test("prints JSON Lines for programs")
  func json() throws {
    let samples = try SampleContracts()
    let server = try RunningServer(
      ["--case", "dog-ceo/random-images=slow", "--time-scale", "0"],
      in: samples.folder, format: "json")
    #expect(
      server.firstLine == #"{"event":"listening","url":"http://127.0.0.1:PORT","#
        + #""page":"http://127.0.0.1:PORT/__understudy/","proxy":null,"#
        + #""upstreams":{"dog-ceo":"http://127.0.0.1:PORT/dog-ceo/api"},"certificate":null,"environment":null}"#
    )
    _ = try server.send("GET \(Self.path)?a=1")
    _ = try server.send("GET /dog-ceo/api/breed/hound/images")
    server.terminate()
    let end = server.end()
    let lines = end.output.replacing(/"time":"[^"]+"/, with: #""time":"T""#)
      .replacing(/"sentBytes":\d+/, with: #""sentBytes":N"#)
    #expect(
      lines == """
        {"event":"request","time":"T","method":"GET","target":"\(Self.path)?a=1","contract":\
        "dog-ceo/random-images","case":"slow","status":200,"delayActualMilliseconds":0,\
        "delayConfiguredMilliseconds":0,"sentBytes":N,\
        "outcome":"responded","message":null,"nearest":null}
        {"event":"request","time":"T","method":"GET","target":"/dog-ceo/api/breed/hound/images",\
        "contract":null,"case":null,"status":404,"delayActualMilliseconds":null,\
        "delayConfiguredMilliseconds":null,"sentBytes":N,\
        "outcome":"responded","message":"no contract for GET /dog-ceo/api/breed/hound/images",\
        "nearest":[{"contract":"dog-ceo/random-images","request":"GET /breed/{name}/images/random",\
        "differences":["path segment 4: missing, expected \\"random\\""]}]}
        {"event":"stopped","requests":2,"cutOff":0}

        """)
    #expect(end.code == 0)
  }

  @Test("--quiet prints no lines for requests, but counts them", arguments: ["text", "json"])
  func quiet(format: String) throws {
    let samples = try SampleContracts()
    let server = try RunningServer(["--quiet"], in: samples.folder, format: format)
    for _ in 0..<2 {
      #expect(try server.send("GET \(Self.path)").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
    server.interrupt()
    let last =
      format == "text"
      ? "stopped after 2 requests\n" : #"{"event":"stopped","requests":2,"cutOff":0}"# + "\n"
    let lines = server.end().output
    #expect(lines.hasSuffix(last), "\(lines)")
    #expect(!lines.contains("random-images#"), "\(lines)")
  }

  @Test("a request under way is served before the end")
  func underWay() throws {
    let samples = try SampleContracts()
    let server = try RunningServer(["--time-scale", "0.1"], in: samples.folder)
    let exchange = try HTTPExchange(port: server.port)
    exchange.send("GET \(Self.path)", ["Prefer: example=slow"])
    server.interrupt()
    #expect(exchange.receive().hasPrefix("HTTP/1.1 200 OK\r\n"))
    let end = server.end()
    #expect(end.output.hasSuffix("dog-ceo/random-images#slow\nstopped after 1 request\n"))
    #expect(end.code == 0)
  }

  @Test("a second signal ends at once and reports clients cut off")
  func secondSignal() throws {
    let samples = try SampleContracts()
    let server = try RunningServer(["--time-scale", "1000"], in: samples.folder)
    let exchange = try HTTPExchange(port: server.port)
    exchange.send("GET \(Self.path)", ["Prefer: example=slow"])
    server.terminate()
    while server.isListening {}
    server.interrupt()
    #expect(exchange.receive() == "")
    let end = server.end()
    #expect(end.output.hasSuffix("slow  cancelled\nstopped after 1 request; 1 client cut off\n"))
    #expect(end.code == 0)
  }

  @Test("a stalled response does not hold up the end")
  func stalled() throws {
    let samples = try SampleContracts()
    try samples.write(
      "Contracts/dog-ceo/stuck.json",
      """
      {
        "request": { "method": "GET", "path": "/stuck" },
        "cases": { "stalled": { "status": 200, "text": "", "stall": "beforeHead" } }
      }
      """)
    let server = try RunningServer([], in: samples.folder)
    let exchange = try HTTPExchange(port: server.port)
    exchange.send("GET /dog-ceo/api/stuck")
    _ = server.lines { $0.hasSuffix("dog-ceo/stuck#stalled  stalled") }
    server.interrupt()
    let end = server.end()
    #expect(end.output == "stopped after 1 request\n")
    #expect(end.code == 0)
  }

  @Test("where others can reach it, the admin API asks for the token, and use shows it")
  func open() throws {
    let samples = try SampleContracts()
    let token = "the-right-admin-token"
    let secret = ["UNDERSTUDY_ADMIN_TOKEN": token]
    let server = try RunningServer(
      ["--bind", "0.0.0.0"], in: samples.folder, environment: secret)
    #expect(server.firstLine == "listening on http://0.0.0.0:PORT")
    #expect(server.lines { $0.isEmpty }.first == "  dog-ceo  http://127.0.0.1:PORT/dog-ceo/api")
    for (headers, status) in [
      ([], 401), (["Authorization: Bearer wrong"], 401), (["Authorization: Bearer \(token)"], 200),
      (["Authorization: Bearer \(token)", "Origin: http://evil.example"], 403),
    ] {
      let response = try HTTPExchange(port: server.port).run("GET /__understudy/health", headers)
      #expect(response.hasPrefix("HTTP/1.1 \(status) "))
    }
    let use = try ProcessRun(
      Checkout.tool.path,
      ["use", "dog-ceo/random-images=not-found", "--url", "http://127.0.0.1:\(server.port)"],
      directory: samples.folder, environment: secret)
    #expect(use.output == "dog-ceo/random-images serves not-found\n")
    #expect(use.code == 0)
    #expect(try server.send("GET \(Self.path)").hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    server.terminate()
    #expect(server.end().code == 0)
  }

  @Test("a port in use is an error with its fix", arguments: [1, 2])
  func portInUse(threadCount: Int) throws {
    let samples = try SampleContracts()
    let first = try RunningServer(["--threads", "\(threadCount)"], in: samples.folder)
    let second = try ProcessRun(
      Checkout.tool.path, ["serve", "--port", "\(first.port)", "--threads", "\(threadCount)"],
      directory: samples.folder)
    #expect(
      second.errors == """
        understudy: error: cannot listen on 127.0.0.1:\(first.port): address already in use
          fix: stop the program that listens there, or choose another port: --port 0 takes a free one

        """)
    #expect(second.output == "")
    #expect(second.code == 2)
  }

  @Test("each upstream has a port of its own, and links lead from one to the other")
  func ports() throws {
    let samples = try SampleContracts([
      "Contracts/links/upstream.json":
        #"{ "summary": "Links", "baseURL": "https://links.example" }"#,
      "Contracts/links/all.json": """
      {
        "request": { "method": "GET", "path": "/all" },
        "cases": {
          "ok": {
            "status": 200, "headers": { "Link": "<{server.dog-ceo.baseURL}/x>" },
            "template": ["headers"], "text": "{server.baseURL} https://dog.ceo/api"
          }
        }
      }
      """,
    ])
    let server = try RunningServer(["--ports", "--rewrite-links"], in: samples.folder)
    let addresses = server.lines { $0 == "try" }.compactMap {
      $0.firstMatch(of: /^  \S+ +(http:\S+:(\d+)\S*)$/)
    }
    let dogs = try #require(addresses.first)
    let links = try #require(addresses.last)
    #expect(dogs.2 != links.2)
    let port = try #require(UInt16(links.2))
    let response = try HTTPExchange(port: port).run("GET /all")
    #expect(response.contains("\r\nLink: <\(dogs.1)/x>\r\n"))
    #expect(response.hasSuffix("{server.baseURL} \(dogs.1)"))
  }

  @Test(
    "serves what the command line chooses",
    arguments: [
      (["--case", "dog-ceo/random-images=not-found"], "HTTP/1.1 404 Not Found\r\n"),
      (
        ["--script", "dog-ceo/scripted=fails-first"], "HTTP/1.1 500 Internal Server Error\r\n"
      ),
      (["--scenario", "dog-ceo=broken"], "HTTP/1.1 500 Internal Server Error\r\n"),
      (["--no-names"], "HTTP/1.1 200 OK\r\n"),
    ])
  func choices(arguments: [String], status: String) throws {
    let samples = try SampleContracts(Self.scripted)
    let server = try RunningServer(arguments, in: samples.folder)
    let response = try server.send("GET /dog-ceo/api/scripted")
    let other = try server.send("GET \(Self.path)")
    #expect(
      (arguments.contains("--script") || arguments.contains("--scenario") ? response : other)
        .hasPrefix(status))
    #expect(other.contains("Understudy-Case: ") != arguments.contains("--no-names"))
  }

  private static let scripted = [
    "Contracts/dog-ceo/upstream.json": """
    {
      "summary": "Dogs", "baseURL": "https://dog.ceo/api",
      "scenarios": { "broken": { "scripts": { "scripted": ["down"] } } }
    }
    """,
    "Contracts/dog-ceo/scripted.json": """
    {
      "request": { "method": "GET", "path": "/scripted" },
      "cases": {
        "ok": { "status": 200, "text": "fine" },
        "down": { "status": 500, "text": "down" }
      },
      "scripts": { "fails-first": ["down", "ok"] }
    }
    """,
  ]
}
