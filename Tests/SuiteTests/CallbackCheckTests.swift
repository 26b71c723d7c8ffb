import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyFindings

@testable import UnderstudySuite

@Suite("Checks of cases with callbacks")
struct CallbackCheckTests {
  private static let library = ContractLibrary(reading: [
    "consumers.json":
      #"{ "jokes.random": { "upstreams": ["joke"], "errors": { "connectivity": null } } }"#,
    "joke/upstream.json": #"{ "summary": "Jokes", "baseURL": "https://jokes.example/v1" }"#,
    "joke/order.json": #"""
    { "summary": "Orders a joke", "request": { "method": "POST", "path": "/orders" },
      "cases": {
        "ok": { "status": 200, "body": [],
          "callbacks": {
            "made": { "url": "{body}", "delay": { "fixed": "20ms" }, "expect": { "status": 204 } },
            "seen": { "url": "{body}/seen" }
          },
          "expect": { "jokes.random": { "value": [] } } } } }
    """#,
  ])

  private static let receiver = ContractLibrary(reading: [
    "own/made.json": #"""
    { "request": { "method": "POST", "path": "/made" },
      "cases": { "ok": { "status": 204 }, "wrong": { "status": 500 },
                 "reset": { "fault": "CONNECTION_RESET_BY_PEER" } } }
    """#
  ])

  /// The results with a consumer that listens at an address of its own, or names another one.
  private func results(_ caseName: String, naming url: String? = nil) async throws -> [String] {
    let receiver = try await FakeServer.start(Self.receiver)
    receiver.use(caseName, for: "own/made")
    let own = try #require(receiver.baseURL(of: "own")) + "/made"
    let consumer = SmallSuite.consumer { call in
      let request = ClientRequest(
        .post, url: try call.baseURL(of: "joke") + "/orders", body: Array((url ?? own).utf8))
      return try await SmallSuite.send(request, call)
    }
    let checks = try await SmallSuite.results(of: consumer, in: Self.library)
    await receiver.close()
    return checks.map { $0.text.replacing(own, with: "URL") }
  }

  @Test("a receiver that responds as expected passes, also after its consumer is done")
  func good() async throws {
    #expect(try await results("ok") == ["pass joke/order#ok, jokes.random"])
  }

  @Test("a receiver that responds wrongly is found")
  func wrong() async throws {
    #expect(
      try await results("wrong") == [
        """
        fail joke/order#ok, jokes.random
          callback the callback "made" got 500, expected 204
        """
      ])
  }

  @Test("a receiver that does not respond is found")
  func reset() async throws {
    let found = try await results("reset")
    #expect(
      found.first?.hasPrefix(
        """
        fail joke/order#ok, jokes.random
          callback the callback "made" got no response, expected 204: the connection was reset: POST URL
        """) == true, "\(found)")
  }

  @Test("a callback that could not be sent is found")
  func refused() async throws {
    #expect(
      try await results("ok", naming: "http://hooks.example.com") == [
        """
        fail joke/order#ok, jokes.random
          callback the callback "made" was not sent: hooks.example.com is neither on this machine nor \
        declared by joke
        """
      ])
  }
}
