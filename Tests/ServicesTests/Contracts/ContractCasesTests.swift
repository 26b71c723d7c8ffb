import ContractModel
import FakeServer
import Foundation
import JSON
import Services
import Synchronization
import Testing
import Transport

/// Every service makes of every case what its contract says, over a socket.
@Suite(.timeLimit(.minutes(5))) struct ContractCasesTests {
  static let library = try? ContractLibrary.load([
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Contracts").standardized.path
  ])

  /// One case and one consumer of it.
  struct Check: CustomTestStringConvertible, Sendable {
    let contract: Contract
    let played: Case
    let expectation: ContractModel.Expectation

    var testDescription: String { "\(contract.id)#\(played.name) by \(expectation.consumer)" }
  }

  static let checks = (library?.contracts ?? []).flatMap { contract in
    contract.cases.flatMap { played in
      played.expectations.map { Check(contract: contract, played: played, expectation: $0) }
    }
  }

  @Test("the services are those that consumers.json declares")
  func declared() throws {
    let declared = try #require(Self.library).consumers.map(\.name)
    #expect(ServiceConsumer.all.map(\.name).sorted() == declared.sorted())
    #expect(Self.checks.count > 200)
  }

  @Test("a service makes of a case what its contract says", arguments: checks)
  func check(_ check: Check) async throws {
    let consumer = try #require(
      ServiceConsumer.all.first { $0.name == check.expectation.consumer })
    var configuration = ServerConfiguration()
    configuration.timeScale = 0.01
    let server = try await FakeUpstream.start(
      #require(Self.library), configuration: configuration)
    prepare(server, for: check)
    var connection = CurlConfiguration()
    connection.ignoresProxies = true
    let transport = CurlTransport(connection)
    let wiring = wiring(over: transport, for: check.expectation)
    let place = ServiceConsumer.Place(wiring: wiring) { upstream throws(ServiceError) in
      guard let url = server.baseURL(of: upstream).flatMap({ WebURL($0) }) else {
        throw .invalidURL(upstream)
      }
      return url
    }
    let outcome: Result<any JSONRepresentable & Sendable, ServiceError>
    do throws(ServiceError) {
      outcome = .success(try await consumer.call(place, .init(json: check.expectation.arguments)))
    } catch {
      outcome = .failure(error)
    }
    hold(outcome, against: check.expectation)
    #expect(await server.journal().count == check.expectation.requestCount, "requests")
    await transport.close()
    await server.close()
  }

  /// Only the last request that is expected may have too little time: the others must get through
  /// on a busy machine.
  private func wiring(
    over transport: CurlTransport, for expectation: ContractModel.Expectation
  ) -> Wiring {
    let count = Mutex(0)
    return Wiring(
      ClosureTransport { request throws(TransportError) in
        var request = request
        request.options.goesOnce = true
        // A check that is kept waiting for a processor is not late.
        request.options.connectTimeout = .seconds(300)
        (request.options.totalTimeout, request.options.stallTimeout) = (nil, nil)
        let number = count.withLock { count in
          count += 1
          return count
        }
        if expectation.timeout != nil, number == expectation.requestCount {
          request.options.totalTimeout = .milliseconds(200)
        }
        return try await transport.send(request)
      })
  }

  /// What is played by itself is not chosen: what follows its first answer is for other cases to say.
  private func prepare(_ server: FakeUpstream, for check: Check) {
    if check.played.name != check.contract.defaultCase.name {
      server.use(check.played.name, for: check.contract.id)
    }
    for companion in check.expectation.companions {
      let name = companion.contractID
      server.use(
        companion.caseName,
        for: name.contains("/") ? name : "\(check.contract.upstreamName)/\(name)")
    }
    // An answer that is to come too late waits until the client has gone, however slow the machine.
    if check.expectation.timeout != nil, check.played.stall == nil {
      _ = server.hold(check.contract.id)
    }
  }

  private func hold(
    _ outcome: Result<any JSONRepresentable & Sendable, ServiceError>,
    against expectation: ContractModel.Expectation
  ) {
    switch (outcome, expectation.outcome) {
    case (.success(let value), .value(let expected)):
      let found = value.json()
      #expect(
        (try? JSONDocument(parsing: found).root.isEqual(to: expected)) == true,
        "found \(String(decoding: found, as: UTF8.self))")
    case (.failure(let error), .error(let name, let payload)):
      #expect(error.name == name, "\(error)")
      if let payload { #expect(error.payload == String(decoding: payload.compact, as: UTF8.self)) }
      guard case .connectivity(let failure) = error else { break }
      #expect(failure.kind.name == expectation.transport?.rawValue, "\(error)")
      #expect(expectation.curlCodes.contains(failure.curlCode ?? -1), "\(error)")
    case (.success(let value), .error(let name, _)):
      Issue.record("found \(value), expected the error \(name)")
    case (.failure(let error), .value):
      Issue.record("found \(error.name), expected a value: \(error)")
    }
  }
}

extension ServiceError {
  /// As JSON.
  fileprivate var payload: String? {
    switch self {
    case .unexpectedStatus(let status): String(status)
    case .rateLimited(let until): until.map { String($0) } ?? "null"
    case .connectivity, .invalidData, .invalidURL: nil
    }
  }
}
