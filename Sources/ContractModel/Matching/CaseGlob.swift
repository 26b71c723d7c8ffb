/// A pattern for cases: `upstream/endpoint#case` with `*` for any text and `?` for any character.
///
/// Omitted parts match anything: `joke` is all cases of an upstream, `*#reset` all cases of that
/// name.
package struct CaseGlob: Sendable {
  package let text: String
  private let upstream: [Character]
  private let endpoint: [Character]
  private let caseName: [Character]

  package init(_ text: String) {
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let contract = parts.first ?? ""
    let names = contract.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    self.text = text
    upstream = Self.pattern(names.first)
    endpoint = Self.pattern(names.dropFirst().first)
    caseName = Self.pattern(parts.dropFirst().first)
  }

  private static func pattern(_ text: Substring?) -> [Character] {
    text.map { $0.isEmpty ? ["*"] : Array($0) } ?? ["*"]
  }

  package func matches(_ contract: Contract, _ served: Case) -> Bool {
    matches(upstream: contract.upstreamName) && matches(contract: contract.name)
      && Self.matches(caseName, served.name)
  }

  package func matches(upstream name: String) -> Bool { Self.matches(upstream, name) }

  /// Whether the part for contracts matches one's name in its upstream.
  package func matches(contract name: String) -> Bool { Self.matches(endpoint, name) }

  package var hasContract: Bool { text.prefix { $0 != "#" }.contains("/") }
  package var hasCase: Bool { text.contains("#") }
  package var matchesAll: Bool { [upstream, endpoint, caseName].allSatisfy { $0 == ["*"] } }

  /// Backtracks to the last star only, which is fast enough for names as short as these.
  private static func matches(_ pattern: [Character], _ text: String) -> Bool {
    let text = Array(text)
    var (position, index) = (0, 0)
    var star: (position: Int, index: Int)?
    while index < text.count {
      if position < pattern.count, pattern[position] == "*" {
        star = (position, index)
        position += 1
      } else if position < pattern.count,
        pattern[position] == "?" || pattern[position] == text[index]
      {
        position += 1
        index += 1
      } else if let last = star {
        star = (last.position, last.index + 1)
        position = last.position + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy { $0 == "*" }
  }
}

extension [CaseGlob] {
  /// Whether one of them matches a case; without any, all cases are selected.
  package func selects(_ contract: Contract, _ served: Case) -> Bool {
    isEmpty || contains { $0.matches(contract, served) }
  }
}
