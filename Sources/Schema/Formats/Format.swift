import UnderstudyCore
import UnderstudyJSON

/// A format that is checked. Others are ignored, with a warning when the schema is compiled.
///
/// This file decides which format a name means; `Format+Dates` and `Format+Internet` check the
/// simple ones. `URIReference` parses addresses, also for the references between schemas, and
/// `InternationalLabel` is one label of a host name. `EightBytes` looks at several bytes of a text
/// at a time.
///
/// A check takes time linear in the text and keeps nothing.
package enum Format: String, CaseIterable, Sendable {
  case dateTime = "date-time"
  case date
  case time
  case duration
  case uri
  case uriReference = "uri-reference"
  case email
  case hostname
  case ipv4
  case ipv6
  case uuid
  case regex
  case jsonPointer = "json-pointer"

  /// The formats of the draft that are not checked.
  static let unchecked: Set = [
    "idn-email", "idn-hostname", "iri", "iri-reference", "relative-json-pointer", "uri-template",
  ]

  /// The formats of OpenAPI that say how a value is stored, and nothing that a text could break.
  static let storage: Set = [
    "int32", "int64", "float", "double", "byte", "binary", "password",
  ]

  /// Whether a schema may name it without a warning.
  package static func isKnown(_ name: String) -> Bool {
    Format(rawValue: name) != nil || storage.contains(name)
  }

  package func accepts(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { accepts(utf8: $0.span) }
  }

  /// The most common formats are read in place, others are copied first.
  package func accepts(utf8 text: Span<UInt8>) -> Bool {
    switch self {
    case .dateTime: Self.isDateTime(text)
    case .date: Self.isDate(text)
    case .time: Self.isTime(text)
    case .uri:
      URIReference.isPlainWebAddress(text) || URIReference.Parts(text)?.scheme != nil
    case .uriReference: URIReference.Parts(text) != nil
    case .regex: Pattern.syntaxError(in: String(decoding: text.copied, as: UTF8.self)) == nil
    case .jsonPointer: JSONPointer(parsing: String(decoding: text.copied, as: UTF8.self)) != nil
    default: accepts(text.copied[...])
    }
  }

  private func accepts(_ bytes: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .duration: Self.isDuration(bytes)
    case .email: Self.isEmail(bytes)
    case .hostname: Self.isHostname(bytes)
    case .ipv4: Self.isIPv4(bytes)
    case .ipv6: Self.isIPv6(bytes)
    case .uuid: Self.isUUID(bytes)
    case .dateTime, .date, .time, .uri, .uriReference, .regex, .jsonPointer: false
    }
  }

  /// For messages: `found "yesterday", expected a date such as 2024-01-31`.
  var expectation: String {
    switch self {
    case .dateTime: "a date and time such as 2024-01-31T12:00:00Z"
    case .date: "a date such as 2024-01-31"
    case .time: "a time such as 12:00:00Z"
    case .duration: "a duration such as P1DT12H"
    case .uri: "a URI with a scheme, such as https://example.com/"
    case .uriReference: "a URI or a relative reference"
    case .email: "an e-mail address"
    case .hostname: "a host name"
    case .ipv4: "an IPv4 address"
    case .ipv6: "an IPv6 address"
    case .uuid: "a UUID"
    case .regex: "a regular expression"
    case .jsonPointer: "a JSON pointer such as /a/0"
    }
  }

  static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
    let dashes = [8, 13, 18, 23]
    return bytes.count == 36
      && bytes.enumerated().allSatisfy { offset, byte in
        dashes.contains(offset) ? byte == UInt8(ascii: "-") : byte.hexadecimalValue != nil
      }
  }
}

extension Span<UInt8> {
  var copied: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for index in indices { bytes.append(self[index]) }
    return bytes
  }
}
