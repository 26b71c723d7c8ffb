/// Where the entries of a container begin and end in the text: elements, or members with keys.
struct JSONSpans {
  let container: JSONValue
  let entries: [Range<Int>]
  /// What stands between the brackets.
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

  /// What goes when an entry does: it, one comma, and the whitespace that would be left over.
  func removal(of value: JSONValue) -> Range<Int> {
    let place = value.byteRange.lowerBound
    guard let i = entries.firstIndex(where: { $0.contains(place) }), entries.count > 1 else {
      return interior
    }
    return i + 1 < entries.count
      ? entries[i].lowerBound..<entries[i + 1].lowerBound
      : entries[i - 1].upperBound..<entries[i].upperBound
  }
}
