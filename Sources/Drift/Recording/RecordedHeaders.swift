import ContractModel

/// Which headers of live answers belong into a contract: not those of the connection, of caches and
/// of the network between, nor counters, cookies, or what differs from one answer to the next.
struct RecordedHeaders {
  private static let left: Set<String> = [
    "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "content-length",
    "content-encoding", "date", "age", "expires", "etag", "last-modified", "via", "server",
    "alt-svc", "nel", "report-to", "reporting-endpoints", "server-timing", "x-powered-by",
    "strict-transport-security", "vary", "accept-ranges", "x-runtime", "x-timer", "x-request-id",
    "x-correlation-id", "x-trace-id", "traceparent", "x-response-time", "x-cloud-trace-context",
    "x-served-by", "x-varnish", "x-github-request-id", "x-vercel-id", "expect-ct", "set-cookie",
  ]
  private static let leftPrefixes = [
    "cf-", "proxy-", "x-cache", "x-amz-", "x-amzn-", "x-fastly-", "x-ratelimit-", "x-rate-limit-",
    "ratelimit", "x-b3-", "x-azure-", "x-goog-", "x-nf-", "x-envoy-", "understudy-",
  ]
  private static let linking: Set<String> = ["link", "location", "content-location"]

  /// By name in the order of the first answer.
  let fields: [(name: String, values: [String])]
  let hasTemplates: Bool
  /// What was left out although it is no business of the connection's, for people to see.
  let volatileNames: [String]

  init(of answers: [LiveAnswer], baseURL: BaseURL?, mask: SecretMask) {
    let all = answers.map(Self.grouped)
    let first = all.first ?? []
    var kept: [(name: String, values: [String])] = []
    var volatile: [String] = []
    for (name, values) in first where !Self.isLeft(name) && !Redaction.ofAnswers.hides(name) {
      let isSame = all.dropFirst().allSatisfy { others in
        others.first { $0.name.lowercased() == name.lowercased() }?.values == values
      }
      if isSame {
        kept.append((Self.spelling(name), values.map { mask.masked($0) }))
      } else {
        volatile.append(Self.spelling(name))
      }
    }
    volatileNames = volatile
    let own = baseURL.map(\.description)
    let linked = kept.map { name, values in
      guard let own, Self.linking.contains(name.lowercased()) else { return (name, values) }
      return (name, values.map { Self.replacing(own, in: $0) })
    }
    let isChanged = zip(kept, linked).contains { $0.values != $1.1 }
    // Braces of other headers would be taken for templates, too.
    hasTemplates = isChanged && !kept.contains { $0.values.contains { $0.contains("{") } }
    fields = hasTemplates ? linked.map { (name: $0.0, values: $0.1) } : kept
  }

  private static func grouped(_ answer: LiveAnswer) -> [(name: String, values: [String])] {
    var groups: [(name: String, values: [String])] = []
    for field in answer.headers {
      let name = field.name.lowercased()
      if let index = groups.firstIndex(where: { $0.name.lowercased() == name }) {
        groups[index].values.append(field.value)
      } else {
        groups.append((field.name, [field.value]))
      }
    }
    return groups
  }

  private static func isLeft(_ name: String) -> Bool {
    let name = name.lowercased()
    return left.contains(name) || leftPrefixes.contains { name.hasPrefix($0) }
  }

  /// HTTP/2 sends all names in small letters, in which nobody writes them.
  private static func spelling(_ name: String) -> String {
    guard name == name.lowercased() else { return name }
    return name.split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
  }

  /// Every place where the address stands by itself, not as the beginning of another host's name.
  private static func replacing(_ address: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let found = rest.firstRange(of: address) {
      result += rest[..<found.lowerBound]
      let next = rest[found.upperBound...].unicodeScalars.first
      let isWhole = next.map { "/?#>\", ;".unicodeScalars.contains($0) } ?? true
      result += isWhole ? "{server.baseURL}" : address
      rest = rest[found.upperBound...]
    }
    return result + rest
  }
}
