package import UnderstudyCore

/// Why bytes are not a JSON text: the position, what was found, what was expected, and the fix.
package struct JSONError: Error, Hashable, Sendable {
  /// What is wrong with the text, for code and tests that tell mistakes apart.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case empty, unexpectedEnd, unexpectedText
    case trailingComma, missingComma, missingColon
    case singleQuotes, unquotedKey, comment
    case malformedNumber, notFinite, unknownWord
    case unterminatedString, controlCharacter, invalidEscape, loneSurrogate
    case mismatchedBracket, textAfterEnd
    case tooDeep, tooLarge
    case byteOrderMark, invalidUTF8
  }

  package let kind: Kind
  /// In bytes from the start of the text.
  package let offset: Int
  package let position: SourcePosition
  /// One sentence without a full stop: `found "'", expected a value`.
  package let message: String
  /// What to do about it, as an instruction.
  package let fix: String?

  init(
    _ kind: Kind, at offset: Int, _ position: SourcePosition, _ message: String, fix: String?
  ) {
    self.kind = kind
    self.offset = offset
    self.position = position
    self.message = message
    self.fix = fix
  }

  static func tooLarge(_ bytes: [UInt8], bytesMax: Int) -> JSONError {
    JSONError(
      .tooLarge, at: bytesMax, SourcePlaces(of: bytes).position(ofByte: bytesMax, in: bytes),
      "found \(bytes.count) bytes, expected at most \(bytesMax)", fix: nil)
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    let complaint = "\(position): \(message)"
    return fix.map { "\(complaint)\n  fix: \($0)" } ?? complaint
  }
}
