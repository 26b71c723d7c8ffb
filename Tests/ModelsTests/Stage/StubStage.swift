import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyServices

/// Serves cases in the test's own process, without a socket.
struct StubStage: Stage {
  private let stub = StubTransport()

  var wiring: Wiring { Wiring(stub) }

  func baseURL(of upstream: String) throws -> WebURL {
    try #require(WebURL("http://stub.example/\(upstream)"))
  }

  func use(_ contract: String, _ cases: [String], at target: String?, held: Bool) throws {
    let contract = try Shipped.contract(contract)
    let example = try contract.exampleRequest(for: contract.cases[0])
    let url = try baseURL(of: contract.upstreamName).text + (target ?? example.path)
    for name in cases {
      let served = try #require(contract.case(named: name), "no case \(name)")
      let response = try Self.response(of: served)
      stub.respond(
        to: HTTPMethod(rawValue: contract.request.method), url: url, held ? response.held : response
      )
    }
  }

  private static func response(of served: Case) throws -> StubResponse {
    if let failure = served.expectations.compactMap(\.transport).first {
      return .failure(kind(of: failure))
    }
    let response = try #require(served.response)
    return .response(
      response.status,
      headers: HTTPHeaders(response.headers.map { .init($0.name, $0.value) }),
      body: served.bodyBytes)
  }

  private static func kind(of failure: TransportFailure) -> TransportError.Kind {
    switch failure {
    case .cannotResolve: .cannotResolve
    case .cannotConnect: .cannotConnect
    case .timedOut: .timedOut(.waiting)
    case .reset: .reset
    case .emptyReply: .emptyReply
    case .truncated: .truncated
    case .badEncoding: .badEncoding
    case .tooLarge: .tooLarge
    case .tls: .tls(.handshake)
    case .malformedResponse: .malformedResponse
    case .cancelled: .cancelled
    }
  }

  func nextHeld(_ contract: String) async throws -> @Sendable () async -> Void {
    let held = try #require(await stub.nextHeld())
    return { held.release() }
  }

  func requests() async -> [String] {
    stub.requests.map { request in
      let target = request.url.dropFirst("http://stub.example/".count).drop { $0 != "/" }
      return "\(request.method.rawValue) \(target)"
    }
  }

  func close() async -> [String] { stub.finish() }
}
