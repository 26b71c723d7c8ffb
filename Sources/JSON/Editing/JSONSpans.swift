/// The ranges of a container's entries in the text: elements, or members with keys.
struct JSONSpans {
  let container: JSONValue
  let entries: [Range<Int>]
  /// The range between the brackets.
  let interior: Range<Int>

  init(of container: JSONValue) {
    self.container = container
    let range = container.byteRange
    interior = range.lowerBound + 1..<range.upperBound - 1
    entries =
      container.kind == .object
      ? container.members.map { $0.keyRange.lowerBound..<$0.value.byteRange.upperBound }
      : container.elements.map(\.byteRange)
  }

  /// The source without the entries that start at these places, given in order. Each is removed
  /// with one comma and the whitespace that would be left over.
  func removing(entriesAt places: [Int]) -> [UInt8] {
    var removed = places[...]
    let kept = entries.indices.filter { i in
      guard removed.first == entries[i].lowerBound else { return true }
      removed.removeFirst()
      return false
    }
    let source = container.storage.source
    guard let first = entries.first, let last = entries.last, let lastKept = kept.last else {
      return source[..<interior.lowerBound] + Array(source[interior.upperBound...])
    }
    var bytes = Array(source[..<first.lowerBound])
    for i in kept.dropLast() {
      bytes += source[entries[i].lowerBound..<entries[i + 1].lowerBound]
    }
    return bytes + source[entries[lastKept]] + source[last.upperBound...]
  }
}
