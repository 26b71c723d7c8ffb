import Foundation
import Testing

@testable import UnderstudyTool

/// `understudy wiremock`.
@Suite struct WireMockCommandTests {
  private static let stub = #"{ "request": { "url": "/a" }, "response": { "body": "from disk" } }"#
  private static let proxy = #"{ "response": { "proxyBaseUrl": "http://x" } }"#

  private static func folder(_ files: [String: String]) throws -> SampleContracts {
    try SampleContracts(only: files)
  }

  @Test("stubs of the folder and of clients are served, and requests printed on demand")
  func serves() throws {
    let samples = try Self.folder(["mappings/a.json": Self.stub, "mappings/b.json": Self.proxy])
    let server = try RunningServer(
      ["--verbose", "--no-request-journal"], in: samples.folder, command: "wiremock")
    let host = "localhost:\(server.port)"
    #expect(try server.send("GET /a").contains("from disk"))
    let stub = #"{ "request": { "url": "/b" }, "response": { "body": "made" } }"#
    #expect(try server.send("POST /__admin/mappings", host: host, body: stub).contains(" 201 "))
    #expect(try server.send("GET /b").contains("made"))
    let counted = try server.send("POST /__admin/requests/count", host: host, body: "{}")
    #expect(counted.contains(#""count":-1"#))
    let printed = server.lines { $0.contains("/b ") }
    #expect(printed.contains { $0.contains("wiremock/b#ok") })
    #expect(try server.send("POST /__admin/shutdown", host: host).contains(" 200 "))
    let end = server.end()
    #expect(end.code == 0)
    #expect(end.errors.contains("b.json:1:1: left out, because a case does not pass requests on"))
  }

  @Test("WireMock's own command lines start it, and a miss names the path that was asked for")
  func options() throws {
    let samples = try Self.folder(["mappings/a.json": Self.stub])
    let server = try RunningServer(
      [
        "--container-threads", "20", "--async-response-enabled=true", "--jetty-idle-timeout",
        "1000", "--max-template-cache-entries", "--enable-stub-cors",
        "--max-request-journal-entries", "2",
      ], in: samples.folder, command: "wiremock")
    let page = try server.send("GET /a", "Origin: http://localhost:3000")
    #expect(page.contains("Access-Control-Allow-Origin: "), "\(page)")
    let unmatched = try server.send("GET /nothing?a=1")
    #expect(unmatched.contains(#""detail":"no contract for GET /nothing""#), "\(unmatched)")
    _ = try server.send("GET /nothing")
    let host = "localhost:\(server.port)"
    let logged = try server.send("GET /__understudy/journal/unmatched", host: host)
    #expect(logged.contains("no contract for GET /nothing"), "\(logged)")
    let counted = try server.send("POST /__admin/requests/count", host: host, body: "{}")
    #expect(counted.contains(#""count":2"#), "\(counted)")
    server.terminate()
    let end = server.end()
    #expect(end.code == 0)
    #expect(
      end.errors == """
        without effect here: --container-threads, --async-response-enabled, --jetty-idle-timeout, \
        --max-template-cache-entries

        """)
  }

  @Test("changed files are served, and broken ones change nothing")
  func reloads() throws {
    let samples = try Self.folder(["mappings/a.json": Self.stub])
    let server = try RunningServer([], in: samples.folder, command: "wiremock")
    for text in ["changed", "changed again"] {
      try samples.write("mappings/b.json", "{")
      try samples.write("mappings/a.json", Self.stub.replacing("from disk", with: text))
      try samples.write("mappings/b.json", Self.stub.replacing("/a", with: "/b"))
      _ = server.lines { $0.hasPrefix("reloaded") }
      while try !server.send("GET /a").contains(text) {
        _ = server.lines { $0.hasPrefix("reloaded") }
      }
    }
    server.terminate()
    #expect(server.end().code == 0)
  }

  @Test(
    "what cannot run is said with its place and fix",
    arguments: [
      (["wiremock", "--root-dir", "nowhere"], "no such folder: nowhere"),
      (["wiremock", "--root-dir", "broken"], "broken/mappings/a.json:1:2: "),
      (["wiremock", "--bind-address", "0.0.0.0"], "0.0.0.0"),
      (["wiremock", "--https-port", "8443"], "--https-port is not supported: there is one port"),
      (
        ["wiremock", "--proxy-all=http://a"],
        "--proxy-all is not supported: requests are passed on only while a client records"
      ),
      (
        ["wiremock", "--extensions", "a.B"],
        "--extensions is not supported: extensions are Java code"
      ),
      (["wiremock", "--http-port", "1"], "did you mean \"--https-port\"?"),
      (["serve", "--container-threads", "1"], "unknown option \"--container-threads\""),
    ])
  func wrong(arguments: [String], text: String) throws {
    let samples = try Self.folder(["broken/mappings/a.json": "{"])
    let run = try ProcessRun(
      Checkout.tool.path, arguments + ["--port", "0"], directory: samples.folder)
    #expect(run.code == 2)
    #expect(run.errors.contains(text), "\(run.errors)")
  }
}
