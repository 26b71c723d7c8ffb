import UnderstudyCore

/// The bytes HTTP is written with.
extension UInt8 {
  var isBlank: Bool { self == .space || self == .tab }

  /// RFC 9110, section 5.6.2: what methods, field names and the like are made of.
  package var isToken: Bool {
    switch self {
    case UInt8(ascii: "!"), .hash, UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), .hyphen, UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"),
      UInt8(ascii: "~"):
      true
    default: isLetter || isDigit
    }
  }

  /// RFC 9110, section 5.5: the characters of field values.
  var isFieldValue: Bool { self >= .space ? self != .delete : self == .tab }

  /// RFC 3986, section 3.2.2: the characters of a registered name, including percent-encoding.
  var isRegisteredName: Bool {
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"),
      UInt8(ascii: "+"), .comma, .hyphen, UInt8(ascii: "."), .semicolon, UInt8(ascii: "="),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: isLetter || isDigit
    }
  }
}
