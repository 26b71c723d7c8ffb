import Testing
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudySuite

/// Cases that are added to serve other responses in place of a contract's.
@Suite struct AddedCaseTests {
  private static let library = ContractLibrary(reading: [
    "api/upstream.json": #"{ "baseURL": "https://api.example/v1", "hosts": ["h.example"] }"#,
    "other/upstream.json": "{}",
    "api/thing.json": #"""
    { "request": { "method": "GET", "path": "/thing" }, "cases": {
        "ok": { "status": 201, "headers": { "A": "1", "B": "{server.baseURL}" },
          "template": ["headers"], "body": { "x": 1 } },
        "two": { "status": 200, "text": "{x}", "when": { "request": { "query.page": "2" } },
          "then": { "seen": "yes" } },
        "three": { "status": 200, "file": "files/a", "when": { "state": { "seen": "yes" } } } } }
    """#,
    "api/files/a": "from a file",
    "other/one.json": #"""
    { "request": { "method": "GET", "path": "/one" }, "cases": { "ok": { "status": 200 } } }
    """#,
  ])

  private static func added(
    like name: String, status: Int? = nil, _ headers: [(String, String)] = [],
    dropping dropped: Set<HeaderName> = []
  ) throws -> (contract: Contract, added: Case) {
    #expect(library.findings.filter { $0.severity == .error } == [])
    var addition = AddedCase(
      contractID: "api/thing", name: "new", like: name, status: status,
      headers: headers.map { HeaderField(name: $0.0, value: $0.1) }, body: Array("{y}".utf8))
    addition.droppedHeaders = dropped
    let new = ContractLibrary(library.upstreams, adding: [addition])
    let contract = try #require(new.contracts.first { $0.id == "api/thing" })
    return (contract, try #require(contract.case(named: "new")))
  }

  private static func fields(_ served: Case) -> [String] {
    (served.response?.headers ?? []).map { "\($0.name.lowercased()): \($0.value)" }.sorted()
  }

  @Test("all that was there is there, and serves what it served")
  func rest() throws {
    let (contract, _) = try Self.added(like: "ok")
    let old = try #require(Self.library.contracts.first { $0.id == "api/thing" })
    #expect(contract.cases.map(\.name) == old.cases.map(\.name) + ["new"])
    for (own, other) in zip(contract.cases, old.cases) {
      #expect(own.status == other.status && own.bodyBytes == other.bodyBytes, "\(own.name)")
      #expect(Self.fields(own) == Self.fields(other), "\(own.name)")
    }
    let new = ContractLibrary(Self.library.upstreams, adding: [])
    #expect(new.contracts.map(\.id) == Self.library.contracts.map(\.id))
    #expect(new.upstreams.map(\.hosts) == Self.library.upstreams.map(\.hosts))
    #expect(
      new.upstreams.map { $0.baseURL?.text }
        == Self.library.upstreams.map { $0.baseURL?.text ?? "https://\($0.name).example" })
  }

  @Test("a case stands in for the one it is like: for its requests, with its status and headers")
  func likes() throws {
    let ok = try Self.added(like: "ok", [("C", "3"), ("c", "{4}")], dropping: ["b"]).added
    #expect(ok.status == 201 && ok.bodyBytes == Array("{y}".utf8))
    #expect(Self.fields(ok) == ["a: 1", "c: 3", "c: {4}"])
    #expect(ok.response?.templatedParts.isEmpty == true)
    #expect(ok.source["when"] == nil && ok.source["then"] == nil)
    let two = try Self.added(like: "two", status: 503).added
    #expect(two.status == 503 && Self.fields(two) == [])
    func text(_ key: String) -> String? {
      two.source[key].map { String(decoding: $0.compact, as: UTF8.self) }
    }
    #expect(text("when") == #"{"request":{"query.page":"2"}}"#)
    #expect(text("then") == #"{"seen":"yes"}"#)
    let three = try Self.added(like: "three").added
    #expect(three.source["when"]?["state"]?["seen"]?.string == "yes" && three.status == 200)
  }
}
