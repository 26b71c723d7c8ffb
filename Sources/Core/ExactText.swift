/// A text that equals only the same bytes.
///
/// Strings are equal when they look the same: `é` as one character or as two. On the wire these are
/// two texts.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// The same bytes look the same, so the string's own hash does.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}
