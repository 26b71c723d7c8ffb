import UnderstudyCore

/// What bytes mean in YAML, as bits of a table.
enum ByteClass {
  /// May end a plain scalar in a block, or needs an escape in JSON.
  static let blockPlain: UInt8 = 1
  /// May end a plain scalar in a flow collection, or needs an escape in JSON.
  static let flowPlain: UInt8 = 2
  /// May begin a scalar that is not a string in the core schema.
  static let resolvable: UInt8 = 4
  /// Cannot begin a plain scalar, whatever follows.
  static let indicator: UInt8 = 8
  /// Ends a run of text in double or in single quotes.
  static let doubleQuoted: UInt8 = 16
  static let singleQuoted: UInt8 = 32

  static let table: [UInt8] = {
    var table = [UInt8](repeating: 0, count: 256)
    func mark(_ text: String, _ bit: UInt8) {
      for byte in text.utf8 { table[Int(byte)] |= bit }
    }
    mark(":#\"\\\t\n\r\0", blockPlain)
    mark(":#\"\\\t\n\r\0,[]{}", flowPlain)
    mark("0123456789+-.~nNtTfF", resolvable)
    mark(",[]{}#&*!|>'\"%@`", indicator)
    mark("\"\\\n\r\0", doubleQuoted)
    mark("'\n\r\0", singleQuoted)
    return table
  }()
}

extension UInt8 {
  var isBlank: Bool { self == .space || self == .tab }

  /// A line break, or the zero after the last byte.
  var isLineEnd: Bool { self == .newline || self == .carriageReturn || self == 0 }

  /// What must follow the indicators `-`, `?` and `:`.
  var isGap: Bool { isBlank || isLineEnd }

  var isFlowIndicator: Bool {
    self == .comma || self == .openBracket || self == .closeBracket || self == .openBrace
      || self == .closeBrace
  }

  static let apostrophe = UInt8(ascii: "'")
  static let ampersand = UInt8(ascii: "&")
  static let asterisk = UInt8(ascii: "*")
  static let exclamation = UInt8(ascii: "!")
  static let bar = UInt8(ascii: "|")
}
