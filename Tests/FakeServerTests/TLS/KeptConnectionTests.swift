import Testing
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// Connections of TLS that clients use again, and when they have to begin anew.
struct KeptConnectionTests {
  private static let cases = #"""
    "cases": {
      "ok": { "status": 200, "body": [1, 2] },
      "gone": { "status": 410 },
      "expired": { "fault": "TLS_EXPIRED" } }
    """#
  private static let files = [
    "shop/upstream.json": #"{ "summary": "A shop" }"#,
    "shop/items.json": #"{ "request": { "method": "GET", "path": "/items" }, \#(cases) }"#,
    "cafe/upstream.json": #"{ "summary": "A café" }"#,
    "cafe/menu.json": #"{ "request": { "method": "GET", "path": "/menu" }, \#(cases) }"#,
  ]

  /// What a client in Python prints, that knows the ports `shop`, `cafe` and, of a session,
  /// `session`.
  private func printed(_ lines: String) async throws -> [String] {
    var printed: [String] = []
    try await SecureServer.with(Self.files) {
      $0.givesPorts = true
    } _: { secure in
      let port = try await secure.server.openPort(session: "a")
      let ports = try ["shop", "cafe"].map { try #require(secure.server.baseURL(of: $0)) }
      let numbers = (ports + ["\(port.origin)"]).map { url in
        url.split(separator: ":")[2].prefix { $0 != "/" }
      }
      printed = try await secure.python(
        """
        shop, cafe, session = \(numbers.joined(separator: ", "))
        choice = api + "/contracts/shop/items/case"

        """ + lines)
      await secure.server.close(port)
    }
    return printed
  }

  @Test("what breaks no handshake leaves them open")
  func staysOpen() async throws {
    let printed = try await printed(
      """
      client, steering = connect(shop), connect(shop)
      get(client, "/items")
      get(steering, choice, "PUT", '{"case":"gone"}')
      get(client, "/items")
      get(steering, api + "/reset", "POST")
      get(client, "/items")
      """)
    #expect(printed == ["200 kept", "200 kept", "410 kept", "204 kept", "200 kept"])
  }

  @Test("a case that breaks handshakes closes those of its port, and says so where it can")
  func closes() async throws {
    let printed = try await printed(
      """
      client, other, steering = connect(shop), connect(cafe), connect(shop)
      get(client, "/items")
      get(other, "/menu")
      get(steering, choice, "PUT", '{"case":"expired"}')
      get(client, "/items")
      get(other, "/menu")
      """)
    #expect(printed == ["200 kept", "200 kept", "200 close", "lost", "200 kept"])
  }

  @Test("those of a session with a port of its own are its own")
  func sessionPort() async throws {
    let printed = try await printed(
      """
      client, other = connect(session), connect(shop)
      get(client, "/~a/shop/items")
      get(other, "/items")
      get(connect(), choice, "PUT", '{"case":"expired"}')
      get(client, "/~a/shop/items")
      get(other, "/items")
      """)
    #expect(printed == ["200 kept", "200 kept", "200 close", "200 kept", "lost"])
  }

  @Test("a request that had begun by then gets its response")
  func begun() async throws {
    let printed = try await printed(
      """
      client = connect(shop)
      get(client, "/items")
      client.sock.sendall(b"GET /items HTTP/1.1\\r\\nHo")
      get(connect(), choice, "PUT", '{"case":"expired"}')
      client.sock.sendall(b"st: localhost\\r\\n\\r\\n")
      response = http.client.HTTPResponse(client.sock)
      response.begin()
      show(response)
      print(client.sock.recv(1))
      """)
    #expect(printed == ["200 kept", "200 close", "200 close", "b''"])
  }

  @Test("held responses and streams of events go on")
  func goOn() async throws {
    let printed = try await printed(
      """
      admin("/contracts/shop/items/hold", "PUT")
      client, listener = connect(shop), connect(shop)
      client.request("GET", "/items")
      held = []
      while not held: held = admin("/held")["held"]
      listener.request("GET", api + "/events")
      events = listener.getresponse()
      get(connect(), choice, "PUT", '{"case":"expired"}')
      print(any(b"expired" in line for line in iter(events.readline, b"")))
      admin("/held/" + str(held[0]["id"]) + "/release", "POST")
      print(client.getresponse().status)
      """)
    #expect(printed == ["200 close", "True", "200"])
  }

  @Test("the response before a step that breaks the handshake is the last of its connection")
  func script() async throws {
    let printed = try await printed(
      """
      client, idle = connect(shop), connect(shop)
      get(idle, "/items")
      script = '{"cases":["ok","expired","gone"]}'
      get(connect(), api + "/contracts/shop/items/script", "POST", script)
      get(client, "/items")
      # A turn of the loop later, the idle one is closed.
      admin("/health")
      get(idle, "/items")
      try: connect(shop)
      except ssl.SSLCertVerificationError as error: print(error.verify_message)
      get(connect(shop), "/items")
      """)
    #expect(
      printed == [
        "200 kept", "200 kept", "200 close", "lost", "certificate has expired", "410 kept",
      ])
  }

  @Test("a client that says nothing more gets its responses, and then the end")
  func halfClosed() async throws {
    let printed = try await printed(
      """
      plain = socket.create_connection(("127.0.0.1", shop), timeout=20)
      arrived, leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
      secure = trust.wrap_bio(arrived, leaving, server_hostname="127.0.0.1")
      while True:
        try: secure.do_handshake(); break
        except ssl.SSLWantReadError:
          plain.sendall(leaving.read())
          arrived.write(plain.recv(65536))
      # What the server's own API responds takes a turn of the loop.
      for path in [api + "/health", "/items", api + "/health"]:
        secure.write(f"GET {path} HTTP/1.1\\r\\nHost: 127.0.0.1:{shop}\\r\\n\\r\\n".encode())
      try: secure.unwrap()
      except ssl.SSLWantReadError: pass
      plain.sendall(leaving.read())
      while piece := plain.recv(65536): arrived.write(piece)
      received = b""
      try:
        while piece := secure.read(65536): received += piece
      except ssl.SSLError: pass
      print(received.count(b"HTTP/1.1 200 OK"))
      """)
    #expect(printed == ["3"])
  }
}
