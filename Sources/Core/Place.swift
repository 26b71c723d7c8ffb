/// The place in a file that a report concerns.
package struct Place: Hashable, Sendable {
  package let file: String
  /// `nil` for the file as a whole.
  package let position: SourcePosition?

  package init(_ file: String, _ position: SourcePosition? = nil) {
    self.file = file
    self.position = position
  }
}

extension Place: CustomStringConvertible {
  /// The form compilers use, so that editors can jump to it.
  package var description: String { position.map { "\(file):\($0)" } ?? file }
}

extension Place: Comparable {
  /// Orders by file, the whole file before places in it, then by position.
  package static func < (left: Self, right: Self) -> Bool {
    guard left.file == right.file else { return left.file < right.file }
    guard let last = right.position else { return false }
    return left.position.map { $0 < last } ?? true
  }
}
