/// The bytes HTTP is written with.
extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let hash = UInt8(ascii: "#")
  static let comma = UInt8(ascii: ",")
  static let hyphen = UInt8(ascii: "-")
  static let slash = UInt8(ascii: "/")
  static let zero = UInt8(ascii: "0")
  static let colon = UInt8(ascii: ":")
  static let semicolon = UInt8(ascii: ";")
  static let questionMark = UInt8(ascii: "?")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let delete: UInt8 = 0x7F

  @inline(__always) var isBlank: Bool { self == .space || self == .tab }

  @inline(__always) var isDigit: Bool { self &- .zero < 10 }

  /// A capital letter made small; of other bytes only `@[\]^_` change, and none of them to a letter.
  @inline(__always) var lowercased: UInt8 { self | 0x20 }

  @inline(__always) var isLetter: Bool { lowercased &- UInt8(ascii: "a") < 26 }

  /// RFC 9110, section 5.6.2: what methods, field names and the like are made of.
  var isToken: Bool {
    switch self {
    case UInt8(ascii: "!"), .hash, UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), .hyphen, UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"),
      UInt8(ascii: "~"):
      true
    default: isLetter || isDigit
    }
  }

  /// RFC 9110, section 5.5: what the values of fields are made of.
  @inline(__always) var isFieldValue: Bool { self >= .space ? self != .delete : self == .tab }

  /// RFC 3986, section 3.2.2: what a registered name is made of, percent-encoding included.
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

  var hexadecimalValue: UInt64? {
    if isDigit { return UInt64(self &- .zero) }
    let letter = lowercased &- UInt8(ascii: "a")
    return letter < 6 ? UInt64(letter) + 10 : nil
  }
}
