import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting

@testable import UnderstudyFakeServer
@testable import UnderstudyRecording

/// Which requests the live API must respond to once a contract is there.
@Suite struct LiveRelayTests {
  @Test("a contract of this run serves what it was recorded from, until somebody changes its file")
  func takes() throws {
    let library = ContractLibrary(reading: [
      "api/upstream.json": "{}",
      "api/users.json":
        #"{ "request": { "method": "GET", "path": "/users" }, "cases": { "ok": { "status": 200 } } }"#,
    ])
    let contract = try #require(library.contracts.first)
    let address = try #require(WebURL(base: "https://api.example"))
    let relay = try LiveRelay()
    func takes(_ path: String, of upstream: String = "api") -> Bool {
      relay.takes(
        RelayedRequest(upstreamName: upstream, baseURL: address, request: Request("GET", path)),
        from: contract)
    }
    #expect(!takes("/users"))
    relay.update { $0.files[contract.file] = contract.source.document.bytes }
    #expect(takes("/users"))
    let key = RecordedExchange(Request("GET", "/users"), responses: []).requestKey
    relay.update { $0.requests["api"] = [key] }
    #expect(!takes("/users"))
    #expect(takes("/users?page=2"))
    #expect(takes("/users", of: "other"))
    relay.update { $0.files[contract.file] = [] }
    #expect(!takes("/users?page=2"))
  }
}
