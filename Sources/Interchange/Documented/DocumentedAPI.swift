package import UnderstudyCore
import UnderstudyDrafting

/// An API as an OpenAPI document describes it, for comparing contracts with it.
///
/// The folder shows an OpenAPI document to `Drift`, which compares contracts with it. Read this
/// file, `DocumentedOperation`, `DocumentedResponse` and `DocumentedSchema`, which are views of
/// what the folder `OpenAPI` has read, then `OpenAPIReferences`.
///
/// An import may leave out what it cannot read; a comparison must not, or it would report as
/// missing what the document has. So a document in which any reference leads nowhere is refused.
/// Each part knows its place in the document, which findings name.
package struct DocumentedAPI {
  package let file: String
  /// The address of the first server; `nil` when it has none of its own.
  package let baseURL: WebURL?
  /// The path that the document's paths come after; `nil` when the document does not say.
  package let basePath: String?
  /// The servers that say where they are.
  package let servers: [OpenAPIServers.Located]
  /// In the order of the document.
  package let operations: [DocumentedOperation]

  /// - Throws: a failure where it is not such a document, or where a reference leads nowhere.
  package init(_ document: ForeignDocument, from source: ImportSource) throws(Failure) {
    let description = try OpenAPIDescription(document, from: source)
    try OpenAPIReferences.check(description)
    file = document.file
    let servers = OpenAPIServers(description.root)
    baseURL = servers.baseURL
    basePath = servers.path
    self.servers = servers.located
    var notes: [ImportNote] = []
    operations = try description.operations(notes: &notes).map {
      DocumentedOperation($0, in: description)
    }
  }
}
