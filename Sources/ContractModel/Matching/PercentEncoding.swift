import UnderstudyCore
import UnderstudyJSON

/// The percent-encoding of RFC 3986.
package enum PercentEncoding {
  /// The decoded text, or `nil` when a percent sign is not followed by two digits or the bytes are
  /// not valid UTF-8.
  package static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
    decode(text.utf8, plusIsSpace: plusIsSpace)
  }

  /// The decoded text of bytes in UTF-8, or `nil`, as for a `Substring`.
  static func decode(_ text: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
    guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(decoding: text, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Encodes one path segment or query part: everything but RFC 3986's unreserved characters.
  package static func encode(_ text: String) -> String {
    guard !text.utf8.allSatisfy(isUnreserved) else { return text }
    var encoded = ""
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return encoded
  }

  /// The path with needlessly encoded characters decoded (RFC 3986, section 6.2.2.2): both
  /// spellings are the same path. A segment that cannot be decoded stays as it is.
  static func normalize(path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: "%")) else { return path }
    return path.split(separator: "/", omittingEmptySubsequences: false).map(normalize(segment:))
      .joined(separator: "/")
  }

  private static func normalize(segment: Substring) -> String {
    guard decode(segment) != nil else { return String(segment) }
    var bytes: [UInt8] = []
    var rest = Array(segment.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
        let low = rest.dropFirst().first?.hexadecimalValue, isUnreserved(high << 4 | low)
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

extension PercentEncoding {
  /// The decoded fields of a query or a form, in order.
  package static func fields(of text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      return (decoded(name), decoded(pair[name.endIndex...].dropFirst()))
    }
  }

  /// The decoded fields of a query or a form, with all values of a name together, where the name
  /// came first.
  package static func parameters(of text: String) -> [(name: String, values: [String])] {
    var parameters: [(name: String, values: [String])] = []
    var places: [String: Int] = [:]
    for (name, value) in fields(of: text) {
      if let place = places[name] {
        parameters[place].values.append(value)
      } else {
        places[name] = parameters.count
        parameters.append((name, [value]))
      }
    }
    return parameters
  }

  private static func decoded(_ text: Substring) -> String {
    decode(text, plusIsSpace: true) ?? String(text)
  }
}
