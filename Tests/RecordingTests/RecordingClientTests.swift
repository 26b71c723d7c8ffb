import Testing
import UnderstudyClient
import UnderstudyContractModel

@testable import UnderstudyRecording

/// How often a request to be recorded is sent, and as what.
@Suite struct RecordingClientTests {
  private static let url = "https://api.example/x"

  private static func ask(
    _ samples: Int, _ responses: StubResponse...
  ) async throws -> (bodyCounts: [Int], requests: [ClientRequest]) {
    let stub = StubTransport()
    for response in responses { stub.respond(url: url, response) }
    let client = RecordingClient(stub, samples: samples, timeout: .seconds(7))
    let found = try await client.ask(url, headers: [HeaderField(name: "X-Own", value: "1")])
    return (found.map(\.body.count), stub.requests)
  }

  @Test("asks as often as it is told", arguments: [1, 2, 3, 5])
  func samples(count: Int) async throws {
    let found = try await Self.ask(count, .json("{}"))
    #expect(found.bodyCounts == Array(repeating: 2, count: count))
    #expect(found.requests.count == count)
    for request in found.requests {
      #expect(request.headers["User-Agent"] == "understudy")
      #expect(request.headers["X-Own"] == "1")
      #expect(request.options.totalTimeout == .seconds(7))
      #expect(request.options.bodyBytesMax == 64 << 20)
      #expect(request.method == .get && request.body == nil)
    }
  }

  @Test("stops when it is told to slow down")
  func limited() async throws {
    let found = try await Self.ask(5, .json("{}"), .json("[1]", status: 429), .json("[2,3]"))
    #expect(found.bodyCounts == [2, 3])
  }

  @Test(
    "bodies of more than 4 MiB are asked for twice, since all of them are kept",
    arguments: [(4 << 20, 4), (4 << 20 + 1, 2)])
  func large(byteCount: Int, count: Int) async throws {
    let body = [UInt8](repeating: 0x20, count: byteCount)
    let found = try await Self.ask(4, .response(200, body: body))
    #expect(found.bodyCounts == Array(repeating: byteCount, count: count))
  }

  @Test("a failure is one, whatever came before")
  func failure() async throws {
    let error = await #expect(throws: TransportError.self) {
      try await Self.ask(3, .json("{}"), .failure(.reset))
    }
    #expect(error?.kind == .reset)
  }
}
