package import UnderstudyCore
package import UnderstudyFindings

/// The line that a finding is about, with a mark beneath the value, as compilers draw it.
///
///        |
///     33 |   "id": 236
///        |         ^^^
package struct CodeFrame {
  private static let widthMax = 100

  private let number: String
  /// With spaces for tabs, cut around the value.
  private let text: String
  private let mark: String

  /// `nil` where the line does not have the column.
  package init?(_ line: some StringProtocol, at position: SourcePosition) {
    let scalars = line.unicodeScalars.map { $0 == "\t" || $0 == "\r" ? " " : $0 }
    let column = position.column - 1
    guard scalars.indices.contains(column), scalars[column] != " " else { return nil }
    let count = min(Self.valueCount(in: scalars[column...]), Self.widthMax / 2)
    let start = max(0, min(column - Self.widthMax / 4, scalars.count - Self.widthMax))
    let shown = scalars[start...].prefix(Self.widthMax)
    let (before, after) = (start > 0 ? "…" : "", shown.endIndex < scalars.count ? "…" : "")
    number = "\(position.line)"
    text = before + String(String.UnicodeScalarView(shown)) + after
    mark =
      String(repeating: " ", count: before.count + column - start)
      + String(repeating: "^", count: count)
  }

  /// How many scalars the JSON value at the start has in its line.
  private static func valueCount(in scalars: ArraySlice<Unicode.Scalar>) -> Int {
    guard let first = scalars.first else { return 0 }
    if first == "\"" {
      var isEscaped = false
      for (index, scalar) in zip(scalars.indices, scalars).dropFirst() {
        if scalar == "\"", !isEscaped { return index - scalars.startIndex + 1 }
        isEscaped = scalar == "\\" && !isEscaped
      }
      return scalars.count
    }
    let isEnd: (Unicode.Scalar) -> Bool = { " ,:[]{}\"".unicodeScalars.contains($0) }
    return isEnd(first) ? 1 : scalars.prefix { !isEnd($0) }.count
  }

  package func write(to stream: inout TextStream, indent: Int) {
    let margin = String(repeating: " ", count: indent)
    let gutter = String(repeating: " ", count: number.count)
    stream.write("\(margin)\(gutter) |\n", .dim)
    stream.write("\(margin)\(number) |", .dim)
    stream.write(line: " \(text)")
    stream.write("\(margin)\(gutter) | ", .dim)
    stream.write("\(mark)\n", .red)
  }
}

/// What the report for people has besides its text.
package struct ConsoleDetail {
  /// Whether checks that were not exercised are listed, rather than only counted.
  package var listsAll: Bool
  /// The past runs, where the report is of a live API.
  package var history: History
  /// The line of a file that a place is in, where frames are to be drawn.
  package var line: (Place) -> Substring?

  package init(
    listsAll: Bool = false, history: History = History(),
    line: @escaping (Place) -> Substring? = { _ in nil }
  ) {
    (self.listsAll, self.history) = (listsAll, history)
    self.line = line
  }

  package func frame(at place: Place?) -> CodeFrame? {
    guard let place, let position = place.position, let line = line(place) else { return nil }
    return CodeFrame(line, at: position)
  }
}
