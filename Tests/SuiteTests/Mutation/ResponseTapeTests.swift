import Testing
import UnderstudyClient

@testable import UnderstudySuite

/// Recorded responses, replayed in their order.
@Suite struct ResponseTapeTests {
  private static func response(_ text: String) -> ClientResponse {
    ClientResponse(status: 200, body: Array(text.utf8))
  }

  private static func text(
    _ transport: some Transport, _ url: String, _ method: HTTPMethod = .get
  ) async throws -> String {
    String(
      decoding: try await transport.send(ClientRequest(method, url: url)).body, as: UTF8.self)
  }

  private static let asked: [(method: HTTPMethod, url: String)] = [
    (.get, "http://a/x"), (.get, "http://a/y"), (.get, "http://a/x"), (.post, "http://a/x"),
    (.get, "http://a/x"),
  ]

  @Test("each request gets the responses that an equal one got, in their order, and the last again")
  func replays() async throws {
    let stub = StubTransport()
    stub.respondToOthers(.json("1"), .json("2"), .json("3"), .json("4"), .json("5"))
    let recording = RecordingTransport(stub)
    for (method, url) in Self.asked { _ = try await Self.text(recording, url, method) }
    var tape = recording.tape
    #expect(tape.keys.map(\.index) == [0, 0, 1, 0, 2])
    #expect(tape.keys.map(\.request) == Self.asked.map { "\($0.method.rawValue) \($0.url)" })
    func replayed() async throws -> [String] {
      let replay = ReplayTransport(tape)
      var found: [String] = []
      for (method, url) in Self.asked + Self.asked.prefix(2) {
        found.append(try await Self.text(replay, url, method))
      }
      return found
    }
    #expect(try await replayed() == ["1", "2", "3", "4", "5", "5", "2"])
    tape[tape.keys[2]] = Self.response("other")
    #expect(tape[tape.keys[2]]?.body == Array("other".utf8))
    #expect(try await replayed() == ["1", "2", "other", "4", "5", "5", "2"])
  }

  @Test("a place that is not there has no response, and a request that nobody sent fails")
  func missing() async throws {
    var tape = ResponseTape()
    let request = ClientRequest(url: "http://a/x?token=hush")
    tape.add(Self.response("1"), to: request)
    for key in [
      ResponseTape.Key(request: ResponseTape.key(of: request), index: 1),
      ResponseTape.Key(request: ResponseTape.key(of: request), index: -1),
      ResponseTape.Key(request: "GET http://a/y", index: 0),
    ] {
      #expect(tape[key] == nil)
      tape[key] = Self.response("2")
      #expect(tape[key] == nil)
    }
    let error = await #expect(throws: TransportError.self) {
      try await Self.text(ReplayTransport(tape), "http://a/y?token=hush")
    }
    #expect(error == TransportError(.cannotConnect, "GET http://a/y was not requested before"))
  }
}
