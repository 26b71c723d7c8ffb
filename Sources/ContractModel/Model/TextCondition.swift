import UnderstudyCore
package import UnderstudyJSON
package import UnderstudySchema

/// Conditions on a text that a command prints; all must hold.
package struct TextCondition: Sendable {
  /// One condition, with its place in the file.
  package struct Test: Sendable {
    /// How the text is compared.
    package enum Kind: Sendable {
      case equals(String)
      case contains(String)
      case matches(Pattern)
    }

    package let kind: Kind
    package let source: JSONValue

    /// Compares bytes: different encodings of one character are not equal.
    package func accepts(_ text: String) -> Bool {
      switch kind {
      case .equals(let expected): text.utf8.elementsEqual(expected.utf8)
      case .contains(let part): text.utf8.contains(bytes: part.utf8)
      case .matches(let pattern): pattern.matches(text)
      }
    }
  }

  package let tests: [Test]
}
