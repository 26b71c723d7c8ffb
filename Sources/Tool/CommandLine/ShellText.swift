import UnderstudyCore

/// Text as a word of a POSIX shell's command.
enum ShellText {
  /// In quotes where it needs them. On a terminal and in the logs of CI it has no other effect.
  static func quoted(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0.isPlain }
    if isPlain { return text }
    // Two quotes part what a CI would take for a command.
    let inert = text.replacing("'", with: "'\\''").replacing("##[", with: "##''[")
    return "'\(inert)'"
  }

  /// Whether a word can have these bytes and be shown as they are.
  static func canQuote(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return Array(text.utf8) == bytes && text.visible == text
  }

  /// The command that prints these bytes, whatever they are.
  static func printing(_ bytes: [UInt8]) -> String {
    let format = bytes.map { byte -> String in
      if byte.isPlain || byte == .space { return String(Unicode.Scalar(byte)) }
      if byte == UInt8(ascii: "%") { return "%%" }
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }
    return "printf '\(format.joined())'"
  }
}

extension UInt8 {
  /// Whether no shell gives it a meaning.
  fileprivate var isPlain: Bool { isLetterOrDigit || ":/.-_~".utf8.contains(self) }
}
