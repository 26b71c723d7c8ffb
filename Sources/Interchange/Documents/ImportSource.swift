package import UnderstudyCore

/// The documents of an import, and the files that they name.
package struct ImportSource: Sendable {
  /// Reads the file at a path beneath a folder.
  package typealias NamedFile =
    @Sendable (_ path: String, _ folder: String) throws(Failure) -> [UInt8]

  package let documents: [ForeignDocument]
  /// The folders that were named, which documents may refer to files of.
  package let folders: [String]
  /// Notes on the files in these folders that are not among the documents.
  package let notes: [ImportNote]
  private let read: NamedFile

  package init(
    documents: [ForeignDocument], in folders: [String] = [], notes: [ImportNote] = [],
    reading read: @escaping NamedFile = { path, folder throws(Failure) in
      throw Failure(message: "no file \(path) in \(folder)", fix: nil)
    }
  ) {
    self.documents = documents
    self.folders = folders
    self.notes = notes
    self.read = read
  }

  package func file(at path: String, in folder: String) throws(Failure) -> [UInt8] {
    try read(path, folder)
  }
}
