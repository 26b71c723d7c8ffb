import Testing
import UnderstudyContractModel
import UnderstudyFakeServer

@testable import UnderstudyClient

/// A fake of one upstream `api` with one contract, and a transport to ask it by.
struct Fake {
  let server: FakeServer
  let transport: CurlTransport

  /// The address of the contract's only endpoint.
  var url: String { (server.baseURL(of: "api") ?? "") + "/x" }

  func request(
    _ method: HTTPMethod = .get, serving caseName: String? = nil,
    _ change: (inout ClientRequestOptions) -> Void = { _ in }
  ) -> ClientRequest {
    var request = ClientRequest(method, url: url)
    request.headers["Prefer"] = caseName.map { "example=\($0)" }
    // Nothing times out because the machine is busy, but what a test asks for.
    request.options.connectTimeout = .seconds(3600)
    request.options.totalTimeout = nil
    request.options.stallTimeout = nil
    change(&request.options)
    return request
  }

  /// Serves these cases, for the methods given.
  static func run(
    _ cases: String, methods: [String] = ["GET"],
    _ configure: (inout CurlConfiguration) -> Void = { _ in },
    test: (Fake) async throws -> Void
  ) async throws {
    var files = ["api/upstream.json": #"{ "summary": "An API" }"#]
    for method in methods {
      files["api/\(method.lowercased()).json"] = """
        { "summary": "x", "request": { "method": "\(method)", "path": "/x" }, "cases": { \(cases) } }
        """
    }
    let library = ContractLibrary(reading: files)
    let errors = library.findings.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors)")
    var configuration = CurlConfiguration()
    configuration.ignoresProxies = true
    configure(&configuration)
    var serving = ServerConfiguration()
    serving.limits.idleMax = .seconds(3600)
    serving.limits.requestMax = .seconds(3600)
    let fake = Fake(
      server: try await FakeServer.start(library, configuration: serving),
      transport: CurlTransport(configuration))
    let result: Result<Void, any Error>
    do { result = .success(try await test(fake)) } catch { result = .failure(error) }
    await fake.transport.close()
    await fake.server.close()
    try result.get()
  }
}

extension ClientResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// The error a request ends in, but for its words.
func failure(
  of send: () async throws(TransportError) -> ClientResponse
) async -> TransportError? {
  do throws(TransportError) {
    let response = try await send()
    Issue.record("expected a failure, found status \(response.status)")
    return nil
  } catch {
    return error
  }
}
