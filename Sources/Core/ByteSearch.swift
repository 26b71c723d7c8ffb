import UnderstudySystem

/// Searching for bytes with the C library.
///
/// The standard library's `firstRange(of:)`, and what is built on it (`contains`, `replacing`,
/// `ranges` with a collection), costs over a hundred times as much for each byte.
extension Collection<UInt8> {
  /// Where these bytes are first found; at the start when there are none.
  package func firstRange(ofBytes part: some Collection<UInt8>) -> Range<Index>? {
    guard let offset = firstOffset(ofBytes: part) else { return nil }
    let start = index(startIndex, offsetBy: offset)
    return start..<index(start, offsetBy: part.count)
  }

  package func contains(bytes part: some Collection<UInt8>) -> Bool {
    firstOffset(ofBytes: part) != nil
  }

  private func firstOffset(ofBytes part: some Collection<UInt8>) -> Int? {
    // Strings of other systems may lie in pieces.
    guard
      let offset = withContiguousStorageIfAvailable({ whole in
        part.withContiguousStorageIfAvailable { CLibrary.offset(of: $0, in: whole) }
      }), let offset
    else { return ContiguousArray(self).firstOffset(ofBytes: ContiguousArray(part)) }
    return offset
  }
}

extension [UInt8] {
  package func replacing(
    bytes old: some Collection<UInt8>, with new: some Collection<UInt8>
  ) -> [UInt8] {
    guard !old.isEmpty else { return self }
    var result: [UInt8] = []
    var rest = self[...]
    while let found = rest.firstRange(ofBytes: old) {
      result += rest[..<found.lowerBound]
      result += new
      rest = rest[found.upperBound...]
    }
    return result + rest
  }
}
