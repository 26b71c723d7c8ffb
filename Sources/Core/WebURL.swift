/// The address of a request: `http` or `https`, a host, and perhaps a port, a path and a query.
///
///     let jokes = WebURL("https://official-joke-api.appspot.com")
///     let joke = jokes?.appending(["jokes", "1"])
///
/// It is stricter than a general URL, so that no request goes to an address nobody meant: no user,
/// no fragment, no `.` or `..` as a segment, at most 8,000 bytes, and in the path only characters
/// that RFC 3986 allows unencoded, and brackets, which servers write.
public struct WebURL: Hashable, Sendable {
  private static let byteCountMax = 8_000

  /// `http` or `https`.
  public let scheme: String
  /// In lower case; an IPv6 address keeps its brackets.
  public let host: String
  /// `nil` for the scheme's default port, so that an origin has one value however it is written.
  public let port: Int?
  /// As it was written: empty, or beginning with a slash.
  public let path: String
  /// As it was written, without the question mark.
  public let query: String?

  /// Makes an address from parts that are known to be valid: nothing is checked.
  public init(
    scheme: String, host: String, port: Int? = nil, path: String = "", query: String? = nil
  ) {
    self.scheme = scheme
    self.host = host
    self.port = port == Self.port(of: scheme) ? nil : port
    self.path = path
    self.query = query
  }

  /// Reads an address; `nil` if the text is not one.
  public init?(_ text: String) {
    // By bytes: walking over characters would take most of the time.
    guard text.utf8.count <= Self.byteCountMax, let schemeEnd = text.utf8.firstIndex(of: .colon),
      text.utf8[schemeEnd...].starts(with: "://".utf8)
    else { return nil }
    let scheme = text[..<schemeEnd].lowercased()
    let rest = Substring(text.utf8[schemeEnd...].dropFirst("://".utf8.count))
    let authority = Substring(rest.utf8.prefix { $0 != .slash && $0 != .questionMark })
    let path = Substring(rest[authority.endIndex...].utf8.prefix { $0 != .questionMark })
    let query = rest[path.endIndex...]
    let host = Self.host(of: authority)
    let written = authority.utf8[host.endIndex...].dropFirst()
    let port = written.first == .plus ? nil : Int(Substring(written))
    guard scheme == "http" || scheme == "https", Self.isHost(host),
      host.endIndex == authority.endIndex || 1...65_535 ~= port ?? 0,
      Self.isPath(path), !path.utf8.split(separator: .slash).contains(where: Self.isDots),
      query.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
    else { return nil }
    self.init(
      scheme: scheme, host: host.lowercased(), port: port, path: String(path),
      query: query.isEmpty ? nil : String(Substring(query.utf8.dropFirst())))
  }

  /// A base for paths: without a query or trailing slashes.
  package init?(base text: String) {
    guard let url = WebURL(text), url.query == nil else { return nil }
    self = url.base
  }

  /// The address as it goes into a request.
  public var text: String {
    "\(scheme)://\(authority)\(path)\(query.map { "?\($0)" } ?? "")"
  }

  /// Whether only programs on this machine can reach it; no proxy leads there.
  public var isLoopback: Bool { NetworkHost(host).isLoopback }
}

// MARK: - Parts

