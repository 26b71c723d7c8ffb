package import UnderstudyCore

/// The formats of other tools.
package enum ImportFormat: String, CaseIterable, Sendable {
  case har

  /// The format of a document, judged by its content.
  package init?(of document: ForeignDocument) {
    guard HARLog.isRecognised(in: document) else { return nil }
    self = .har
  }

  /// Makes a plan from documents of one format, without changing anything.
  ///
  /// - Parameter format: judged by content where it is `nil`.
  package static func plan(
    _ documents: [ForeignDocument], as format: ImportFormat?, _ options: ImportOptions
  ) throws(Failure) -> ImportPlan {
    if format == nil, let other = documents.first(where: { ImportFormat(of: $0) == nil }) {
      throw Failure(
        at: Place(other.file),
        message: "found JSON of an unknown format, expected log.entries of a HAR",
        fix: "export the traffic as HAR 1.2, or name the format to see what is wrong:"
          + " understudy import har \(other.file)")
    }
    return try HARImport.plan(documents, options)
  }
}
