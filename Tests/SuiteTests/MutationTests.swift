import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFindings
import UnderstudyJSON

@testable import UnderstudySuite

/// What is done to responses, and what is demanded then.
@Suite struct MutationTests {
  private static let body = #"{"id":7,"tags":["a"],"note":null,"more":{"x":1}}"#

  private static func mutants() throws -> [Mutant] {
    let document = try JSONDocument(parsing: body)
    let reads = ReadPaths()
    _ = try JSONTreeDecoder(recorder: reads).decode(Sample.self, from: document.root)
    let tolerance = Tolerance(tokens: ["tags", "*"], mutations: [.empty])
    return MutantPlan(of: document, reads: reads, tolerances: [tolerance]).mutants
  }

  /// Reads the first two.
  private struct Sample: Decodable {
    let id: Int
    let tags: [String]
  }

  @Test(
    "each kind of value is mutated in the ways that change it",
    arguments: [
      ("null", ""),
      ("true", "null as-number as-string as-array as-object deep"),
      ("1", "null huge negative as-boolean as-string as-array as-object deep"),
      ("\"a\"", "null long bad-utf8 as-boolean as-number as-array as-object deep empty"),
      ("\"\"", "null long bad-utf8 as-boolean as-number as-array as-object deep"),
      ("[1]", "null as-boolean as-number as-string as-object deep empty"),
      ("[]", "null as-boolean as-number as-string as-object deep"),
      ("{\"a\":1}", "null as-boolean as-number as-string as-array deep empty extra"),
      ("{}", "null as-boolean as-number as-string as-array deep extra"),
    ])
  func kinds(value: String, expected: String) throws {
    let document = try JSONDocument(parsing: "{\"value\":\(value)}")
    let names = MutantPlan(of: document, reads: nil, tolerances: []).mutants.map(\.name)
      .filter { $0.hasSuffix("/value") }.map { $0.dropLast("/value".count) }
    // Whatever is there may be missing or come twice, but for null, which may be missing as well.
    let ofMembers = value == "null" ? [] : ["missing", "duplicate"]
    #expect(
      names.filter { !ofMembers.contains(String($0)) }.joined(separator: " ") == expected)
    #expect(names.filter { ofMembers.contains(String($0)) }.map(String.init) == ofMembers)
  }

  @Test("what is read must end in an error, and what is not read changes nothing")
  func plan() throws {
    let text = try Self.mutants().map { "\($0.name): \($0.demand)" }
    let expected = """
      empty-body: error
      html: error
      wrong-content-type: errorOrSameValue
      truncated-1: error
      truncated-12: error
      truncated-24: error
      truncated-36: error
      truncated-47: error
      null: error
      as-boolean: error
      as-number: error
      as-string: error
      as-array: error
      deep: error
      empty: error
      extra: sameValue
      null/id: error
      huge/id: error
      negative/id: error
      as-boolean/id: error
      as-string/id: error
      as-array/id: error
      as-object/id: error
      deep/id: error
      missing/id: error
      duplicate/id: errorOrSameValue
      null/tags: error
      as-boolean/tags: error
      as-number/tags: error
      as-string/tags: error
      as-object/tags: error
      deep/tags: error
      empty/tags: error
      missing/tags: error
      duplicate/tags: errorOrSameValue
      null/tags/0: error
      long/tags/0: error
      bad-utf8/tags/0: error
      as-boolean/tags/0: error
      as-number/tags/0: error
      as-array/tags/0: error
      as-object/tags/0: error
      deep/tags/0: error
      empty/tags/0: any
      missing/note: sameValue
      null/note: sameValue
      missing/more: sameValue
      null/more: sameValue
      """
    #expect(text.joined(separator: "\n") == expected)
  }

  @Test("a star in what was learned is a key where the body has such a key, else any element")
  func star() throws {
    let library = try ContractLibrary(drafts: [
      ContractDraft("a/b", "GET", "/b")
        .case("ok", status: 200, body: #"{ "*": { "x": 1, "y": 2 }, "all": [{ "x": 1 }], "z": 3 }"#)
    ])
    let served = try #require(library.contracts.first?.cases.first)
    let entry = LearnedReads.Entry(
      contract: "a/b", caseName: "ok", consumer: "c", fingerprint: "", program: "",
      paths: ["/*", "/*/x", "/all", "/all/*", "/all/*/x"])
    let reads = entry.readPaths(in: served)
    func isRead(_ path: String) -> Bool { JSONPointer(parsing: path).map(reads.isRead) ?? false }
    #expect(isRead("/*/x") && isRead("/all/0/x") && isRead("/all/7"))
    #expect(!isRead("/*/y") && !isRead("/z") && !isRead("/0"))
  }

  @Test("a star at a map is any of its members, also one that is new")
  func map() throws {
    let library = try ContractLibrary(drafts: [
      ContractDraft("a/b", "GET", "/b")
        .case("ok", status: 200, body: #"{ "rates": { "EUR": { "buy": 1, "sell": 2 } } }"#)
    ])
    let served = try #require(library.contracts.first?.cases.first)
    let entry = LearnedReads.Entry(
      contract: "a/b", caseName: "ok", consumer: "c", fingerprint: "", program: "",
      paths: ["/rates", "/rates/*", "/rates/*/buy"])
    let reads = entry.readPaths(in: served)
    func isRead(_ path: String) -> Bool { JSONPointer(parsing: path).map(reads.isRead) ?? false }
    #expect(isRead("/rates/EUR/buy") && isRead("/rates/USD/buy") && isRead("/rates/USD"))
    #expect(!isRead("/rates/EUR/sell") && !isRead("/rates/USD/sell") && !isRead("/other"))
  }

  @Test(
    "an object is a map by its schema, or if good responses share no key there",
    arguments: [
      (#"{ "m": { "a": 1 } }"#, #"{ "m": { "b": 1 } }"#, true),
      (#"{ "m": { "a": 1, "c": 1 } }"#, #"{ "m": { "b": 1, "c": 1 } }"#, false),
      (#"{ "m": { "a": 1 } }"#, #"{ "m": {} }"#, false), (#"{ "a": 1 }"#, #"{ "b": 1 }"#, false),
    ])
  func maps(body: String, other: String, isMap: Bool) throws {
    let library = try ContractLibrary(drafts: [
      ContractDraft("a/b", "GET", "/b").case("ok", status: 200, body: body)
        .case("other", status: 200, body: other).case(
          "no", status: 404, body: #"{ "m": { "z": 1 } }"#)
    ])
    let contract = try #require(library.contracts.first)
    let maps = MapPlaces(of: contract.cases[0], in: contract)
    #expect(maps.contain([.key("m")]) == isMap)
    #expect(!maps.contain([]))
  }

  @Test(
    "a star in a tolerance is any element, or a key of that name",
    arguments: [("/a/0", true), ("/a/*", true), ("/a/b", false), ("/a", false)])
  func tolerance(path: String, isCovered: Bool) throws {
    let tolerance = Tolerance(tokens: ["a", "*"], mutations: [.null])
    #expect(tolerance.covers(try #require(JSONPointer(parsing: path))) == isCovered)
  }

  @Test("with mutated responses beside them, bodies that are not text stay as they are")
  func bytes() throws {
    let body: [UInt8] = [0xFF, 0, 0xFE, 0x80]
    let library = ContractLibrary(readingBytes: [
      "a/upstream.json": Array("{}".utf8), "a/files/b": body,
      "a/b.json": Array(
        """
        { "request": { "method": "GET", "path": "/b" },
          "cases": { "ok": { "status": 200, "file": "files/b" } } }
        """.utf8),
    ])
    let added = AddedCase(contractID: "a/b", name: "other", like: "ok", headers: [], body: [0xC0])
    let cases = library.upstreams.first?.adding([added]).contracts.first?.cases
    #expect(cases?.map(\.bodyBytes) == [body, [0xC0]])
  }

  @Test("a mutant must not end in an undeclared error")
  func undeclared() throws {
    let expected = try JSONDocument(parsing: "7").root
    let mutants = try Self.mutants()
    for name in ["missing/id", "duplicate/id", "missing/note", "empty/tags/0"] {
      let mutant = try #require(mutants.first { $0.name == name })
      func checked(_ errorName: String) -> MutantComparison? {
        MutantComparison(
          .error(ConsumerError(errorName)), of: mutant, expected: expected,
          errorNames: ["invalidData"])
      }
      let found = try #require(checked("oops"))
      #expect(found.type == .outcome)
      #expect(
        found.message
          == "the error oops is not declared in consumers.json, expected "
          + mutant.demand.words)
      #expect((checked("invalidData") == nil) == (mutant.demand != .sameValue))
    }
  }

  @Test(
    "mutation is in the bytes and nowhere else",
    arguments: [
      ("missing/id", #"{"tags":["a"],"note":null,"more":{"x":1}}"#),
      ("null/id", #"{"id":null,"tags":["a"],"note":null,"more":{"x":1}}"#),
      ("negative/id", #"{"id":-7,"tags":["a"],"note":null,"more":{"x":1}}"#),
      ("huge/id", #"{"id":1e300,"tags":["a"],"note":null,"more":{"x":1}}"#),
      ("duplicate/id", #"{"id":7,"id":{},"tags":["a"],"note":null,"more":{"x":1}}"#),
      ("empty/tags/0", #"{"id":7,"tags":[""],"note":null,"more":{"x":1}}"#),
      (
        "extra",
        #"{"understudyExtra":{"a":[1,null]},"id":7,"tags":["a"],"note":null,"more":{"x":1}}"#
      ),
      ("truncated-12", #"{"id":7,"tag"#),
      ("empty-body", ""),
    ])
  func bytes(name: String, text: String) throws {
    let mutant = try #require(
      try Self.mutants().first { $0.name == name })
    let mutated = mutant.applied(
      to: .init(status: 200, body: Array(Self.body.utf8)),
      body: try JSONDocument(parsing: Self.body))
    #expect(mutated.map { String(decoding: $0.body, as: UTF8.self) } == text)
  }

  @Test("a consumer makes of a mutant over a socket what it makes of the replayed one")
  func socket() async throws {
    let plan = SuitePlan(SmallSuite.library, ConsumerRegistry([SmallSuite.good]))
    let check = try #require(plan.checks(for: MutationChoice()).first)
    let fake = try await SharedFake.start(SmallSuite.library, SuiteConfiguration())
    let target = try await MutationTarget(
      recording: check, of: SmallSuite.good, on: fake, session: "m")
    await fake.close()
    let servable = target.mutants.enumerated().compactMap {
      SocketSample.Item(check, $1, target.response(of: $1), number: $0)
    }
    #expect(target.mutants.count == 37 && servable.count == 36, "all but the deepest")
    #expect(target.isServable)
    let sample = try await SocketSample.start(
      servable, of: SmallSuite.library, SuiteConfiguration())
    for (place, item) in sample.items.enumerated() {
      let (replayed, served) = (
        await target.outcome(of: item.mutant), await sample.outcome(at: place)
      )
      #expect("\(replayed, default: "")" == "\(served, default: "")", "\(item.mutant.name)")
    }
    await sample.close()
  }

  @Test("chooses by the seed, whatever else there is to choose from")
  func drawing() {
    var choice = MutationChoice()
    choice.countMax = 3
    choice.seed = 5
    let ids = (0..<50).map { "mutant-\($0)" }
    let drawn = choice.numbers(of: ids)
    #expect(drawn.count == 3 && drawn == drawn.sorted())
    #expect(choice.numbers(of: ids) == drawn)
    choice.ids = ["mutant-7"]
    #expect(choice.numbers(of: ids) == [7])
  }
}
