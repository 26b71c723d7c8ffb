import UnderstudyCore

extension JSONDocument {
  /// Makes the value at the pointer equal to another, in one edit: what is equal keeps its bytes,
  /// and what is new follows the layout of the text. A missing member is added to its object, last.
  package func changing(
    _ pointer: JSONPointer, to new: JSONValue
  ) throws(JSONEditError) -> JSONDocument {
    guard let old = root.value(at: pointer) else {
      // As the last member, and then in the layout of its place.
      return try setting(pointer, to: "null").changing(pointer, to: new)
    }
    let text = ChangedText(layout: layout).bytes(of: old, becoming: new)
    return try replacing(old.byteRange, with: text, at: pointer)
  }
}

/// The text of a value that becomes another one.
private struct ChangedText {
  let layout: JSONLayout

  /// The nesting limit bounds the recursion.
  ///
  /// - Parameter isInLongLine: whether it is in a line that is too long already, and so stays there.
  func bytes(
    of old: JSONValue, becoming new: JSONValue, isInLongLine: Bool = false
  ) -> [UInt8] {
    let source = old.storage.source[old.byteRange]
    if old.isEqual(to: new) { return Array(source) }
    let start = old.byteRange.lowerBound
    let column = layout.column(of: start)
    let isOnOneLine = !source.contains(.newline)
    let isLong =
      isOnOneLine && (isInLongLine || column + source.count > JSONLayout.width)
    let merged = merged(old, new, isInLongLine: isLong)
    if let merged,
      !isOnOneLine || isLong || !layout.isInLines || column + merged.count <= JSONLayout.width
    {
      return merged
    }
    return layout.text(of: new, column: column, inLineOf: start, isOnOneLine: isLong)
  }

  /// `nil` if they have nothing in common.
  private func merged(
    _ old: JSONValue, _ new: JSONValue, isInLongLine: Bool
  ) -> [UInt8]? {
    guard old.kind == new.kind, old.count > 0, new.count > 0 else { return nil }
    switch old.kind {
    case .array:
      let olds = Array(old.elements)
      return merged(
        old,
        kept: zip(olds.indices, new.elements).map {
          ($0, bytes(of: olds[$0], becoming: $1, isInLongLine: isInLongLine))
        },
        added: new.elements.dropFirst(olds.count).map { (key: nil, value: $0) })
    case .object:
      let olds = Array(old.members)
      var values: [ExactText: JSONValue] = [:]
      for member in new.members { values[ExactText(member.key)] = member.value }
      let known = Set(olds.map { ExactText($0.key) })
      guard known.count == olds.count else { return nil }
      let kept = olds.indices.compactMap { place -> (Int, [UInt8])? in
        let member = olds[place]
        guard let value = values[ExactText(member.key)] else { return nil }
        let start = member.keyRange.lowerBound..<member.value.byteRange.lowerBound
        let text = bytes(of: member.value, becoming: value, isInLongLine: isInLongLine)
        return (place, old.storage.source[start] + text)
      }
      return merged(
        old, kept: kept,
        added: new.members.filter { !known.contains(ExactText($0.key)) }.map {
          (Array($0.sourceKey), $0.value)
        })
    default: return nil
    }
  }

  /// - Parameter kept: the new texts of old entries, by their places.
  private func merged(
    _ old: JSONValue, kept: [(place: Int, text: [UInt8])],
    added: [(key: [UInt8]?, value: JSONValue)]
  ) -> [UInt8]? {
    let spans = JSONSpans(of: old)
    guard !kept.isEmpty, let first = spans.entries.first, let last = spans.entries.last else {
      return nil
    }
    let source = old.storage.source
    var bytes = Array(source[old.byteRange.lowerBound..<first.lowerBound])
    for (number, entry) in kept.enumerated() {
      if number > 0 {
        bytes.append(.comma)
        bytes += layout.whitespace(before: spans.entries[entry.place].lowerBound)
      }
      bytes += entry.text
    }
    let isOnOneLine = !source[old.byteRange].contains(.newline)
    let gap = layout.gap(in: spans)
    let column = layout.column(of: gap.contains(.newline) ? last.lowerBound : last.upperBound)
    for entry in added {
      let key = entry.key.map { $0 + layout.colon(in: old) } ?? []
      bytes += [.comma] + gap + key
      bytes += layout.text(
        of: entry.value, column: column + key.count, inLineOf: last.lowerBound,
        isOnOneLine: isOnOneLine)
    }
    return bytes + source[last.upperBound..<old.byteRange.upperBound]
  }
}
