package import UnderstudyCore

/// The documents of an import, and the files that they name.
package struct ImportSource: Sendable {
  /// Reads a file by the name that a document gives it, and that document's file.
  package typealias NamedFile =
    @Sendable (_ name: String, _ document: String) throws(Failure) -> [UInt8]

  package let documents: [ForeignDocument]
  private let read: NamedFile

  package init(
    documents: [ForeignDocument],
    reading read: @escaping NamedFile = { name, document throws(Failure) in
      throw Failure(at: Place(document), message: "found no file \(name)", fix: nil)
    }
  ) {
    self.documents = documents
    self.read = read
  }

  package func file(named name: String, in document: String) throws(Failure) -> [UInt8] {
    try read(name, document)
  }
}
