import UnderstudyCore
import UnderstudyJSON

/// A URI or a relative reference, parsed by RFC 3986; text that breaks its grammar is rejected.
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
    let bytes = ContiguousArray(text.utf8)
    guard let parts = Parts(bytes.span) else { return nil }
    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    self.init(
      scheme: parts.scheme.map(string), authority: parts.authority.map(string),
      path: string(parts.path), query: parts.query.map(string),
      fragment: parts.fragment.map(string))
  }

  var withoutFragment: URIReference {
    URIReference(scheme: scheme, authority: authority, path: path, query: query, fragment: nil)
  }

  /// The fragment with its `%` sequences decoded, or `nil` when it is not valid UTF-8.
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
  /// The URI that `reference` means in a document with this URI (RFC 3986, section 5.2).
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
