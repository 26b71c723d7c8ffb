import JSON

/// A URI or a relative reference, taken apart as RFC 3986 says; text that breaks its grammar is
/// refused.
struct URIReference: Hashable, Sendable {
  let scheme: String?
  let authority: String?
  let path: String
  let query: String?
  let fragment: String?

  /// The reference to the document itself, the base of a schema without a URI.
  static let empty = URIReference(
    scheme: nil, authority: nil, path: "", query: nil, fragment: nil)

  private init(
    scheme: String?, authority: String?, path: String, query: String?, fragment: String?
  ) {
    self.scheme = scheme
    self.authority = authority
    self.path = path
    self.query = query
    self.fragment = fragment
  }

  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    let fragment = Self.cut(&rest, at: UInt8(ascii: "#"))
    let query = Self.cut(&rest, at: UInt8(ascii: "?"))
    var scheme: ArraySlice<UInt8>?
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")),
      !rest[..<colon].contains(UInt8(ascii: "/"))
    {
      scheme = rest[..<colon]
      rest = rest[(colon + 1)...]
    }
    var authority: ArraySlice<UInt8>?
    if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
      let start = rest.startIndex + 2
      let end = rest[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = rest[start..<end]
      rest = rest[end...]
    }
    guard scheme.map(Self.isScheme) ?? true, authority.map(Self.isAuthority) ?? true,
      Self.consists(rest, of: { Self.isPathCharacter($0) || $0 == UInt8(ascii: "/") }),
      Self.consists(query ?? [], of: Self.isQueryCharacter),
      Self.consists(fragment ?? [], of: Self.isQueryCharacter)
    else { return nil }
    func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    self.init(
      scheme: scheme.map(string), authority: authority.map(string), path: string(rest),
      query: query.map(string), fragment: fragment.map(string))
  }

  /// Takes away what stands after the first `mark`, and the mark.
  private static func cut(_ rest: inout ArraySlice<UInt8>, at mark: UInt8) -> ArraySlice<UInt8>? {
    guard let index = rest.firstIndex(of: mark) else { return nil }
    defer { rest = rest[..<index] }
    return rest[(index + 1)...]
  }

  var withoutFragment: URIReference {
    URIReference(scheme: scheme, authority: authority, path: path, query: query, fragment: nil)
  }

  /// The fragment with its `%` sequences undone, or `nil` when they are no UTF-8.
  var decodedFragment: String? {
    guard let fragment else { return "" }
    var bytes: [UInt8] = []
    var rest = Array(fragment.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.popFirst(), let low = rest.popFirst() {
        bytes.append((high.hexadecimalValue ?? 0) << 4 | (low.hexadecimalValue ?? 0))
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension URIReference: CustomStringConvertible {
  var description: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
      + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }
}

extension URIReference {
  /// What `reference` means when it stands in a document of this URI (RFC 3986, section 5.2).
  func resolving(_ reference: URIReference) -> URIReference {
    if reference.scheme != nil {
      return reference.replacing(
        scheme: reference.scheme, authority: reference.authority,
        path: Self.withoutDotSegments(reference.path), query: reference.query)
    }
    if reference.authority != nil {
      return reference.replacing(
        scheme: scheme, authority: reference.authority,
        path: Self.withoutDotSegments(reference.path), query: reference.query)
    }
    if reference.path.isEmpty {
      return reference.replacing(
        scheme: scheme, authority: authority, path: path, query: reference.query ?? query)
    }
    let merged: String
    if reference.path.hasPrefix("/") {
      merged = reference.path
    } else if authority != nil, path.isEmpty {
      merged = "/" + reference.path
    } else {
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      merged = (slash.map { String(path[...$0]) } ?? "") + reference.path
    }
    return reference.replacing(
      scheme: scheme, authority: authority, path: Self.withoutDotSegments(merged),
      query: reference.query)
  }

  private func replacing(
    scheme: String?, authority: String?, path: String, query: String?
  ) -> URIReference {
    URIReference(
      scheme: scheme, authority: authority, path: path, query: query, fragment: fragment)
  }

  private static func withoutDotSegments(_ path: String) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.contains(where: { $0 == "." || $0 == ".." }) else { return path }
    var kept: [Substring] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case "..":
        // The empty segment before a leading slash stays: there is nothing above the root.
        if kept.count > 1 || kept.first.map({ !$0.isEmpty }) == true { kept.removeLast() }
        if isLast { kept.append("") }
      case ".":
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }
}

extension URIReference {
  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy {
      isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: ".")
    }
  }

  private static func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
    var host = bytes
    if let at = bytes.firstIndex(of: UInt8(ascii: "@")) {
      let isUserInformation = consists(bytes[..<at]) {
        isNameCharacter($0) || $0 == UInt8(ascii: ":")
      }
      guard isUserInformation else { return false }
      host = bytes[(at + 1)...]
    }
    var port: ArraySlice<UInt8> = []
    if host.first == UInt8(ascii: "[") {
      guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
      guard isLiteral(host[(host.startIndex + 1)..<end]) else { return false }
      port = host[(end + 1)...]
      guard port.isEmpty || port.popFirst() == UInt8(ascii: ":") else { return false }
    } else {
      port = cut(&host, at: UInt8(ascii: ":")) ?? []
      guard consists(host, of: isNameCharacter) else { return false }
    }
    return port.allSatisfy(isDigit)
  }

  /// What may stand in brackets: an IPv6 address, or `v1.…` for what comes after it.
  private static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
    if Format.isIPv6(bytes) { return true }
    var rest = bytes
    guard let version = rest.popFirst(), version | 0x20 == UInt8(ascii: "v") else { return false }
    let address = cut(&rest, at: UInt8(ascii: ".")) ?? []
    return !rest.isEmpty && rest.allSatisfy { $0.hexadecimalValue != nil } && !address.isEmpty
      && address.allSatisfy {
        $0 != UInt8(ascii: "%") && (isNameCharacter($0) || $0 == UInt8(ascii: ":"))
      }
  }

  /// Whether every byte is allowed and every `%` has its two digits.
  private static func consists(
    _ bytes: ArraySlice<UInt8>, of isAllowed: (UInt8) -> Bool
  ) -> Bool {
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst(), high.hexadecimalValue != nil,
          let low = rest.popFirst(), low.hexadecimalValue != nil
        else { return false }
      } else if !isAllowed(byte) {
        return false
      }
    }
    return true
  }

  /// The unreserved characters and the "sub-delims" of the grammar.
  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "-._~!$&'()*+,;=".utf8.contains(byte)
  }

  private static func isPathCharacter(_ byte: UInt8) -> Bool {
    isNameCharacter(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@")
  }

  private static func isQueryCharacter(_ byte: UInt8) -> Bool {
    isPathCharacter(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
  }
}

func isDigit(_ byte: UInt8) -> Bool {
  UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
}

func isLetter(_ byte: UInt8) -> Bool {
  UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
}
