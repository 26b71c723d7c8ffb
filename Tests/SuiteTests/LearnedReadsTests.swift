import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyJSON

@testable import UnderstudySuite

/// What commands read, as it is kept in a file.
@Suite struct LearnedReadsTests {
  private static func library(_ summary: String) -> ContractLibrary {
    ContractLibrary(reading: [
      "consumers.json": #"{ "cli": { "upstreams": ["api"], "command": ["true"] } }"#,
      "api/upstream.json": #"{ "summary": "An API" }"#,
      "api/thing.json": """
      { "summary": "\(summary)", "request": { "method": "GET", "path": "/thing" }, "cases": {
        "ok": { "status": 200, "body": { "a": [1] }, "expect": { "cli": { "exitCode": 0 } } },
        "other": { "status": 404, "expect": { "cli": { "exitCode": 1 } } } } }
      """,
    ])
  }

  private static func entry(
    _ contract: Contract, caseName: String = "ok", consumer: String = "cli",
    program: String = "p1", paths: [String] = ["/a", "/a/*"]
  ) -> LearnedReads.Entry {
    LearnedReads.Entry(
      contract: contract.id, caseName: caseName, consumer: consumer,
      fingerprint: contract.fingerprint, program: program, paths: paths)
  }

  @Test(
    "an entry holds for its case and consumer while neither the contract nor the command changes")
  func holds() throws {
    let library = Self.library("A thing")
    let contract = try #require(library.contracts.first)
    let check = try #require(
      SuitePlan(library, ConsumerRegistry([])).checks.first { $0.served.name == "ok" })
    let changed = try #require(Self.library("Another thing").contracts.first)
    let entry = Self.entry(contract)
    let others = [
      Self.entry(contract, caseName: "other"), Self.entry(contract, consumer: "cli-2"),
      Self.entry(contract, program: "p0"), Self.entry(changed),
    ]
    func found(_ entries: [LearnedReads.Entry], program: String?) -> (Bool, isStale: Bool) {
      let reads = LearnedReads(
        entries, programs: program.map { ["cli": $0, "cli-2": "p1"] } ?? [:])
      return (
        reads.entry(of: "cli", in: check.served, of: contract) == entry, reads.isStale(check)
      )
    }
    #expect(found([], program: "p1") == (false, false))
    #expect(found([entry], program: "p1") == (true, false))
    #expect(found(others + [entry], program: "p1") == (true, false))
    #expect(found([entry], program: "p2") == (false, true))
    #expect(found([entry], program: nil) == (false, true))
    for (other, isStale) in zip(others, [false, false, true, true]) {
      #expect(found([other], program: "p1") == (false, isStale), "\(other)")
    }
  }

  @Test("the file has all entries in order, and what is learned anew replaces what was known")
  func file() throws {
    let contract = try #require(Self.library("A thing").contracts.first)
    let entries = [
      Self.entry(contract, caseName: "other", paths: []), Self.entry(contract, consumer: "a"),
      Self.entry(contract),
    ]
    var reads = LearnedReads(programs: ["cli": "p1"])
    reads.add(entries)
    let sorted = [entries[1], entries[2], entries[0]]
    #expect(reads.entries == sorted)
    #expect(try LearnedReads(parsing: reads.bytes, programs: [:]).entries == sorted)
    #expect(String(decoding: reads.bytes, as: UTF8.self).hasPrefix("{\n  \"reads\": [\n    {\n"))
    let new = Self.entry(contract, program: "p2", paths: ["/b"])
    reads.add([new])
    #expect(reads.entries == [entries[1], new, entries[0]])
  }

  @Test("an entry that is not whole is left out")
  func mutated() throws {
    let contract = try #require(Self.library("A thing").contracts.first)
    var reads = LearnedReads()
    reads.add([Self.entry(contract)])
    let text = String(decoding: reads.bytes, as: UTF8.self)
    for key in ["contract", "case", "consumer", "fingerprint", "paths"] {
      let bytes = Array(text.replacing("\"\(key)\":", with: "\"x\":").utf8)
      #expect(try LearnedReads(parsing: bytes, programs: [:]).entries == [], "\(key)")
    }
    // Older files have no program.
    let old = try LearnedReads(
      parsing: Array(text.replacing("\"program\":", with: "\"x\":").utf8), programs: [:])
    #expect(old.entries.map(\.program) == [""])
  }
}
