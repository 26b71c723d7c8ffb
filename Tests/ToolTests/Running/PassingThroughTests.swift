import Foundation
import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyTool

/// `--pass-through` of `run` and `serve`, and the user's own proxies.
struct PassingThroughTests {
  private static let own = "https://dog.ceo/api/breed/hound/images/random"

  @Test("a host that no upstream declares is reached, and counted")
  func reached() async throws {
    let other = try ScriptedUpstream { _ in WireMessage(status: 200, body: "live\n") }
    let script = "curl -sS -o /dev/null \(Self.own); NO_PROXY= no_proxy= curl -sS \(other.url)/x"
    let run = try await offPool {
      try RunCommandTests.run(["--pass-through", "--", "sh", "-c", script])
    }
    #expect(run.output == "live\n")
    #expect(run.errors == "no problems in 1 request, 1 of 5 cases requested, 1 passed through\n")
    #expect(run.code == 0)
    let json = try await offPool {
      try RunCommandTests.run(["--pass-through", "--format", "json", "--", "sh", "-c", script])
    }
    #expect(json.output.contains(#""passedThrough": 1,"#), "\(json.output)")
  }

  @Test("the user's own proxy is asked, and named once")
  func parent() async throws {
    let parent = try ScriptedUpstream { WireMessage(status: 200, body: "\($0.firstLine)\n") }
    let run = try await offPool {
      try RunCommandTests.run(
        ["--pass-through", "--", "curl", "-sS", "http://other.example/x"],
        environment: ["http_proxy": "http://a:b@127.0.0.1:\(parent.port)"])
    }
    #expect(run.output == "GET http://other.example/x HTTP/1.1\n")
    #expect(
      run.errors.hasPrefix(
        "other hosts pass through by your proxy, http://127.0.0.1:\(parent.port)\n"),
      "\(run.errors)")
    // Whether the fake is asked is still checked.
    #expect(run.errors.contains("the command sent no request to the fake"))
  }

  @Test("serve shows what passes through")
  func serve() async throws {
    let other = try ScriptedUpstream { _ in WireMessage(status: 204) }
    let (samples, state) = (try SampleContracts(), try StateStage())
    let server = try RunningServer(
      ["--proxy", "--pass-through"], in: samples.folder, environment: state.environment)
    let lines = server.lines(through: \.isEmpty)
    #expect(lines.contains("other hosts pass through"), "\(lines)")
    let target = "http://127.0.0.1:\(other.port)/x"
    #expect(try server.send("GET \(target)", host: "127.0.0.1:\(other.port)").contains(" 204 "))
    server.interrupt()
    let output = server.end().output
    #expect(output.contains(target) && output.contains("passed through\n"), "\(output)")
  }

  @Test(
    "what cannot go with it is said",
    arguments: [
      ("serve --pass-through", "--pass-through needs --proxy"),
      (
        "run --pass-through --no-proxy -- true", "found --pass-through and --no-proxy, expected one"
      ),
    ])
  func refused(line: String, message: String) async throws {
    let samples = try SampleContracts()
    let run = try await offPool {
      try ProcessRun(
        Checkout.tool.path, line.split(separator: " ").map(String.init), directory: samples.folder)
    }
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.code == 2)
  }

  @Test(
    "reads proxies as curl does",
    arguments: [
      (["HTTPS_PROXY": "http://p.example:1"], "https://a.example", "p.example:1 -"),
      (["HTTPS_PROXY": "http://p.example:1"], "http://a.example", nil),
      (["https_proxy": "p.example", "HTTPS_PROXY": "q"], "https://a.example", "p.example:80 -"),
      (["ALL_PROXY": "http://[::1]:8/"], "http://a.example", "::1:8 -"),
      (
        ["HTTP_PROXY": "http://u%40:p%3A@p.example:1"], "http://a.example",
        "p.example:1 Basic dUA6cDo="
      ),
      (["HTTP_PROXY": "http://u@p.example:1"], "http://a.example", "p.example:1 Basic dTo="),
      (
        ["HTTP_PROXY": "http://p.example", "NO_PROXY": "b.example, .a.example"],
        "http://x.a.example", nil
      ),
      (
        ["HTTP_PROXY": "http://p.example", "NO_PROXY": "a.example:81"], "http://a.example",
        "p.example:80 -"
      ),
      (["HTTP_PROXY": "http://p.example", "NO_PROXY": "a.example:80"], "http://a.example", nil),
      (["HTTP_PROXY": "http://p.example", "NO_PROXY": "*"], "http://a.example", nil),
      (
        ["HTTP_PROXY": "http://p.example", "NO_PROXY": "a.example"], "http://ba.example",
        "p.example:80 -"
      ),
      (["HTTP_PROXY": "http://p.example"], "http://127.0.0.1:3", nil),
      (["HTTP_PROXY": "http://127.0.0.1:8080"], "http://a.example", nil),
      (["HTTP_PROXY": ""], "http://a.example", nil),
    ] as [([String: String], String, String?)])
  func proxies(environment: [String: String], url: String, expected: String?) throws {
    let parents = try ParentProxies(besides: 8080) { environment[$0] }
    let found = parents.proxy(for: try #require(WebURL(url)))
    #expect(found.map { "\($0.host):\($0.port) \($0.authorization ?? "-")" } == expected)
  }

  @Test("other kinds of proxies are refused, without a password in the message")
  func kinds() {
    for (value, message) in [
      ("socks5://u:p@p.example:1", "ALL_PROXY names a proxy of socks5://, expected http://"),
      ("http://u:p@", "ALL_PROXY is not the address of a proxy"),
    ] {
      let failure = #expect(throws: Failure.self) {
        try ParentProxies { $0 == "ALL_PROXY" ? value : nil }
      }
      #expect(failure?.message == message)
    }
  }
}
