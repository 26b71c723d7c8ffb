import UnderstudyCore
package import UnderstudyJSON

/// An address to ask: `http` or `https`, a host, and perhaps a port, a path and a query.
///
/// Stricter than a general URL, so that nothing is asked that nobody meant: only what RFC 3986
/// allows unencoded, no user, no fragment, no `.` or `..` as a segment, at most 8,000 bytes.
/// "fake url" is none.
package struct WebURL: Hashable, Sendable {
  private static let byteCountMax = 8_000

  /// As it was given.
  package let text: String
  /// Scheme, host and port in one spelling: `https://dog.ceo`.
  let origin: String
  /// Empty, or with a slash at its beginning.
  package let path: String

  /// One that is known to be good.
  init(origin: String, path: String = "") {
    text = origin + path
    self.origin = origin
    self.path = path
  }

  package init?(_ text: String) {
    guard text.utf8.count <= Self.byteCountMax, let schemeEnd = text.firstRange(of: "://") else {
      return nil
    }
    let scheme = text[..<schemeEnd.lowerBound].lowercased()
    let rest = text[schemeEnd.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let target = rest[authority.endIndex...]
    let path = target.prefix { $0 != "?" }
    guard scheme == "http" || scheme == "https",
      let place = Self.place(authority, portByDefault: scheme == "http" ? 80 : 443),
      Self.isTarget(target), !path.split(separator: "/").contains(where: Self.isDots)
    else { return nil }
    self.text = text
    origin = "\(scheme)://\(place)"
    self.path = String(path)
  }

  /// The host in lower case, with its port unless that goes without saying.
  private static func place(_ authority: Substring, portByDefault: UInt16) -> String? {
    var host = authority
    var port = portByDefault
    if !authority.hasSuffix("]"), let colon = authority.lastIndex(of: ":") {
      guard let number = UInt16(digits: authority[authority.index(after: colon)...]), number > 0
      else {
        return nil
      }
      (host, port) = (authority[..<colon], number)
    }
    let isNumeric = host.hasPrefix("[") && host.hasSuffix("]")
    let name = isNumeric ? host.dropFirst().dropLast() : host
    guard !name.isEmpty,
      name.utf8.allSatisfy({
        isNumeric ? $0.isHexadecimalDigit || $0 == .colon || $0 == .dot : $0.isInHostName
      })
    else { return nil }
    return port == portByDefault ? host.lowercased() : "\(host.lowercased()):\(port)"
  }

  private static func isTarget(_ target: Substring) -> Bool {
    var bytes = target.utf8.makeIterator()
    while let byte = bytes.next() {
      if byte == .percent {
        guard let high = bytes.next(), let low = bytes.next(), high.isHexadecimalDigit,
          low.isHexadecimalDigit
        else { return false }
      } else if !byte.isUnreserved, !"/?:@!$&'()*+,;=".utf8.contains(byte) {
        return false
      }
    }
    return true
  }

  /// A segment that a client would take as a step within the path, however its dots are written.
  private static func isDots(_ segment: some StringProtocol) -> Bool {
    let plain = segment.lowercased().replacing("%2e", with: ".")
    return plain == "." || plain == ".."
  }
}

// MARK: - Joining

extension WebURL {
  /// The address of something beneath this one.
  ///
  /// The rule for all services: the segments, each percent-encoded, come after the base's own path
  /// with one slash between, whether or not the base ends in one; a query of the base is left out.
  /// Fails for a segment that is empty, `.` or `..`: it would name something else.
  package func appending(
    _ segments: String..., query: [(name: String, value: String)] = []
  ) throws(ServiceError) -> WebURL {
    for segment in segments where segment.isEmpty || Self.isDots(segment) {
      throw .invalidURL("\(text): found \"\(segment)\" for a part of the path")
    }
    let parameters = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
    return try appending(
      path: segments.map { "/" + Self.encoded($0) }.joined()
        + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")))
  }

  /// The same for a path that is encoded already and begins with a slash.
  package func appending(path: String) throws(ServiceError) -> WebURL {
    guard path.hasPrefix("/"), let url = WebURL(base + path) else {
      throw .invalidURL(path)
    }
    return url
  }

  /// Whether the host is this machine, which no proxy leads to.
  package var isLoopback: Bool {
    let authority = origin.drop { $0 != "/" }.dropFirst(2)
    return NetworkHost(BaseURL.host(of: authority)).isLoopback
  }

  /// Whether an address lies beneath this one, on the same host.
  package func contains(_ other: WebURL) -> Bool {
    origin == other.origin && (other.path == basePath || other.path.hasPrefix(basePath + "/"))
  }

  /// What follows this address's own path in one that lies beneath it.
  func remainder(of other: WebURL) -> String? {
    contains(other) ? String(other.path.dropFirst(basePath.count)) : nil
  }

  private var base: String { origin + basePath }

  private var basePath: Substring {
    path.hasSuffix("/") ? path.dropLast(path.reversed().prefix { $0 == "/" }.count) : path[...]
  }

  private static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte.isUnreserved {
        bytes.append(byte)
      } else {
        bytes += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension WebURL: Decodable, JSONRepresentable, CustomStringConvertible {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let url = WebURL(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "it is no URL")
    }
    self = url
  }

  package func write(to writer: inout JSONWriter) { writer.string(text) }

  package var description: String { text }
}

extension UInt8 {
  fileprivate static let percent = UInt8(ascii: "%")
  fileprivate static let colon = UInt8(ascii: ":")
  fileprivate static let dot = UInt8(ascii: ".")

  fileprivate var isHexadecimalDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  /// RFC 3986, section 2.3.
  fileprivate var isUnreserved: Bool { isInHostName || self == UInt8(ascii: "~") }

  fileprivate var isInHostName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), .dot:
      true
    default: false
    }
  }
}
