import Testing
import UnderstudyFakeServer

@testable import UnderstudyClient

@Suite struct RedirectTests {
  private static let redirect = #"""
    "found": { "status": 302, "headers": { "Location": "/api/x?b" }, "text": "elsewhere" },
    "ok": { "status": 200, "body": [1] }
    """#

  @Test("a redirect is an ordinary response unless following is requested")
  func off() async throws {
    try await Fake.run(Self.redirect) { fake in
      let response = try await fake.transport.send(fake.request())
      #expect(response.status == 302)
      #expect(response.text == "elsewhere")
    }
  }

  @Test("follows as often as it may, with everything the request has")
  func following() async throws {
    try await Fake.run(Self.redirect) { fake in
      fake.server.use(["found", "found", "ok"], for: "api/get")
      var request = fake.request { $0.redirectCountMax = 2 }
      request.headers = ["Authorization": "Bearer x", "X-Api-Key": "y"]
      let response = try await fake.transport.send(request)
      #expect(response.text == "[1]")
      #expect(response.url == fake.url + "?b")
      let last = try #require(await fake.server.journal().last)
      #expect(last.headers.contains { $0.name == "X-Api-Key" })

      await fake.server.reset()
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(fake.request { $0.redirectCountMax = 3 })
      }
      #expect(
        error
          == TransportError(.tooManyRedirects, "GET \(fake.url): gave up at GET \(fake.url)"))
      #expect(await fake.server.journal().count == 4)
    }
  }

  @Test("sends no secrets to another origin")
  func secrets() async throws {
    try await Fake.run(#""ok": { "status": 200, "body": [1] }"#) { other in
      let away = #""away": { "status": 302, "headers": { "Location": "\#(other.url)" } }"#
      try await Fake.run(away) { fake in
        var request = fake.request { $0.redirectCountMax = 1 }
        request.headers = [
          "Authorization": "Bearer x", "Cookie": "a=1", "X-Api-Key": "y", "X-Whatever": "z",
          "Accept": "text/html",
        ]
        let response = try await fake.transport.send(request)
        #expect(response.url == other.url)
        let entry = try #require(await other.server.journal().first)
        #expect(
          Set(entry.headers.map { $0.name.lowercased() }) == ["host", "accept", "accept-encoding"])
        #expect(entry.headers.contains { $0.name == "Accept" && $0.value == "text/html" })
      }
    }
  }

  @Test(
    "keeps or drops method and body as the status says",
    arguments: [
      (301, .post, .get, nil), (302, .post, .get, nil), (303, .put, .get, nil),
      (303, .head, .head, nil), (307, .post, .post, "x"), (308, .put, .put, "x"),
      (302, .put, .put, "x"),
    ] as [(Int, HTTPMethod, HTTPMethod, String?)])
  func methods(status: Int, method: HTTPMethod, next: HTTPMethod, body: String?) throws {
    var request = ClientRequest(method, url: "http://a/b", headers: ["Content-Type": "text/plain"])
    if method != .head { request.body = Array("x".utf8) }
    let response = ClientResponse(status: status, headers: ["Location": "c"])
    let redirected = try #require(try request.redirected(by: response))
    #expect(redirected.method == next)
    #expect(redirected.url == "http://a/c")
    #expect(redirected.body == body.map { Array($0.utf8) })
  }

  @Test(
    "sends no body to another origin, and follows only HTTP addresses",
    arguments: [
      ("https://a/", true), ("http://b/", true), ("http://a:81/", true), ("http://a:80/", false),
      ("//a/x", false), ("//b/x", true),
    ])
  func origins(location: String, isOther: Bool) throws {
    let request = ClientRequest(.put, url: "http://a/b", body: [1])
    let next = try request.redirected(
      by: ClientResponse(status: 307, headers: ["Location": location]))
    #expect((next == nil) == isOther)
  }

  @Test(
    "a redirect to an address that is not HTTP is malformed",
    arguments: ["file:///etc/passwd", "http://"])
  func nowhere(location: String) {
    #expect(
      throws: TransportError(
        .malformedResponse, "GET http://a/b: the redirect does not lead to an HTTP address")
    ) {
      try ClientRequest(url: "http://a/b").redirected(
        by: ClientResponse(status: 302, headers: ["Location": location]))
    }
  }

  @Test(
    "no redirect leads to a link-local or unspecified address",
    arguments: [
      ("169.254.169.254", "169.254.169.254"), ("0.0.0.0", "0.0.0.0"), ("0.1.2.3", "0.1.2.3"),
      ("2852039166", "169.254.169.254"), ("[::]", "0:0:0:0:0:0:0:0"),
      ("[::ffff:169.254.1.2]", "169.254.1.2"), ("[fe80::1]", "fe80:0:0:0:0:0:0:1"),
      ("[febf::1]", "febf:0:0:0:0:0:0:1"), ("[fd00:ec2::254]", "fd00:ec2:0:0:0:0:0:254"),
    ])
  func closed(host: String, shown: String) async throws {
    let away = #""away": { "status": 307, "headers": { "Location": "http://\#(host)/x" } }"#
    try await Fake.run(away) { fake in
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(fake.request { $0.redirectCountMax = 1 })
      }
      #expect(error?.kind == .cannotConnect)
      #expect(
        error?.message.hasSuffix(
          "nobody is led to a link-local or unspecified address: \(shown)") == true)
    }
  }

  @Test(
    "other addresses are not closed to redirects",
    arguments: [
      "127.0.0.1", "10.0.0.1", "169.253.0.1", "[::1]", "[fd00::1]", "[fec0::1]", "a.example",
    ])
  func open(host: String) {
    #expect(ClientRequest(url: "http://\(host)/").closedAddress == nil)
  }

  @Test(
    "the address that is connected to counts, for a request that a redirect has led away",
    arguments: [("0.0.0.0", "0.0.0.0"), ("[::ffff:0.0.0.0]", "0.0.0.0")])
  func connecting(host: String, shown: String) async throws {
    try await Fake.run(#""ok": { "status": 200, "body": [1] }"#) { fake in
      var request = fake.request()
      request.url = request.url.replacing("127.0.0.1", with: host)
      // Whoever sends it may ask for what he likes, and leaves an open connection.
      let own = try await fake.transport.send(request)
      #expect(own.text == "[1]")
      request.isLedAway = true
      let led = request
      let error = await failure { () async throws(TransportError) in
        try await fake.transport.send(led)
      }
      #expect(error?.kind == .cannotConnect)
      #expect(
        error?.message
          == "\(request.place): nobody is led to a link-local or unspecified address:"
          + " \(shown)")
      #expect(await fake.server.journal().count == 1)
      request.url = fake.url
      let other = try await fake.transport.send(request)
      #expect(other.text == "[1]")
    }
  }

  @Test("a file gets the requested body, not that of a redirect")
  func handler() async throws {
    try await Fake.run(Self.redirect) { fake in
      fake.server.use(["found", "ok"], for: "api/get")
      let response = try await fake.transport.send(
        fake.request { $0.redirectCountMax = 2 },
        to: .handler { bytes in bytes.elementsEqual("[1]".utf8) })
      #expect(response.status == 200)
    }
  }

  @Test("a message names the request without what may be secret")
  func place() {
    #expect(ClientRequest(url: "http://u:p@a:1/b?key=x#y").place == "GET http://a:1/b")
    #expect(ClientRequest(url: "http://a/@b").place == "GET http://a/@b")
    #expect(ClientRequest(.post, url: "fake url?x").place == "POST fake url")
  }
}
