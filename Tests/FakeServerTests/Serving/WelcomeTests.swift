import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

@Suite struct WelcomeTests {
  private static let upstreams: [(name: String, summary: String?, baseURL: String)] = [
    ("dogs", "Dogs & <cats>", "http://127.0.0.1:1/dogs/api"),
    ("jokes", nil, "http://127.0.0.1:1/jokes"),
  ]

  private func body(_ request: Request) -> String? {
    Welcome.respond(to: request, upstreams: Self.upstreams, relays: false).map {
      String(decoding: $0.body, as: UTF8.self)
    }
  }

  @Test("it says so if requests are forwarded to live APIs")
  func relaying() throws {
    let response = try #require(
      Welcome.respond(to: Request("GET", "/"), upstreams: Self.upstreams, relays: true))
    let text = Self.text.replacing(
      """
      APIs. It responds from their contracts and never forwards
      requests to the live ones.
      """,
      with: """
        APIs that records: it forwards unmatched requests to the
        live ones.
        """)
    #expect(String(decoding: response.body, as: UTF8.self) == text)
  }

  private static let text = """
    This is Understudy, a fake of these APIs. It responds from their contracts and never forwards
    requests to the live ones. Give your client one of these base URLs:

      http://127.0.0.1:1/dogs/api  Dogs & <cats>
      http://127.0.0.1:1/jokes

    The headers Understudy-Contract and Understudy-Case of a response name its contract and case. To
    get another case, send the header "Prefer: example=NAME" or "Prefer: code=404"; "understudy
    list" shows the cases. An unmatched request gets the nearest ones. To watch and
    steer all this, open /__understudy/ in a browser.

    """

  @Test("the welcome page describes the server")
  func plain() {
    #expect(body(Request("GET", "/")) == Self.text)
  }

  @Test("an upstream named by Host has no welcome page")
  func ofUpstream() async throws {
    let files = [
      "shop/upstream.json": #"{ "baseURL": "https://shop.example" }"#,
      "shop/x.json": #"""
      { "request": { "method": "GET", "path": "/x" }, "cases": { "ok": { "status": 200 } } }
      """#,
    ]
    try await SmallServer.with(files) { (server) async throws in
      let client = try server.client()
      #expect(try client.exchange("GET /").status == 200)
      #expect(try client.exchange("GET /", host: "shop.example").status == 404)
      #expect(try client.exchange("GET /x", host: "shop.example").status == 200)
    }
  }

  @Test("a browser gets a page")
  func page() {
    let accept = HeaderField(name: "Accept", value: "text/html,application/xhtml+xml")
    let escaped = Self.text.replacing("Dogs & <cats>", with: "Dogs &amp; &lt;cats&gt;")
    #expect(
      body(Request("GET", "/", headers: [accept])) == """
        <!doctype html>
        <meta charset="utf-8">
        <title>Understudy</title>
        <pre>
        \(escaped)</pre>

        """)
  }

  @Test(
    "no other path has it",
    arguments: [Request("POST", "/"), Request("GET", "/x"), Request("GET", "/__understudy")])
  func elsewhere(request: Request) {
    #expect(body(request) == nil)
  }
}
