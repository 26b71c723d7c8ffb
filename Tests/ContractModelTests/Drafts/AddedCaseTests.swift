import Testing
import UnderstudyCore

@testable import UnderstudyContractModel

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
    let addition = AddedCase(
      contractID: "api/thing", name: "new", like: name, status: status,
      headers: headers.map { HeaderField(name: $0.0, value: $0.1) }, droppedHeaders: dropped,
      body: Array("{y}".utf8))
    let upstream = try #require(library.upstreams.first { $0.name == "api" }).adding([addition])
    let contract = try #require(upstream.contract(named: "thing"))
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
  }

  @Test("a case stands in for the one it is like: for its requests, with its status and headers")
  func likes() throws {
    let ok = try Self.added(like: "ok", [("C", "3"), ("c", "{4}")], dropping: ["b"]).added
    #expect(ok.status == 201 && ok.bodyBytes == Array("{y}".utf8))
    #expect(Self.fields(ok) == ["a: 1", "c: 3", "c: {4}"])
    #expect(ok.response?.templatedParts.isEmpty == true)
    #expect(ok.when == nil && ok.then.isEmpty)
    let two = try Self.added(like: "two", status: 503).added
    #expect(two.status == 503 && Self.fields(two) == [])
    #expect(two.when?.request.map(\.key) == ["query.page"])
    #expect(two.then.map { $0.name.plainText } == ["seen"])
    let three = try Self.added(like: "three").added
    #expect(three.when?.state.map { $0.name.plainText } == ["seen"] && three.status == 200)
  }

  @Test("a case of which nothing is known is not added")
  func unknown() throws {
    let upstream = try #require(Self.library.upstreams.first { $0.name == "other" })
    let added = [("other/one", "none"), ("other/two", "ok"), ("api/thing", "ok")].map {
      AddedCase(contractID: $0.0, name: "new", like: $0.1, headers: [], body: [])
    }
    #expect(upstream.adding(added).contracts.map { $0.cases.map(\.name) } == [["ok"]])
  }

  @Test("headers that no server can send are left out")
  func headers() throws {
    let ok = try Self.added(like: "ok", [("D", "5"), ("no name", "6"), ("E", "7\n8")]).added
    #expect(Self.fields(ok) == ["a: 1", "b: {server.baseURL}", "d: 5"])
  }
}
