import Testing
import UnderstudyTestSupport

@testable import UnderstudyContractModel

/// The trie against a matcher that looks at every contract and takes the best.
@Suite struct MatchingDifferentialTests {
  private static let words = ["a", "b", "c", ""]

  /// Up to four segments, some of them parameters, named by their place, and sometimes a tail.
  private func path(_ dice: inout Dice) -> String {
    let segments = (0..<Int.random(in: 1...4, using: &dice)).map { place in
      Bool.random(using: &dice) ? "{p\(place)}" : dice.pick(Self.words.dropLast())
    }
    let end = ["/", "/{rest...}"].first { _ in dice.next() % 8 == 0 } ?? ""
    return "/" + segments.joined(separator: "/") + end
  }

  private func request(_ dice: inout Dice) -> String {
    let method = dice.pick(["GET", "POST", "HEAD"])
    let parameters = ["x", "y", "z"].filter { _ in dice.next() % 3 == 0 }.map {
      "\"query.\($0)\": \"\(Int.random(in: 0...1, using: &dice))\""
    }
    return """
      { "method": "\(method)", "path": "\(path(&dice))", \
      "parameters": { \(parameters.joined(separator: ", ")) } }
      """
  }

  /// Better contracts are first: those without a tail, at each segment literals, then more
  /// conditions, then by name.
  private func isBetter(_ left: Contract, _ right: Contract) -> Bool {
    let (path, otherPath) = (left.request.paths[0], right.request.paths[0])
    if (path.tail == nil) != (otherPath.tail == nil) { return path.tail == nil }
    for (own, other) in zip(path.segments, otherPath.segments) {
      switch (own, other) {
      case (.literal, .parameter): return true
      case (.parameter, .literal): return false
      default: continue
      }
    }
    if path.segments.count != otherPath.segments.count {
      return path.segments.count > otherPath.segments.count
    }
    let (own, other) = (left.request.conditionCount, right.request.conditionCount)
    return own != other ? own > other : left.id < right.id
  }

  private func linearMatch(
    _ request: Request, _ contracts: [Contract], _ method: String
  ) -> Contract? {
    let segments = RequestParts.segments(of: request.path)
    let query = Set((request.query ?? "").split(separator: "&").map(String.init))
    return contracts.filter { contract in
      let own = contract.request.paths[0].segments
      let hasTail = contract.request.paths[0].tail != nil
      return contract.request.method == method
        && (hasTail ? own.count <= segments.count : own.count == segments.count)
        && zip(own, segments).allSatisfy { $0 == .literal($1) || $0.isParameter && $1 != "" }
        && contract.request.parameters.allSatisfy { condition in
          if case .equals(let value) = condition.test {
            query.contains("\(condition.name)=\(value)")
          } else {
            false
          }
        }
    }.min(by: isBetter)
  }

  @Test("finds the same contract as a search through all of them", arguments: 0..<20)
  func same(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    var files = ["api/upstream.json": "{}"]
    for number in 0..<60 {
      files["api/c\(number).json"] = Sample.contract(request: request(&dice))
    }
    let upstream = try #require(ContractFolder(files).load().upstreams.first)
    #expect(upstream.contracts.count == 60)
    let index = RequestIndex([upstream])
    var responded = 0
    for _ in 0..<400 {
      let path = (0..<Int.random(in: 1...4, using: &dice)).map { _ in
        "/" + dice.pick(Self.words)
      }.joined()
      let query = ["x=0", "x=1", "y=0", "y=1", "z=1"].filter { _ in Bool.random(using: &dice) }
      let method = dice.pick(["GET", "POST", "HEAD"])
      let request = Request(method, "\(path)?\(query.joined(separator: "&"))")
      var expected = linearMatch(request, upstream.contracts, method)
      if expected == nil, method == "HEAD" {
        expected = linearMatch(request, upstream.contracts, "GET")
      }
      responded += expected == nil ? 0 : 1
      #expect(index.contract(for: request, in: upstream)?.id == expected?.id, "\(request)")
      let encoded = Bool.random(using: &dice) ? path : path.replacing("a", with: "%61")
      #expect(index.contractID(ofBytes: request, path: "/api\(encoded)") == expected?.id)
      let unmatched = index.nearMisses(to: request, in: upstream)
      #expect(unmatched.count == 3 && unmatched.allSatisfy { !$0.differences.isEmpty })
    }
    #expect(responded > 40)
  }
}

extension RequestIndex {
  /// Finds a contract the way the server does: by the bytes of a method and a whole path.
  func contractID(ofBytes request: Request, path: String, host: String? = nil) -> String? {
    var (method, path) = (request.method, path)
    return method.withUTF8 { method in
      path.withUTF8 { path in
        let path = UnsafeRawBufferPointer(path)
        return find(
          method: UnsafeRawBufferPointer(method), path: path, host: { host },
          parts: { offset in
            var relative = request
            relative.path =
              offset == path.count ? "/" : String(decoding: path[offset...], as: UTF8.self)
            return RequestParts(relative)
          }, serves: { $0.unsteeredCase(for: $1) != nil }
        ).map { candidates[$0.number].contract.id }
      }
    }
  }
}

extension PathTemplate.Segment {
  fileprivate var isParameter: Bool {
    if case .parameter = self { true } else { false }
  }
}
