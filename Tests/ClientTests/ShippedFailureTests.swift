import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyFakeServer

@testable import UnderstudyClient

/// What the shipped contracts say of failures beneath a service is what this transport reports.
@Suite struct ShippedFailureTests {
  private struct Failing: Sendable, CustomTestStringConvertible {
    let contract: Contract
    let served: Case
    let expectation: UnderstudyContractModel.Expectation

    var testDescription: String { "\(contract.id)#\(served.name)" }
  }

  private static let library = Result {
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return try ContractLibrary.load([root.appending(path: "Contracts").path])
  }

  private static let failing: [Failing] = ((try? library.get())?.contracts ?? []).flatMap {
    contract in
    contract.cases.filter { !$0.breaksHandshake }.compactMap { served in
      served.expectations.first { $0.transport != nil }
        .map { Failing(contract: contract, served: served, expectation: $0) }
    }
  }

  @Test("there are such cases")
  func count() throws {
    _ = try Self.library.get()
    #expect(Self.failing.count > 10)
  }

  @Test("a case fails as its contract says", arguments: failing)
  private func fails(failing: Failing) async throws {
    let library = try Self.library.get()
    let upstream = try #require(
      library.upstreams.first { $0.name == failing.contract.upstreamName })
    let timesOut = failing.expectation.transport == .timedOut
    var configuration = ServerConfiguration()
    if !timesOut { configuration.timeScale = 0 }
    let server = try await FakeServer.start(library, configuration: configuration)
    let asked = try failing.contract.exampleRequest(for: failing.served)
    let query = asked.query.map { "?\($0)" } ?? ""
    var request = ClientRequest(
      HTTPMethod(rawValue: asked.method),
      url: server.baseURL(of: upstream) + asked.path + query,
      body: asked.body.isEmpty ? nil : asked.body)
    for field in asked.headers { request.headers.append(field.name, field.value) }
    request.headers["Prefer"] = "example=\(failing.served.name)"
    request.options.goesOnce = true
    if timesOut { request.options.totalTimeout = .milliseconds(100) }
    let sent = request
    let error = await failure { () async throws(TransportError) in
      try await CurlTransport.direct.send(sent)
    }
    await server.close()
    #expect(error?.kind.name == failing.expectation.transport?.rawValue, "\(error as Any)")
    let code = try #require(error?.curlCode)
    #expect(failing.expectation.curlCodes.contains(code), "\(error as Any)")
  }

  @Test("every failure a contract may name is one of this transport's")
  func names() {
    let kinds: [TransportError.Kind] = [
      .cannotResolve, .cannotConnect, .timedOut(.waiting), .reset, .emptyReply, .truncated,
      .badEncoding, .tooLarge, .tls(.expired), .malformedResponse, .cancelled,
    ]
    #expect(kinds.map(\.name) == TransportFailure.allCases.map(\.rawValue))
  }
}
