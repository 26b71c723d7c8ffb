import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

@Suite struct ResponseFaultTests {
  private static let response = #""status": 200, "headers": { "A": "1" }, "text": "0123456", "#
  private static let date = "Date: \(Stage.httpDate)"
  private static let goodHead = head("HTTP/1.1 200 OK", "A: 1", "Content-Length: 7", date)
  private static let chunkedHead = head(
    "HTTP/1.1 200 OK", "A: 1", "Transfer-Encoding: chunked", date)

  struct Breach: CustomStringConvertible {
    let response: String
    let fault: Fault
    let steps: [String]

    init(_ fault: Fault, _ response: String = "", _ steps: String...) {
      (self.response, self.fault, self.steps) = (response, fault, steps)
    }

    var description: String { "\(fault.rawValue) \(response)" }
  }

  static let breaches: [Breach] = [
    Breach(.emptyResponse, "", "close"),
    Breach(.connectionResetByPeer, "", "reset"),
    Breach(.malformedStatusLine, "", "HTTP/1.1 no status line\r\n\r\n", "close"),
    Breach(
      .malformedHeader, response,
      head(
        "HTTP/1.1 200 OK", "This line is not a header", "A: 1", "Content-Length: 7", date,
        "Connection: close"), "0123456", "close"),
    Breach(.malformedResponseChunk, response, chunkedHead, "no such thing\r\n", "close"),
    Breach(
      .malformedResponseChunk, response + #""framing": "close", "#, chunkedHead,
      "no such thing\r\n",
      "close"),
    Breach(.connectionResetInBody, response, goodHead, "012", "reset"),
    Breach(.connectionClosedInBody, response, goodHead, "012", "close"),
    Breach(
      .connectionClosedInBody, response + #""framing": "chunked", "#, chunkedHead, "3\r\n012\r\n",
      "close"),
    Breach(
      .connectionResetInBody, response + #""framing": "close", "#,
      head("HTTP/1.1 200 OK", "A: 1", date, "Connection: close"), "012", "reset"),
    Breach(
      .tlsClosedWithoutNotice, response + #""framing": "close", "#,
      head("HTTP/1.1 200 OK", "A: 1", date, "Connection: close"), "0123456", "closeSilently"),
    Breach(
      .connectionClosedInBody, #""status": 200, "text": "0", "#,
      head("HTTP/1.1 200 OK", "Content-Length: 1", date), "close"),
  ]

  @Test("a fault is on the wire exactly as declared", arguments: breaches)
  func steps(breach: Breach) throws {
    let stage = try Stage(breach.response + #""fault": "\#(breach.fault.rawValue)""#)
    #expect(stage.transcript() == breach.steps)
  }

  @Test("a client of HTTP/1.0, which knows no chunks, gets a length by which to notice the cut")
  func cutForHTTP10() throws {
    var stage = try Stage(
      Self.response + #""framing": "chunked", "fault": "CONNECTION_CLOSED_IN_BODY""#)
    stage.context.clientVersion = .http10
    #expect(
      stage.transcript() == [
        head("HTTP/1.1 200 OK", "A: 1", "Content-Length: 7", Self.date, "Connection: close"), "012",
        "close",
      ])
  }

  private static let ofHandshake = Fault.allCases.filter(\.isInHandshake)
  private static let ofResponse = Fault.allCases.filter { !$0.isInHandshake }

  @Test("every fault of a response but the random one is in the table")
  func complete() {
    #expect(
      Set(Self.ofResponse).subtracting(Self.breaches.map(\.fault)) == [.randomDataThenClose])
  }

  @Test("a response that comes after a fault of the handshake is empty", arguments: ofHandshake)
  func handshake(fault: Fault) throws {
    let stage = try Stage(#""fault": "\#(fault.rawValue)""#)
    #expect(stage.transcript() == ["close"])
    #expect(fault.needsTLS && !fault.servesResponse)
  }

  @Test("random data depend only on the seed, and never look like HTTP")
  func noise() throws {
    var stage = try Stage(#""fault": "RANDOM_DATA_THEN_CLOSE""#)
    var seen: Set<[UInt8]> = []
    for seed in 0..<200 as Range<UInt64> {
      stage.seed = seed
      let bytes = stage.bytes()
      #expect(bytes == stage.bytes())
      #expect(bytes.count == 256)
      #expect((bytes.first ?? 0) >= 0x80)
      seen.insert(bytes)
    }
    #expect(seen.count == 200)
    #expect(stage.script().end == .close)
  }

  @Test("a delay can be combined with every fault of a response", arguments: ofResponse)
  func delay(fault: Fault) throws {
    let response = fault.servesResponse ? Self.response : ""
    let stage = try Stage(response + #""delay": { "fixed": "2s" }, "fault": "\#(fault.rawValue)""#)
    #expect(stage.script().delayConfigured == .seconds(2))
  }

  @Test("a case that lost its response cannot be served")
  func withoutResponse() throws {
    let library = try Stage.library(#""summary": "no status""#)
    let contract = try #require(library.contracts.first)
    #expect(contract.cases.count == 1)
    #expect(ServableCase(contract.cases[0], of: contract) == nil)
  }
}
