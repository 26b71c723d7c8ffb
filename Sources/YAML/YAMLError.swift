package import UnderstudyCore

/// Why bytes are not YAML that can be read as JSON: the position, what was found, what was
/// expected, and the fix.
package struct YAMLError: Error, Hashable, Sendable {
  /// What is wrong with the text, for code and tests that tell mistakes apart.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case empty, severalDocuments
    case tab, indentation, missingSpace, nestedKey, missingColon, missingComma
    case unterminatedString, unterminatedCollection, mismatchedBracket
    case invalidEscape, loneSurrogate, blockScalar
    case reservedCharacter, unexpectedText
    case invalidAnchor, unknownAlias, recursiveAlias, tooManyAliases
    case duplicateKey, mergeKey, complexKey
    case unsupportedTag, wrongTag, notFinite
    case directive
    case tooDeep, tooLarge
    case invalidUTF8, controlCharacter
  }

  package let kind: Kind
  /// In bytes from the start of the YAML, behind a byte order mark.
  package let offset: Int
  package let position: SourcePosition
  /// One sentence without a full stop: `found a tab, expected spaces for indentation`.
  package let message: String
  /// What to do about it, as an instruction.
  package let fix: String?
}

extension YAMLError: CustomStringConvertible {
  package var description: String {
    let complaint = "\(position): \(message)"
    return fix.map { "\(complaint)\n  fix: \($0)" } ?? complaint
  }
}
