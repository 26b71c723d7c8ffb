import UnderstudyCore

/// Lines and columns at regular distances in a text, so that finding a position costs the same
/// everywhere in it.
final class SourcePlaces: Sendable {
  private static let stride = 512
  private let notes: [SourcePosition]

  init(of source: [UInt8]) {
    var notes = [SourcePosition(line: 1, column: 1)]
    var start = 0
    while start + Self.stride <= source.count {
      let end = start + Self.stride
      notes.append(Self.advance(notes[notes.count - 1], over: source[start..<end]))
      start = end
    }
    self.notes = notes
  }

  func position(ofByte offset: Int, in source: [UInt8]) -> SourcePosition {
    let offset = min(max(0, offset), source.count)
    let start = offset / Self.stride * Self.stride
    return Self.advance(notes[offset / Self.stride], over: source[start..<offset])
  }

  /// Continuation bytes of UTF-8 take no column.
  private static func advance(
    _ position: SourcePosition, over bytes: ArraySlice<UInt8>
  ) -> SourcePosition {
    let lineStart = bytes.lastIndex(of: .newline).map { $0 + 1 }
    let columnCount = bytes[(lineStart ?? bytes.startIndex)...].count { $0 & 0xC0 != 0x80 }
    return SourcePosition(
      line: position.line + (lineStart == nil ? 0 : bytes.count { $0 == .newline }),
      column: (lineStart == nil ? position.column : 1) + columnCount)
  }
}
