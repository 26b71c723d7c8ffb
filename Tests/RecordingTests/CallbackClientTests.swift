import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

@testable import UnderstudyRecording

/// Callbacks over real connections, to another fake.
@Suite struct CallbackClientTests {
  private static let receiver = ContractLibrary(reading: [
    "shop/paid.json": #"""
    { "request": { "method": "POST", "path": "/paid" },
      "cases": { "ok": { "status": 204 }, "moved": { "status": 302, "headers": { "Location": "/other" } },
                 "reset": { "fault": "CONNECTION_RESET_BY_PEER" } } }
    """#
  ])

  private static let payments = ContractLibrary(reading: [
    "pay/create.json": #"""
    { "request": { "method": "POST", "path": "/payments" },
      "cases": { "ok": { "status": 201, "callbacks": {
        "paid": { "url": "{body}", "headers": { "Content-Type": "application/json" },
                  "body": { "état": 1.0 }, "expect": { "status": 204 } },
        "bytes": { "url": "{body}?b", "method": "PUT", "base64": "AP8=" } } } } }
    """#
  ])

  @Test("what is sent, and what comes of it", arguments: ["ok", "moved", "reset"])
  func sent(_ name: String) async throws {
    var configuration = ServerConfiguration()
    configuration.callbackSender = CallbackClient()
    let server = try await FakeServer.start(Self.payments, configuration: configuration)
    let receiver = try await FakeServer.start(Self.receiver)
    receiver.use(name, for: "shop/paid")
    let url = try #require(receiver.baseURL(of: "shop")) + "/paid"
    let response = try await CurlTransport.direct(to: []).send(
      ClientRequest(
        .post, url: try #require(server.baseURL(of: "pay")) + "/payments", body: Array(url.utf8)))
    #expect(response.status == 201)
    await server.callbacksEnded()
    let attempts = try #require(await server.journal().first?.callbacks)
    switch name {
    case "ok":
      #expect(attempts.map(\.ending) == ["204", "404"])
      #expect(attempts.map(\.isAsExpected) == [true, nil])
    case "moved": #expect(attempts.map(\.ending) == ["302", "404"])
    default:
      #expect(attempts[0].outcome == .failed)
      #expect(attempts[0].ending.hasPrefix("the connection was reset: POST \(url): "))
      #expect(attempts[0].isAsExpected == false)
    }
    let got = await receiver.journal()
    let paid = try #require(got.first { $0.request.method == "POST" })
    #expect(String(decoding: paid.body, as: UTF8.self) == #"{"état":1.0}"#)
    #expect(paid.request.headerValue("content-type") == "application/json")
    let bytes = try #require(got.first { $0.request.method == "PUT" })
    #expect(bytes.body == [0, 0xFF])
    // A redirect is not followed, and what fails is not sent again.
    #expect(got.count == 2)
    await server.close()
    await receiver.close()
  }
}
