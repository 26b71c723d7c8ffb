import UnderstudyCore

/// The bytes that mean something in JSON.
extension UInt8 {
  static let letterF = UInt8(ascii: "f")
  static let letterN = UInt8(ascii: "n")
  static let letterT = UInt8(ascii: "t")

  var isWhitespace: Bool {
    self == .space || self == .newline || self == .carriageReturn || self == .tab
  }

  /// `e` or `E`, before an exponent.
  var isExponentMark: Bool { lowercased == UInt8(ascii: "e") }
}
