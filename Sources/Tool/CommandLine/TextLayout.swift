/// Wraps words and aligns columns.
enum TextLayout {
  /// Wraps at spaces. A word longer than a line gets its own line.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var lineWidth = 0
    for word in text.split(separator: " ") {
      let wordWidth = word.count
      if lineWidth > 0, lineWidth + 1 + wordWidth > width {
        lines.append(line)
        (line, lineWidth) = (String(word), wordWidth)
      } else {
        line += (lineWidth > 0 ? " " : "") + word
        lineWidth += (lineWidth > 0 ? 1 : 0) + wordWidth
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Aligns columns two spaces apart, each as wide as its widest cell. If a width is given, the
  /// last cell of a row is wrapped.
  static func aligned(_ rows: [[String]], indent: Int, width: Int? = nil) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.dropLast().enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    return rows.flatMap { row in
      var start = spaces(indent)
      for (cell, width) in zip(row.dropLast(), widths) {
        start += cell + spaces(width - cell.count + 2)
      }
      let last = row.last ?? ""
      let startWidth = start.count
      let lines = width.map { wrapped(last, width: $0 - startWidth) } ?? [last]
      return [start + (lines.first ?? "")].map(trimmingEnd)
        + lines.dropFirst().map { spaces(startWidth) + $0 }
    }
  }

  /// The beginning of a text that has no room.
  static func fitted(_ text: String, to width: Int?) -> String {
    guard let width, text.count > width else { return text }
    return text.prefix(max(0, width - 1)) + "…"
  }

  static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  private static func trimmingEnd(_ line: String) -> String {
    guard let end = line.lastIndex(where: { $0 != " " }) else { return "" }
    return String(line[...end])
  }
}
