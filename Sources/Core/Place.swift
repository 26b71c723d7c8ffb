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
