package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyJSON

/// The requests that a request pattern of WireMock means.
package struct StubPattern: Sendable {
  private let index: RequestIndex
  private let upstream: Upstream

  /// - Parameter pattern: the `request` of a stub.
  package init(_ pattern: JSONValue) throws(StubRefusal) {
    if let problem = StubForm.problems(inPattern: pattern).first {
      throw StubRefusal(problem.pointer, problem.reason)
    }
    let stub: JSONText = ["request": .value(pattern), "response": [:]]
    var count = 0
    do throws(StubRefusal) {
      let contracts = try StubReader(isTemplated: false) {
        .failure(Failure(message: "no file \($0)"))
      }.contracts(of: stub) { _ in
        count += 1
        return "pattern-\(count)"
      }
      upstream = Upstream(named: WireMockLibrary.upstreamName).with(ordered: contracts)
    } catch {
      throw StubRefusal(String(error.pointer.dropFirst("/request".count)), error.reason)
    }
    index = RequestIndex([upstream])
  }

  /// Whether it means a request with this body, as a pattern of contents does.
  package static func content(_ pattern: JSONValue) throws(StubRefusal) -> StubPattern {
    let text: JSONText = ["bodyPatterns": [.value(pattern)]]
    guard let root = text.root else { throw StubRefusal("", "the pattern is not JSON") }
    do throws(StubRefusal) {
      return try StubPattern(root)
    } catch {
      throw StubRefusal(
        String(error.pointer.dropFirst("/bodyPatterns/0".count)), error.reason)
    }
  }

  package func matches(_ request: Request) -> Bool {
    index.match(RequestParts(request), in: upstream) != nil
  }

  package func matches(content: [UInt8]) -> Bool {
    matches(
      Request(
        "POST", "/", headers: [HeaderField(name: "Content-Type", value: "application/json")],
        body: content))
  }

  /// How far a request is from what it means; zero for one that it means.
  package func distance(to request: Request) -> Int {
    if matches(request) { return 0 }
    return index.nearMisses(to: request, in: upstream, countMax: 1).first?.distance ?? 1
  }
}
