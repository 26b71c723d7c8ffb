import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyJSON

@Suite struct ConsumerCallTests {
  private struct Joke: Decodable, Equatable {
    let setup: String
  }

  private let response = ClientResponse(
    status: 200, body: Array(#"{ "setup": "Why?", "id": 1 }"#.utf8))

  private func call(_ recorder: ReadPaths? = nil) -> ConsumerCall {
    var call = ConsumerCall(transport: StubTransport(), baseURL: { _ in nil })
    call.recorder = recorder
    return call
  }

  @Test("decoding a response records what the type reads of it")
  func decode() throws {
    let reads = ReadPaths()
    #expect(try call(reads).decode(Joke.self, from: response) == Joke(setup: "Why?"))
    #expect(reads.paths.map(\.description) == ["", "/setup"])
  }

  @Test("a decoder that is handed on records too")
  func decoder() throws {
    let reads = ReadPaths()
    #expect(
      try call(reads).decoder.decode(Joke.self, from: response.body) == Joke(setup: "Why?"))
    #expect(reads.isRead(JSONPointer(["setup"])))
    #expect(!reads.isRead(JSONPointer(["id"])))
  }

  @Test("decoding works without a recorder")
  func unrecorded() throws {
    #expect(try call().decode(Joke.self, from: response) == Joke(setup: "Why?"))
  }
}
