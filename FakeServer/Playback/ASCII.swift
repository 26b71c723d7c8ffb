/// The bytes answers are framed and templates are written with.
extension UInt8 {
  static let carriageReturn = UInt8(ascii: "\r")
  static let lineFeed = UInt8(ascii: "\n")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let slash = UInt8(ascii: "/")
  static let colon = UInt8(ascii: ":")
  static let backslash = UInt8(ascii: "\\")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let delete: UInt8 = 0x7F

  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  var isLetterOrDigit: Bool { isDigit || (self | 0x20) &- UInt8(ascii: "a") < 26 }
}
