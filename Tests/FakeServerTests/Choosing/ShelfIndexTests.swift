import Testing
import UnderstudyContractModel
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// Contracts made at run time in an index that changes, against one made of all of them at once.
@Suite struct ShelfIndexTests {
  private static let words = ["a", "b", "c"]

  private static func path(_ dice: inout Dice) -> String {
    let segments = (0..<Int.random(in: 1...3, using: &dice)).map { place in
      Bool.random(using: &dice) ? "{p\(place)}" : dice.pick(words)
    }
    return "/" + segments.joined(separator: "/") + (dice.below(6) == 0 ? "/{rest...}" : "")
  }

  private static func contractText(_ dice: inout Dice) -> String {
    let parameters = ["x", "y"].filter { _ in dice.below(3) == 0 }.map {
      "\"query.\($0)\": \"\(dice.below(2))\""
    }
    return """
      { "summary": "", "request": { "method": "\(dice.pick(["GET", "GET", "HEAD", "POST"]))",
          "path": "\(path(&dice))", "parameters": { \(parameters.joined(separator: ", ")) } },
        "cases": { "ok": { "status": 200 } } }
      """
  }

  private static func contract(
    _ name: String, of upstreamName: String, _ text: String
  ) throws -> Contract {
    try ContractLibrary.contract(
      named: name, of: upstreamName, reading: Array(text.utf8), beside: [])
  }

  private static func request(_ dice: inout Dice) -> Request {
    let path = (0..<Int.random(in: 1...4, using: &dice)).map { _ in "/" + dice.pick(words) }
    let query = ["x=0", "x=1", "y=0", "y=1"].filter { _ in Bool.random(using: &dice) }
    return Request(
      dice.pick(["GET", "HEAD", "POST"]), "\(path.joined())?\(query.joined(separator: "&"))")
  }

  /// What a session has, and the same in a shelf.
  private struct Session {
    var shelf = StubShelf()
    var plain: [String: Contract] = [:]
    var ranked: [String: RankedContract] = [:]

    /// Puts or removes one or more contracts.
    mutating func change(_ dice: inout Dice) throws {
      let name = "c\(dice.below(30))"
      switch dice.below(5) {
      case 0:
        let upstreamName = dice.pick(["shop", "other"])
        plain["\(upstreamName)/\(name)"] = nil
        _ = shelf.remove(name, of: upstreamName)
      case 1:
        var change = RankedChange()
        ranked[name] = nil
        change.removed = [name]
        if dice.below(3) > 0 {
          let added = RankedContract(
            try contract(name, of: "ranked", contractText(&dice)),
            ContractRank(priority: dice.below(2), number: dice.below(5)))
          ranked[name] = added
          change.added = [added]
        }
        shelf.change(change, of: "ranked")
      default:
        let contract = try contract(name, of: dice.pick(["shop", "other"]), contractText(&dice))
        plain[contract.id] = contract
        _ = try shelf.put(contract, text: [])
      }
    }

    /// The same contracts, indexed at once.
    func anew(above below: Layer) throws -> Layer {
      let shelf = StubShelf()
      for contract in plain.values { _ = try shelf.put(contract, text: []) }
      var change = RankedChange()
      change.added = Array(ranked.values)
      shelf.change(change, of: "ranked")
      return shelf.layer(above: below)
    }
  }

  /// The contract that responds to a request, found by its parts and by its bytes.
  private func found(_ request: Request, of upstream: String, _ layer: Layer) -> [Contract?] {
    let layers = CurrentLayer(layer, 0, ServedCases(), nil, isSteered: false)
    let parts = RequestParts(request)
    var (method, path) = (request.method, "/\(upstream)\(request.path)")
    let byParts = layers.match(parts, in: Upstream(named: upstream)) { _, _ in true }
    let byBytes = method.withUTF8 { method in
      path.withUTF8 { path in
        layers.first(
          where: { current in
            current.layer.library.index.find(
              method: UnsafeRawBufferPointer(method), path: UnsafeRawBufferPointer(path),
              hiding: current.layer.hidden, host: { nil }, parts: { _ in parts },
              serves: { _, _ in true })
          }, candidate: { $1.layer.library.index.candidates[$0.number] })
      }
    }
    return [
      byParts?.0.contract,
      byBytes.map { $1.layer.library.index.candidates[$0.number].contract },
    ]
  }

  @Test("finds what an index of all finds, whatever was made and removed before", arguments: 0..<10)
  func same(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    var texts = ["shop/upstream.json": "{}"]
    for number in 0..<20 { texts["shop/c\(number).json"] = Self.contractText(&dice) }
    let files = Layer(.shared(ContractLibrary(reading: texts), rewritesLinks: false))
    var (main, named) = (Session(), Session())
    var (responded, partCountMax) = (0, 0)
    for _ in 0..<60 {
      for _ in 0...dice.below(4) {
        try dice.below(2) == 0 ? main.change(&dice) : named.change(&dice)
      }
      let layer = named.shelf.layer(above: main.shelf.layer(above: files))
      let expected = try named.anew(above: main.anew(above: files))
      partCountMax = max(partCountMax, layer.all.count { _ in true })
      #expect(layer.upstreamNames == expected.upstreamNames)
      #expect(
        layer.upstreams.map { $0.contracts.map(ObjectIdentifier.init) }
          == expected.upstreams.map { $0.contracts.map(ObjectIdentifier.init) })
      for _ in 0..<12 {
        let (request, upstream) = (Self.request(&dice), dice.pick(["shop", "other", "ranked"]))
        let contracts = found(request, of: upstream, expected)
        responded += contracts[0] == nil ? 0 : 1
        #expect(contracts[0] === contracts[1])
        for contract in found(request, of: upstream, layer) {
          #expect(contract === contracts[0], "\(request) \(upstream)")
        }
        var named = request
        named.path = "/\(upstream)\(request.path)"
        let (own, other) = (layer.explain(named), expected.explain(named))
        #expect(own.contract === other.contract)
        #expect(own.nearMisses.map(\.contract.id) == other.nearMisses.map(\.contract.id))
      }
    }
    #expect(responded > 100 && partCountMax > 4)
  }

  @Test("a change indexes few contracts again, however many there are")
  func steps() throws {
    let files = Layer(
      .shared(
        ContractLibrary(reading: ["shop/upstream.json": "{}"]), rewritesLinks: false))
    let (shelf, count) = (StubShelf(), 1000)
    var known: [ObjectIdentifier: ServableLibrary] = [:]
    var (indexedCount, partCountMax) = (0, 0)
    func index() {
      let layers = Array(shelf.layer(above: files).all)
      partCountMax = max(partCountMax, layers.count)
      for layer in layers where known[ObjectIdentifier(layer.library)] == nil {
        known[ObjectIdentifier(layer.library)] = layer.library
        indexedCount += layer.library.index.contractCount
      }
    }
    let text =
      #"{ "request": { "method": "GET", "path": "/x" }, "cases": { "ok": { "status": 200 } } }"#
    for number in 0..<count {
      _ = try shelf.put(try Self.contract("c\(number)", of: "shop", text), text: [])
      index()
    }
    #expect(indexedCount < 25 * count && partCountMax <= 6)
    indexedCount = 0
    for number in 0..<count {
      #expect(shelf.remove("c\(number)", of: "shop"))
      index()
    }
    #expect(indexedCount < 5 * count && shelf.isEmpty)
  }
}