extension WebURL {
  private static func port(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  /// An authority without its port.
  package static func host(of authority: Substring) -> Substring {
    let colon = authority.utf8.last == .closeBracket ? nil : authority.utf8.lastIndex(of: .colon)
    return authority[..<(colon ?? authority.endIndex)]
  }

  /// The host, with the port unless it is the scheme's default.
  package var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// The host with its port, even if it is the scheme's default.
  package var place: String { "\(host):\(portNumber)" }

  /// The port, even if it is the scheme's default.
  package var portNumber: Int { port ?? Self.port(of: scheme) }

  /// Only scheme, host and port.
  package var origin: WebURL { WebURL(scheme: scheme, host: host, port: port) }

  /// Whether the host only identifies a machine: an IP address, or `localhost`.
  package var isBareAddress: Bool { isLoopback || NetworkHost(host).address != nil }

  private var base: WebURL {
    var path = path[...]
    while path.hasSuffix("/") { path.removeLast() }
    return WebURL(scheme: scheme, host: host, port: port, path: String(path))
  }

  /// A name, an IPv4 address, or an IPv6 address in brackets.
  private static func isHost(_ text: Substring) -> Bool {
    let isNumeric = text.utf8.first == .openBracket && text.utf8.last == .closeBracket
    let name = isNumeric ? text.utf8.dropFirst().dropLast() : text.utf8
    return !name.isEmpty
      && name.allSatisfy {
        isNumeric ? $0.hexadecimalValue != nil || ":.".utf8.contains($0) : $0.isInHostName
      }
  }

  private static func isPath(_ path: Substring) -> Bool {
    var bytes = path.utf8.makeIterator()
    while let byte = bytes.next() {
      if byte == UInt8(ascii: "%") {
        guard let high = bytes.next(), let low = bytes.next(), high.hexadecimalValue != nil,
          low.hexadecimalValue != nil
        else { return false }
      } else if !byte.isUnreserved, !"/:@!$&'()*+,;=[]".utf8.contains(byte) {
        return false
      }
    }
    return true
  }

  /// A segment that clients resolve as `.` or `..`, however its dots are encoded.
  private static func isDots(_ segment: Substring.UTF8View) -> Bool {
    var (rest, count) = (segment, 0)
    while let first = rest.first {
      let isEncoded = rest.starts(with: "%2e".utf8) || rest.starts(with: "%2E".utf8)
      guard first == .period || isEncoded else { return false }
      rest = rest.dropFirst(isEncoded ? 3 : 1)
      count += 1
    }
    return count == 1 || count == 2
  }
}

// MARK: - Joining

extension WebURL {
  /// The address of something beneath this one: the segments are percent-encoded and follow this
  /// path, with one slash between. The query of this address is left out.
  ///
  /// `nil` if a segment is empty, `.` or `..`: it would name something else.
  public func appending(
    _ segments: [String], query: [(name: String, value: String)] = []
  ) -> WebURL? {
    guard !segments.isEmpty,
      !segments.contains(where: { $0.isEmpty || Self.isDots($0[...].utf8) })
    else { return nil }
    let parameters = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
    // Encoded text is valid, and need not be read again.
    let url = WebURL(
      scheme: scheme, host: host, port: port,
      path: base.path + segments.map { "/" + Self.encoded($0) }.joined(),
      query: parameters.isEmpty ? nil : parameters.joined(separator: "&"))
    return url.text.utf8.count <= Self.byteCountMax ? url : nil
  }

  /// The address of a path beneath this one, which is encoded already and begins with a slash.
  public func appending(path: String) -> WebURL? {
    path.hasPrefix("/") ? WebURL(base.text + path) : nil
  }

  /// Whether a URL lies beneath this one, on the same host.
  public func contains(_ other: WebURL) -> Bool { remainder(of: other) != nil }

  /// The path from this address to one that lies beneath it; `nil` if it does not.
  public func remainder(of other: WebURL) -> String? {
    let base = base
    guard origin == other.origin, other.path.hasPrefix(base.path) else { return nil }
    let rest = other.path.dropFirst(base.path.count)
    return rest.isEmpty || rest.hasPrefix("/") ? String(rest) : nil
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

extension WebURL: Decodable, CustomStringConvertible {
  /// Decodes a string; one that is not an address is an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let url = WebURL(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a valid URL")
    }
    self = url
  }

  /// The address as ``text`` has it.
  public var description: String { text }
}

// MARK: - Mending

extension WebURL {
  /// Whether a URL has a user, and perhaps a password, before its host.
  package static func namesUser(_ text: String) -> Bool {
    guard let end = text.utf8.firstRange(ofBytes: "://".utf8) else { return false }
    return text[end.upperBound...].prefix { !"/?#".contains($0) }.contains("@")
  }

  /// How to fix a text that is not a valid base URL; `nil` when no better advice is known.
  package static func fix(for text: String, scheme: String = "https") -> String? {
    guard let end = text.utf8.firstRange(ofBytes: "://".utf8) else {
      // A single word is hardly the name of a host.
      guard text.contains(where: { ".:[".contains($0) }) || text.hasPrefix("localhost") else {
        return nil
      }
      let isLocal = ["127.", "localhost", "[::1]"].contains(where: text.hasPrefix)
      let url = isLocal ? "http://\(text)" : "\(scheme)://\(text)"
      return WebURL(base: url) == nil ? nil : "write \"\(url)\""
    }
    guard ["http", "https"].contains(text[..<end.lowerBound].lowercased()) else {
      return "begin it with https:// or http://"
    }
    return namesUser(text) || text.contains { $0 == "?" || $0 == "#" }
      ? "leave out user, query and fragment" : nil
  }
}

extension UInt8 {
  /// RFC 3986, section 2.3.
  fileprivate var isUnreserved: Bool { isInHostName || self == UInt8(ascii: "~") }

  fileprivate var isInHostName: Bool {
    isLetterOrDigit || self == .hyphen || self == .period || self == UInt8(ascii: "_")
  }
}
