package import UnderstudyCore
package import UnderstudyJSON

/// A JSON document of another tool, and the name of its file in messages.
package struct ForeignDocument: Sendable {
  package let file: String
  package let root: JSONValue

  /// A byte order mark, which some tools write, is skipped.
  package init(reading bytes: [UInt8], file: String) throws(Failure) {
    self.file = file
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let document = try JSONDocument(
      parsing: bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes, file: file,
      fix: "export it again, completely, as JSON in UTF-8")
    root = document.root
  }

  init(root: JSONValue, file: String) {
    self.root = root
    self.file = file
  }

  package func place(of value: JSONValue) -> Place { Place(file, value.position) }

  /// A complaint about a value of the wrong type.
  package func unexpected(
    _ value: JSONValue?, at pointer: String, expected: String, fix: String?
  ) -> Failure {
    guard let value else {
      return Failure(
        at: Place(file), message: "found no \(pointer), expected \(expected)", fix: fix)
    }
    return Failure(
      at: place(of: value),
      message: "found \(value.summary) for \(pointer), expected \(expected)", fix: fix)
  }
}
