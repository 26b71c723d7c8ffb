/// Where in a file something stands that a report is about.
package struct Place: Hashable, Sendable {
  package let file: String
  /// `nil` when the whole file is meant.
  package let position: SourcePosition?

  package init(_ file: String, _ position: SourcePosition? = nil) {
    self.file = file
    self.position = position
  }
}

extension Place: CustomStringConvertible {
  /// The form compilers use, so that editors can jump there.
  package var description: String { position.map { "\(file):\($0)" } ?? file }
}

extension Place: Comparable {
  /// By file, what is about all of it first, then from its beginning to its end.
  package static func < (left: Self, right: Self) -> Bool {
    guard left.file == right.file else { return left.file < right.file }
    guard let last = right.position else { return false }
    return left.position.map { $0 < last } ?? true
  }
}
