import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets

/// Selects the headers of live responses that belong in a contract: not those of the connection and
/// network, nor those that differ between responses.
struct RecordedHeaders {
  /// Beside those of the delivery.
  private static let left: Set<HeaderName> = ["expect-ct", "strict-transport-security"]
  private static let leftPrefixes = [
    "proxy-", "x-cache", "x-azure-", "x-goog-", "x-nf-", "x-envoy-", "understudy-",
  ]
  private static let linking: Set<HeaderName> = ["link", "location", "content-location"]

  /// By name, in the order of the first response.
  let fields: [(name: String, values: [String])]
  let hasTemplates: Bool
  /// Headers left out because they change between responses.
  let volatileNames: [String]
  /// Headers left out because they carry credentials.
  let secretNames: [String]

  init(of responses: [LiveResponse], baseURL: WebURL?, mask: SecretMask) {
    let all = responses.map(Self.grouped)
    let first = all.first ?? []
    var kept: [(name: String, values: [String])] = []
    var volatile: [String] = []
    var secret: [String] = []
    // A header that only some responses have changes, too.
    let names = Set(first.map { HeaderName($0.name) })
    let later = all.dropFirst().joined().filter { !names.contains(HeaderName($0.name)) }
    let others = all.dropFirst().map { response in
      Dictionary(
        response.map { (HeaderName($0.name), $0.values) }, uniquingKeysWith: { first, _ in first })
    }
    for (name, values) in first where !Self.isLeft(name) {
      let key = HeaderName(name)
      let isCookie = key == "set-cookie"
      let shown = values.map { isCookie ? Self.masked(cookie: $0, mask) : mask.masked($0) }
      let isSame = others.allSatisfy { other in
        let found = other[key]
        return isCookie
          ? found?.map { Self.masked(cookie: $0, mask) } == shown : found == values
      }
      if !isCookie, SecretNames.standard.hides(name) {
        secret.append(Self.spelling(name))
      } else if isSame, responses.count > 1 || !Self.isMadeForOne(name, values) {
        kept.append((Self.spelling(name), shown))
      } else {
        volatile.append(Self.spelling(name))
      }
    }
    volatile += later.map { Self.spelling($0.name) }.filter {
      !Self.isLeft($0) && !SecretNames.standard.hides($0)
    }
    volatileNames = volatile.withoutRepeats
    secretNames = secret
    let own = baseURL.map(\.description)
    let linked = kept.map { name, values in
      guard let own, Self.linking.contains(HeaderName(name)) else { return (name, values) }
      return (name, values.map { Self.replacing(own, in: $0) })
    }
    let isChanged = zip(kept, linked).contains { $0.values != $1.1 }
    // Braces in other headers would also be read as templates.
    hasTemplates = isChanged && !kept.contains { $0.values.contains { $0.contains("{") } }
    fields = hasTemplates ? linked.map { (name: $0.0, values: $0.1) } : kept
  }

  private static func grouped(_ response: LiveResponse) -> [(name: String, values: [String])] {
    var groups: [(name: String, values: [String])] = []
    var places: [HeaderName: Int] = [:]
    for field in response.headers {
      if let place = places[field.key] {
        groups[place].values.append(field.value)
      } else {
        places[field.key] = groups.count
        groups.append((field.name, [field.value]))
      }
    }
    return groups
  }

  private static func isLeft(_ name: String) -> Bool {
    let name = HeaderName(name)
    return HeaderRule.isOfDelivery(name) || left.contains(name)
      || leftPrefixes.contains(where: name.hasPrefix)
  }

  /// Whether a header seen once has a value that no other response will have: a request ID, or a
  /// duration. Headers that `drift` does not compare may stay.
  private static func isMadeForOne(_ name: String, _ values: [String]) -> Bool {
    guard case .value = HeaderRule(name, isTemplated: false) else { return false }
    return values.contains { value in
      let bytes = value.utf8.filter { $0 != UInt8(ascii: "-") }
      return bytes.count >= 16 && bytes.allSatisfy { $0.hexadecimalValue != nil }
        && bytes.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
  }

  /// A cookie without its value. An empty value, which deletes the cookie, stays.
  private static func masked(cookie: String, _ mask: SecretMask) -> String {
    let name = cookie.prefix { $0 != "=" && $0 != ";" }
    let value = cookie[name.endIndex...].prefix { $0 != ";" }
    let attributes = mask.masked(String(cookie[value.endIndex...]))
    return value.count <= 1
      ? "\(name)\(value)\(attributes)" : "\(name)=\(SecretMask.mark)\(attributes)"
  }

  /// HTTP/2 sends all names in lower case; contracts use the usual spelling.
  private static func spelling(_ name: String) -> String {
    name == name.lowercased() ? RequestHeaders.spelling(name) : name
  }

  /// Replaces each whole URL, but not the start of a longer host name.
  private static func replacing(_ address: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let found = rest.utf8.firstRange(ofBytes: address.utf8) {
      result += rest[..<found.lowerBound]
      let next = rest[found.upperBound...].unicodeScalars.first
      let isWhole = next.map { "/?#>\", ;".unicodeScalars.contains($0) } ?? true
      result += isWhole ? "{server.baseURL}" : address
      rest = rest[found.upperBound...]
    }
    return result + rest
  }
}
