/// Text that is equal only to the same bytes.
///
/// Swift strings are equal when they look the same: `é` as one character or as two. On the wire
/// these are two different texts.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: Self, right: Self) -> Bool {
    // Equal strings of one length may still be two spellings of one character.
    left.text.utf8.count == right.text.utf8.count && left.text == right.text
      && left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Texts with the same bytes are equal as strings too, so the string's hash is valid here.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}
