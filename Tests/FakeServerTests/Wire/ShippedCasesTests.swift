import Foundation

import UnderstudyHTTP
import Testing

@testable import UnderstudyContractModel
@testable import UnderstudyFakeServer

/// Every shipped case through a socket: what a strict client meets is what the contract declares.
@Suite struct ShippedCasesTests {
  static let contracts = (try? WireServer.shipped.get())?.contracts.map(\.id) ?? []

  @Test(
    "every case is on the wire as its contract has it", arguments: contracts)
  func cases(id: String) async throws {
    let library = try WireServer.shipped.get()
    let contract = try #require(library.contracts.first { $0.id == id })
    let upstream = try #require(library.upstreams.first { $0.name == contract.upstreamName })
    try await WireServer.run {
      $0.timeScale = 0
    } test: { server in
      for served in contract.cases where !served.breaksHandshake {
        let client = try server.client()
        let request = try Self.request(served, contract, upstream)
        client.send(request)
        let (bytes, ending) = await Self.observe(client, served, server, again: request)
        let outcome = StrictClient(isHead: false, isClosed: ending == .closed).read(bytes)
        let isAsDeclared = Expectation(served, isHead: false, isChanged: false)
          .isMet(by: outcome, ending)
        #expect(
          isAsDeclared,
          "\(id)#\(served.name): \(outcome) \(ending) \(String(decoding: bytes, as: UTF8.self))")
        if served.fault == nil, !bytes.isEmpty { try Self.checkHead(bytes, served, contract) }
      }
    }
  }

  private static func request(
    _ served: Case, _ contract: Contract, _ upstream: Upstream
  ) throws -> String {
    let request = try contract.exampleRequest(for: served)
    let query = request.query.map { "?\($0)" } ?? ""
    var text = "\(request.method) /\(upstream.name)\(upstream.basePath)\(request.path)\(query)"
    text += " HTTP/1.1\r\nHost: x\r\nPrefer: example=\(served.name)\r\n"
    for header in request.headers { text += "\(header.name): \(header.value)\r\n" }
    text += "Content-Length: \(request.body.count)\r\n\r\n"
    return text + String(decoding: request.body, as: UTF8.self)
  }

  /// What comes, and how it ends. A connection that is still open says whether it is of use.
  private static func observe(
    _ client: WireClient, _ served: Case, _ server: WireServer, again request: String
  ) async -> (bytes: [UInt8], ending: Ending) {
    if served.stall != nil {
      // The connection of an earlier case may still be there, stalled as well.
      let port = client.localPort
      let isStalled = await server.connections {
        $0.contains {
          ($0.pending?.isStalled ?? false) && portNumber($0.descriptor, getpeername) == port
        }
      }
      #expect(isStalled, "\(served.name) never stalled")
      let (bytes, end) = client.receiveWaiting()
      guard end == nil else { return (bytes, .closed) }
      return (bytes, await client.isSilent(on: server.upstream) ? .stalled : .closed)
    }
    var bytes: [UInt8] = []
    while true {
      let (piece, end) = client.receiveBytes()
      bytes += piece
      if let end { return (bytes, end == .reset ? .reset : .closed) }
      guard served.fault == nil,
        let response = try? ReceivedResponse.parse(bytes, isClosed: false),
        !response.values(of: "Connection").contains("close")
      else { continue }
      // Kept alive in truth: the same again gets the same again.
      client.send(request)
      var second: [UInt8] = []
      while second.count < bytes.count {
        let (piece, end) = client.receiveBytes()
        second += piece
        if end != nil { break }
      }
      guard second.count == bytes.count else { return (bytes, .closed) }
      return (bytes, await client.isSilent(on: server.upstream) ? .open : .closed)
    }
  }

  private static func checkHead(_ bytes: [UInt8], _ served: Case, _ contract: Contract) throws {
    let response = try #require(try ReceivedResponse.parse(bytes, isClosed: true))
    #expect(response.status == served.status)
    #expect(response.values(of: "Understudy-Contract") == [contract.id])
    #expect(response.values(of: "Understudy-Case") == [served.name])
    let expected = try #require(served.response)
    guard !expected.templatedParts.contains(.headers) else { return }
    for header in expected.headers where header.name.lowercased() != "content-type" {
      #expect(response.values(of: header.name).contains(header.value))
    }
  }
}
