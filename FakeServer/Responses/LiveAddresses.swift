import UnderstudyContractModel
import UnderstudyCore

/// Finds the base URLs of live APIs in responses, so that links stay within the fake.
struct LiveAddresses: Sendable {
  struct Match: Sendable {
    let range: Range<Int>
    let upstreamName: String
    /// Written with `\/`, as some JSON encoders do.
    let hasEscapedSlashes: Bool
  }

  private struct Spelling {
    let bytes: [UInt8]
    let upstreamName: String
    let hasEscapedSlashes: Bool
  }

  /// Longest first: `https://example.com/api` before `https://example.com`.
  private let spellings: [Spelling]

  init(of upstreams: [Upstream]) {
    spellings = upstreams.flatMap { upstream -> [Spelling] in
      guard let address = upstream.baseURL?.description else { return [] }
      let escaped = address.utf8.flatMap { $0 == .slash ? [.backslash, $0] : [$0] }
      return [
        Spelling(
          bytes: Array(address.utf8), upstreamName: upstream.name, hasEscapedSlashes: false),
        Spelling(bytes: escaped, upstreamName: upstream.name, hasEscapedSlashes: true),
      ]
    }.sorted { $0.bytes.count > $1.bytes.count }
  }

  /// All URLs in the bytes, from first to last.
  func matches(in bytes: [UInt8]) -> [Match] {
    var matches: [Match] = []
    var start = 0
    while let index = bytes[start...].firstIndex(of: UInt8(ascii: "h")) {
      let rest = bytes[index...]
      // Most words that begin with h are not URLs.
      let candidates = rest.starts(with: "http".utf8) ? spellings : []
      let found = candidates.first {
        rest.starts(with: $0.bytes) && Self.isEnd(rest.dropFirst($0.bytes.count))
      }
      guard let found else {
        start = index + 1
        continue
      }
      start = index + found.bytes.count
      matches.append(
        Match(
          range: index..<start, upstreamName: found.upstreamName,
          hasEscapedSlashes: found.hasEscapedSlashes))
    }
    return matches
  }

  /// Whether a URL ends before these bytes, rather than continuing as a longer name:
  /// `https://dog.ceo` is not in `https://dog.ceo.example.com`, but in `See https://dog.ceo.`
  private static func isEnd(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let next = rest.first else { return true }
    switch next {
    case UInt8(ascii: "."), .colon:
      return !(rest.dropFirst().first?.isLetterOrDigit ?? false)
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"),
      UInt8(ascii: "@"):
      return false
    default: return !next.isLetterOrDigit
    }
  }
}
