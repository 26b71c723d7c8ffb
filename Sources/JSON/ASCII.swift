/// The bytes JSON is written with.
extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let plus = UInt8(ascii: "+")
  static let comma = UInt8(ascii: ",")
  static let minus = UInt8(ascii: "-")
  static let period = UInt8(ascii: ".")
  static let slash = UInt8(ascii: "/")
  static let zero = UInt8(ascii: "0")
  static let nine = UInt8(ascii: "9")
  static let colon = UInt8(ascii: ":")
  static let openBracket = UInt8(ascii: "[")
  static let backslash = UInt8(ascii: "\\")
  static let closeBracket = UInt8(ascii: "]")
  static let letterF = UInt8(ascii: "f")
  static let letterN = UInt8(ascii: "n")
  static let letterT = UInt8(ascii: "t")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")

  @inline(__always)
  var isDigit: Bool { self &- .zero < 10 }

  @inline(__always)
  var isWhitespace: Bool {
    self == .space || self == .newline || self == .carriageReturn || self == .tab
  }

  /// `e` or `E`, before an exponent.
  @inline(__always)
  var isExponentMark: Bool { self | 0x20 == UInt8(ascii: "e") }

  /// The value of a hexadecimal digit.
  package var hexadecimalValue: UInt8? {
    switch self {
    case .zero...(.nine): self - .zero
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
