import UnderstudySystem

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
    let (left, right) = (left.text.utf8, right.text.utf8)
    guard left.count == right.count else { return false }
    let isEqual = left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { right in
        // SAFETY: both have as many bytes.
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return CLibrary.areEqual(first, second, count: left.count)
      }
    }
    return (isEqual ?? nil) ?? left.elementsEqual(right)
  }

  /// Texts with the same bytes are equal as strings too, so the string's hash is valid here.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}
