import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyDrafting

/// Where recorded contracts go.
@Suite struct RecordingTargetTests {
  @Test("the folder of contracts may be missing, but not be an upstream or a file")
  func library() throws {
    let folder = try TemporaryFolder()
    func found(_ name: String) -> [String] {
      do throws(Failure) {
        let library = try RecordingTarget.library(in: "\(folder.path)\(name)")
        return library.map { $0.contracts.map(\.id) + ["\($0.upstreams.count)"] } ?? ["nothing"]
      } catch {
        return [error.message, error.fix ?? ""].map { $0.replacing(folder.path, with: "FOLDER") }
      }
    }
    #expect(found("/none") == ["nothing"])
    #expect(found("") == ["0"])
    try folder.write("api/upstream.json", "{}")
    #expect(found("") == ["1"])
    try folder.write(
      "api/a.json",
      #"{ "request": { "method": "GET", "path": "/" }, "cases": { "ok": { "status": 200 } } }"#)
    #expect(found("") == ["api/a", "1"])
    #expect(
      found("/api") == [
        "found an upstream in FOLDER/api, expected the folder of contracts around it",
        "name that with --contracts, and the upstream with --upstream",
      ])
    #expect(
      found("/api/a.json") == [
        "FOLDER/api/a.json is not a folder", "name a folder of contracts with --contracts",
      ])
  }

  @Test("exchanges with the same key share a contract")
  func endpoints() throws {
    let library = ContractLibrary(reading: [
      "api/upstream.json": "{}",
      "api/me.json":
        #"{ "request": { "method": "GET", "path": "/users/me" }, "cases": { "ok": { "status": 200 } } }"#,
      "api/word.json":
        #"{ "request": { "method": "GET", "path": "/words/{word}" }, "cases": { "ok": { "status": 200 } } }"#,
    ])
    let target = RecordingTarget(
      folder: "x", upstreamName: "api", baseURL: nil, upstream: library.upstreams.first)
    func endpoint(_ method: String, _ path: String, _ body: String = "") -> String {
      target.endpoint(
        of: RecordedExchange(method: method, path: path, body: Array(body.utf8), responses: []))
    }
    #expect(endpoint("GET", "/") == "GET /")
    #expect(endpoint("GET", "/users/1") == "GET /users/{}")
    #expect(endpoint("PUT", "/users/1") == "PUT /users/{}")
    #expect(endpoint("GET", "/users/me") == "GET /users/me")
    #expect(endpoint("GET", "/words/tea") == "GET /words/{}")
    #expect(endpoint("PUT", "/words/tea") == "PUT /words/tea")
    #expect(endpoint("GET", "/words/tea/x") == "GET /words/tea/x")
    #expect(endpoint("GET", "/a%20b/%C3%A9/") == "GET /a%20b/%C3%A9/")
    #expect(endpoint("POST", "/g", #"{"operationName":"Hero"}"#) == "POST /g Hero")
    #expect(endpoint("PUT", "/g", #"{"operationName":"Hero"}"#) == "PUT /g")
    #expect(endpoint("POST", "/g", #"{"operationName":"1"}"#) == "POST /g")
  }

  @Test("another base URL is said beside the upstream's own")
  func otherBaseURL() throws {
    let base = try #require(WebURL(base: "https://b.example/v2"))
    func words(_ upstream: String) throws -> [String?] {
      let library = ContractLibrary(reading: ["api/upstream.json": upstream])
      let failure = Failure.otherBaseURL(try #require(library.upstreams.first), base)
      return [failure.message, failure.fix]
    }
    #expect(
      try words(#"{ "baseURL": "https://a.example/v1" }"#) == [
        "api already exists with the base URL https://a.example/v1, not https://b.example/v2",
        "choose another name with --upstream",
      ])
    #expect(
      try words("{}") == [
        "api already exists with no base URL, not https://b.example/v2",
        "choose another name with --upstream",
      ])
  }
}
