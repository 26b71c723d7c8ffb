/// A position in a text file as editors count it: lines and columns start at 1, and a column is one
/// Unicode scalar wide.
package struct SourcePosition: Hashable, Comparable, Sendable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

extension SourcePosition: CustomStringConvertible {
  package var description: String { "\(line):\(column)" }
}
