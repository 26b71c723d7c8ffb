/// The environment variables that secrets come from.
///
/// Each begins with the name of the upstream that gets it, such as `UNDERSTUDY_DOG_CEO_TOKEN` of
/// `dog-ceo`, so that a contract cannot send the secrets of another upstream, or of the tool.
package enum SecretVariable {
  private static let prefix = "UNDERSTUDY_"

  /// What the tool and its scripts read for themselves, and what commands under `run` get.
  private static let ofTool: Set<String> = Set(
    [
      "ADMIN_TOKEN", "BIN", "CASE", "CONTRACTS", "DURATIONS", "HISTORY_BRANCH", "PIPES", "PORTABLE",
      "SECRETS", "SHARD", "SHARD_COUNT", "TRUST_FILE", "URL", "WITHHELD",
    ].map { prefix + $0 })

  static func isOfTool(_ name: String) -> Bool {
    ofTool.contains(name) || name.hasPrefix("\(prefix)URL_")
  }

  package static func isName(_ text: some StringProtocol) -> Bool {
    text.hasPrefix(prefix) && text.utf8.count > prefix.utf8.count
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// `UNDERSTUDY_DOG_CEO_` of `dog-ceo`.
  package static func start(of upstreamName: String) -> String {
    "\(prefix)\(upstreamName.uppercased().replacing("-", with: "_"))_"
  }

  /// The upstream whose name a variable has: of `dog` and `dog-ceo`, the longer one that fits.
  static func owner(of name: String, among upstreamNames: Set<String>) -> String? {
    let words = name.dropFirst(prefix.count)
    // The last character cannot end the owner's name, since something must follow.
    var end = words.dropLast().lastIndex(of: "_")
    while let found = end {
      let candidate = words[..<found].lowercased().replacing("_", with: "-")
      if upstreamNames.contains(candidate) { return candidate }
      end = words[..<found].lastIndex(of: "_")
    }
    return nil
  }

  /// Whether a variable may have a secret of an upstream.
  ///
  /// - Parameter others: the names of all upstreams of the folder.
  package static func isFree(
    _ name: String, for upstreamName: String, among others: Set<String> = []
  ) -> Bool {
    let start = start(of: upstreamName)
    guard !isOfTool(name), name.hasPrefix(start), name.utf8.count > start.utf8.count else {
      return false
    }
    let owner = owner(of: name, among: others)
    // A longer name that fits as well belongs to another upstream.
    return owner.map { $0.utf8.count <= upstreamName.utf8.count } ?? true
  }

  /// A variable for an upstream; `nil` if all that begin with its name belong to others.
  package static func example(
    for upstreamName: String, among others: Set<String> = []
  ) -> String? {
    ["TOKEN", "KEY", "SECRET"].map { start(of: upstreamName) + $0 }.first {
      isFree($0, for: upstreamName, among: others)
    }
  }
}
