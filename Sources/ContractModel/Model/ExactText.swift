/// A text that equals only the same bytes.
///
/// Strings are equal when they look the same: `é` as one character or as two. On the wire these are
/// two texts.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// The same bytes look the same, so the string's own hash does.
  func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}
