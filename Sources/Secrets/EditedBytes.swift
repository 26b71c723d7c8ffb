/// A text with some ranges replaced, from first to last. It is copied only if there are any.
struct EditedBytes {
  private let original: [UInt8]
  private var copy: [UInt8] = []
  /// The end of the last replaced range.
  private(set) var end = 0

  init(of original: [UInt8]) { self.original = original }

  /// The range follows those replaced before, and is not empty.
  mutating func replace(_ range: Range<Int>, by bytes: some Collection<UInt8>) {
    if end == 0 { copy.reserveCapacity(original.count) }
    copy += original[end..<range.lowerBound]
    copy += bytes
    end = range.upperBound
  }

  /// `nil` when nothing was replaced.
  mutating func finish() -> [UInt8]? {
    guard end > 0 else { return nil }
    copy += original[end...]
    return copy
  }
}
