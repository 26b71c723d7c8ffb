import Synchronization
import Testing
import UnderstudyClient
import UnderstudyConsumers

@Suite struct FencedTransportTests {
  private static let prefix = "http://127.0.0.1:8080/~7/"

  /// What a fence lets through, which gets a redirect to `location` as long as there is one.
  private final class Inner: Transport {
    private let seen = Mutex<[ClientRequest]>([])
    private let location: String?

    init(location: String? = nil) { self.location = location }

    var requests: [ClientRequest] { seen.withLock { $0 } }

    func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
      seen.withLock { $0.append(request) }
      return ClientResponse(
        status: location == nil ? 200 : 302, headers: location.map { ["Location": $0] } ?? [:])
    }
  }

  @Test("lets a request through once, over a connection of its own")
  func once() async throws {
    let inner = Inner()
    let fence = FakeOnlyTransport(inner, within: Self.prefix, timeout: nil, of: nil)
    _ = try await fence.send(ClientRequest(url: "\(Self.prefix)joke"))
    #expect(inner.requests.map(\.url) == ["\(Self.prefix)joke"])
    #expect(inner.requests.map(\.options.goesOnce) == [true])
    #expect(fence.refusedRequests == [])
  }

  @Test(
    "refuses requests to other places, and reports them without the query",
    arguments: [
      "https://dog.ceo/api", "http://127.0.0.1:8080/joke", "http://127.0.0.1:8080/~77/joke",
      "http://127.0.0.1:80801/~7/joke",
    ])
  func elsewhere(url: String) async throws {
    let inner = Inner()
    let fence = FakeOnlyTransport(inner, within: Self.prefix, timeout: nil, of: nil)
    await #expect(throws: TransportError(.cannotConnect, "GET \(url) leads away from the fake")) {
      try await fence.send(ClientRequest(url: "\(url)?key=secret"))
    }
    #expect(inner.requests == [])
    #expect(fence.refusedRequests == ["GET \(url)"])
  }

  @Test("looks at every step of a redirect")
  func redirects() async throws {
    let inner = Inner(location: "https://dog.ceo/api")
    let fence = FakeOnlyTransport(inner, within: Self.prefix, timeout: nil, of: nil)
    var request = ClientRequest(url: "\(Self.prefix)joke")
    request.options.redirectCountMax = 5
    await #expect(throws: TransportError.self) { try await fence.send(request) }
    #expect(inner.requests.count == 1)
    #expect(fence.refusedRequests == ["GET https://dog.ceo/api"])
  }

  @Test(
    "sets the time-out of the selected request, and leaves others theirs",
    arguments: [(2, [60, 1, 60]), (nil, [1, 1, 1])] as [(Int?, [Int64])])
  func timeouts(timedRequest: Int?, seconds: [Int64]) async throws {
    let inner = Inner()
    let fence = FakeOnlyTransport(
      inner, within: Self.prefix, timeout: .seconds(1), of: timedRequest)
    for _ in seconds { _ = try await fence.send(ClientRequest(url: "\(Self.prefix)joke")) }
    #expect(
      inner.requests.map(\.options.totalTimeout) == seconds.map { Duration.seconds($0) })
  }

  @Test("leaves the address of the fake out of errors")
  func failure() async throws {
    let inner = ClosureTransport { request throws(TransportError) in
      throw TransportError(.reset, "GET \(request.url): gone", curlCode: 56)
    }
    let fence = FakeOnlyTransport(inner, within: Self.prefix, timeout: nil, of: nil)
    await #expect(throws: TransportError(.reset, "GET /joke: gone", curlCode: 56)) {
      try await fence.send(ClientRequest(url: "\(Self.prefix)joke"))
    }
  }
}
