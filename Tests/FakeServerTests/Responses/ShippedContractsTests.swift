import Foundation
import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

@Suite struct ResponseShippedContractsTests {
  private static let library: ContractLibrary? = {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return try? ContractLibrary.load([root.appendingPathComponent("Contracts").path])
  }()

  static let contracts = library?.contracts.map(\.id) ?? []

  private static func request() -> SampleRequest {
    var request = SampleRequest()
    request.addresses = Dictionary(
      uniqueKeysWithValues: (library?.upstreams ?? []).map {
        ($0.name, "http://127.0.0.1:4010/\($0.name)")
      })
    return request
  }

  @Test("there are contracts to serve")
  func found() {
    #expect(Self.contracts.count >= 10)
  }

  @Test(
    "every case is good HTTP or exactly the breach it declares",
    arguments: contracts, [Response.Version.http11, .http10])
  func framing(id: String, client: Response.Version) throws {
    let library = try #require(Self.library)
    let contract = try #require(library.contracts.first { $0.id == id })
    for served in contract.cases {
      for addresses in [nil, LiveAddresses(of: library.upstreams)] {
        let servable = try #require(ServableCase(served, of: contract, rewriting: addresses))
        for isHead in [false, true] {
          let context = ServingContext(isHead: isHead, clientVersion: client, now: Stage.now)
          var generator = ValueGenerator(seed: 1)
          let script = servable.script(
            for: context, Self.request().facts(of: contract), using: &generator)
          let bytes = script.sentBytes
          let outcome = StrictClient(isHead: isHead, isClosed: Self.isClosed(script)).read(bytes)
          let isAsDeclared = Expectation(served, isHead: isHead, isChanged: addresses != nil)
            .isMet(by: outcome, script.contains(.stall) ? .stalled : Ending(script.end))
          #expect(
            isAsDeclared,
            "\(id)#\(served.name) to \(client): \(String(decoding: bytes, as: UTF8.self))")
        }
      }
    }
  }

  private static func isClosed(_ script: WireScript) -> Bool {
    script.end == .close && !script.contains(.stall)
  }
}

/// What a client sees of a connection after a response.
enum Ending: Equatable {
  case open, stalled, closed, reset

  init(_ end: WireScript.End) {
    self =
      switch end {
      case .keepOpen: .open
      case .close, .closeSilently, .handOver: .closed
      case .reset: .reset
      }
  }
}

/// What a strict client must meet in a case.
struct Expectation {
  let served: Case
  let isHead: Bool
  /// Whether the body's bytes may differ from the contract's.
  let isChanged: Bool

  init(_ served: Case, isHead: Bool, isChanged: Bool) {
    self.served = served
    self.isHead = isHead
    self.isChanged = isChanged || served.response?.templatedParts.contains(.body) == true
  }

  func isMet(by outcome: StrictClient.Outcome, _ end: Ending) -> Bool {
    if let fault = served.fault { return isMet(fault, outcome, end) }
    if let stall = served.stall { return isMet(stall, outcome, end) }
    if case .contentLengthOff(let difference) = served.malformation, !isHead {
      guard end == .closed else { return false }
      if difference > 0 { return outcome == .unfinished }
      guard case .response(_, let rest) = outcome else { return false }
      return rest.count == -difference
    }
    guard case .response(let body, let rest) = outcome, rest.isEmpty else { return false }
    return body == expectedBody || isChanged
  }

  private var expectedBody: [UInt8] {
    if isHead || [204, 304].contains(served.status) { return [] }
    switch served.malformation {
    case .gzip(let mutation): return ContentCoding.brokenGzip(mutation).encode(served.bodyBytes)
    case .empty: return []
    default:
      let isCompressed = served.response?.encoding == .gzip
      return isCompressed ? ContentCoding.gzip.encode(served.bodyBytes) : served.bodyBytes
    }
  }

  private func isMet(
    _ fault: Fault, _ outcome: StrictClient.Outcome, _ end: Ending
  ) -> Bool {
    let isHeadAlone = isHead && outcome == .response(body: [], rest: [])
    switch fault {
    case .emptyResponse: return outcome == .nothing && end == .closed
    case .connectionResetByPeer: return outcome == .nothing && end == .reset
    case .randomDataThenClose, .malformedStatusLine:
      return outcome == .malformed("status line") && end == .closed
    case .malformedHeader: return outcome == .malformed("header") && end == .closed
    case .malformedResponseChunk:
      return (outcome == .malformed("chunk") || isHeadAlone) && end == .closed
    case .connectionClosedInBody:
      return (outcome == .unfinished || isHeadAlone) && end == .closed
    case .connectionResetInBody:
      return (outcome == .unfinished || isHeadAlone) && end == .reset
    case .tlsClosedWithoutNotice:
      guard case .response(_, let rest) = outcome else { return false }
      return rest.isEmpty && end == .closed
    case .tlsExpired, .tlsNotYetValid, .tlsSelfSigned, .tlsWrongHost, .tlsUnknownAuthority,
      .tlsHandshakeAborted, .tlsOldProtocol:
      return outcome == .nothing && end == .closed
    }
  }

  private func isMet(
    _ stall: Stall, _ outcome: StrictClient.Outcome, _ end: Ending
  ) -> Bool {
    guard end == .stalled else { return false }
    if case .beforeHead = stall { return outcome == .nothing }
    return isHead ? outcome == .response(body: [], rest: []) : outcome == .unfinished
  }
}
