import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// How much of a header is held against the contract.
enum HeaderRule {
  /// It says how the answer travelled, not what it is.
  case ignored
  /// Its value changes from answer to answer.
  case presence
  /// The media type, and the charset where both name one.
  case mediaType
  /// Items between commas in any order, whatever their case.
  case list
  case value

  init(_ name: String, isTemplated: Bool) {
    let name = name.lowercased()
    if Self.travelling.contains(name) || Self.prefixes.contains(where: name.hasPrefix) {
      self = .ignored
    } else if isTemplated || Self.changing.contains(name) || name.contains("ratelimit")
      || name.contains("rate-limit")
    {
      self = .presence
    } else if name == "content-type" {
      self = .mediaType
    } else if ["cache-control", "vary", "allow", "access-control-expose-headers"].contains(name) {
      self = .list
    } else {
      self = .value
    }
  }

  private static let travelling: Set = [
    "date", "server", "via", "age", "content-length", "connection", "keep-alive",
    "transfer-encoding", "content-encoding", "set-cookie", "x-request-id", "x-github-request-id",
    "x-correlation-id", "x-cache", "x-cache-hits", "x-served-by", "x-timer", "x-runtime", "alt-svc",
    "report-to", "nel", "server-timing", "x-powered-by", "traceparent", "reporting-endpoints",
  ]
  private static let prefixes = ["cf-", "x-amz-", "x-amzn-", "x-cloud-trace", "x-b3-", "x-fastly-"]
  private static let changing: Set = [
    "etag", "last-modified", "expires", "retry-after", "link", "location", "warning", "sunset",
    "content-security-policy", "accept-ranges", "x-poll-interval",
  ]

  func isEqual(_ expected: String, _ found: String) -> Bool {
    switch self {
    case .ignored, .presence: true
    case .mediaType: MediaType(expected).isEqual(to: MediaType(found))
    case .list: Self.items(expected) == Self.items(found)
    case .value: ExactText(expected) == ExactText(found)
    }
  }

  private static func items(_ text: String) -> Set<String> {
    Set(text.lowercased().split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } })
  }
}

/// What a `Content-Type` says.
struct MediaType {
  /// In lower case: `application/json`.
  let name: String
  private let charset: String?

  init(_ text: String) {
    let parts = text.lowercased().split(separator: ";").map { part in
      part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
    }
    name = parts.first ?? ""
    charset = parts.dropFirst().first { $0.hasPrefix("charset=") }
  }

  var isJSON: Bool { name == "application/json" || name.hasSuffix("+json") || name == "text/json" }

  func isEqual(to other: MediaType) -> Bool {
    name == other.name && (charset == nil || other.charset == nil || charset == other.charset)
  }
}

extension LiveAnswer {
  /// The values of a header as one, or `nil` without it.
  func header(_ name: String) -> String? { headers.value(of: name) }
}

extension [HeaderField] {
  func value(of name: String) -> String? {
    let values = filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

extension ExpectedAnswer {
  /// Headers by which an upstream says that it is going to change.
  static let announcements = ["Deprecation", "Sunset", "Warning"]

  func headerDifferences(from answer: LiveAnswer, _ response: Response) -> [Difference] {
    var seen: Set<String> = []
    var differences: [Difference] = []
    for name in response.headers.map(\.name) where seen.insert(name.lowercased()).inserted {
      let expected = response.headers.value(of: name) ?? ""
      let isTemplated =
        response.templatedParts.contains(.headers) && !Template(expected).expressions.isEmpty
      let rule = HeaderRule(name, isTemplated: isTemplated)
      if case .ignored = rule { continue }
      let shown = SecretNames.standard.hides(name) ? SecretMask.mark : expected
      guard let found = answer.header(name) else {
        differences.append(
          header(
            .headerRemoved, name, "found no header \(name), expected \(shown.shown)",
            diff: ["-\(name): \(shown)"]))
        continue
      }
      // What was masked, as it was recorded or as it came, says nothing.
      let isMasked = expected.contains(SecretMask.mark) || found.contains(SecretMask.mark)
      if isMasked || rule.isEqual(expected, found) { continue }
      let shownFound = SecretNames.standard.hides(name) ? SecretMask.mark : found
      differences.append(
        header(
          .headerChanged, name,
          "found \(name) \(shownFound.shown), expected \(shown.shown)",
          value: found, diff: ["-\(name): \(shown)", "+\(name): \(shownFound.visible)"]))
    }
    for name in Self.announcements where !seen.contains(name.lowercased()) {
      guard let found = answer.header(name) else { continue }
      differences.append(
        header(
          .headerAdded, name, "found \(name) \(found.shown), which announces a change",
          diff: ["+\(name): \(found.visible)"]))
    }
    return differences
  }

  private func header(
    _ type: FindingType, _ name: String, _ message: String, value: String? = nil, diff: [String]
  ) -> Difference {
    Difference(
      type: type, subject: name.lowercased(), message: message,
      position: (headerSource(name)?.value ?? sources.lazy.compactMap { $0["headers"] }.first
        ?? probe.source).position,
      value: value, diff: diff, header: name)
  }

  /// Where a header stands: in the case, or in one that it is like.
  func headerSource(_ name: String) -> JSONMember? {
    sources.lazy.compactMap { source in
      source["headers"]?.members.first { $0.key.lowercased() == name.lowercased() }
    }.first
  }
}
