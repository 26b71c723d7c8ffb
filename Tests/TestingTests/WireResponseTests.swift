import Testing
import UnderstudyTestSupport

@testable import UnderstudyTesting

/// What comes over the wire, of contracts and of the test itself.
@Suite struct WireResponseTests {
  /// Status, type, `X-A` and body, or that nothing came.
  private static func ask(
    _ fake: FakeAPI, _ target: String = "/random_joke", _ method: String = "GET"
  ) async throws -> [String] {
    let parts = try fake.baseURL().split(separator: "/", maxSplits: 2).map(String.init)
    let (address, path) = (parts[1].split(separator: ":"), "/\(parts[2])\(target)")
    let port = try #require(UInt16(address[1]))
    return try await offPool {
      guard let response = try? WireMessage(method, path).ask(port: port), response.status > 0
      else {
        return ["no response"]
      }
      let fields = ["Content-Type", "X-A"].map { response.values($0).joined(separator: ", ") }
      return ["\(response.status)"] + fields + [String(decoding: response.body, as: UTF8.self)]
    }
  }

  @Test("a response of the test has the status, the type, the headers and the body that it says")
  func forms() async throws {
    try await withFake("joke") { fake in
      let forms: [(response: FakeAPI.Response, expected: [String])] = [
        (.json(#"{ "a": 1.0 }"#), ["200", "", "", #"{"a":1.0}"#]),
        (.json("[]", status: 201), ["201", "", "", "[]"]),
        (.text("plain words"), ["200", "", "", "plain words"]),
        (.text("no", status: 418), ["418", "", "", "no"]),
        (.status(204), ["204", "", "", ""]),
        (.status(503).header("X-A", "1").header("X-A", "2"), ["503", "", "2", ""]),
        (
          .json("1").header("Content-Type", "text/x").header("X-A", "1"),
          ["200", "text/x", "1", "1"]
        ),
        (.reset, ["no response"]),
      ]
      for (response, expected) in forms {
        try fake.respond(to: .get, "/random_joke", with: response)
        let found = try await Self.ask(fake)
        #expect(found == expected)
      }
    }
  }

  @Test("a delayed response is as late as it says, and otherwise the same")
  func delayed() async throws {
    try await withFake("joke") { fake in
      try fake.respond(
        to: .get, "/random_joke", with: .text("late", status: 201).delayed(by: .milliseconds(30)))
      #expect(try await Self.ask(fake).first == "201")
      try fake.respond(to: .get, "/random_joke", with: .text("soon"))
      #expect(try await Self.ask(fake).last == "soon")
      #expect(await fake.server.journal().map(\.delayConfigured) == [.milliseconds(30), .zero])
    }
  }

  @Test("each method has a response of its own")
  func methods() async throws {
    try await withFake("joke") { fake in
      let methods: [FakeAPI.Method] = [.get, .post, .put, .patch, .delete, .head, .options]
      for method in methods {
        try fake.respond(to: method, "/x/{id}/{rest...}", with: .text(method.rawValue))
      }
      for method in methods {
        let response = try await Self.ask(fake, "/x/1/2/3", method.rawValue)
        #expect(
          response.first == "200" && response.last == (method == .head ? "" : method.rawValue))
      }
    }
  }

  @Test("cases follow one another, one for each request, and the last repeats")
  func sequence() async throws {
    try await withFake("joke") { fake in
      try fake.use(["server-error", "not-found", "ok"], of: "joke/random-joke")
      var statuses: [String?] = []
      for _ in 1...4 { statuses.append(try await Self.ask(fake).first) }
      #expect(statuses == ["500", "404", "200", "200"])
      try fake.use("not-found", of: "joke")
      #expect(try await Self.ask(fake).first == "404")
      #expect(try await Self.ask(fake, "/jokes/7").first == "404")
      try fake.use("ok", of: "joke/joke-by-id")
      #expect(try await Self.ask(fake, "/jokes/7").first == "200")
      #expect(try await Self.ask(fake).first == "404")
    }
  }

  @Test("a contract that is off resets connections, and the rest of its upstream responds")
  func off() async throws {
    try await withFake("joke") { fake in
      try fake.use(.off, of: "joke/random-joke")
      #expect(try await Self.ask(fake) == ["no response"])
      #expect(try await Self.ask(fake, "/jokes/7").first == "200")
      try fake.use(.off, of: "joke")
      try fake.use(.fake, of: "joke/random-joke")
      #expect(try await Self.ask(fake).first == "200")
      #expect(try await Self.ask(fake, "/jokes/7") == ["no response"])
    }
  }

  @Test("a response that is held once is not held when no more are")
  func held() async throws {
    try await withFake("joke") { fake in
      let responses = try fake.hold("joke/random-joke")
      async let first = Self.ask(fake)
      async let second = Self.ask(fake)
      let held = [await responses.next(), await responses.next()]
      #expect(held.map { $0?.request.path } == ["/joke/random_joke", "/joke/random_joke"])
      #expect(await held[1]?.release() == true)
      #expect(await held[1]?.release() == false)
      await responses.end()
      // The test has taken it.
      #expect(await held[0]?.release() == true)
      #expect(try await [first.first, second.first] == ["200", "200"])
      #expect(try await Self.ask(fake).first == "200")
    }
  }
}
