import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting
package import UnderstudyJSON

/// A response of an operation, in all of its media types.
package struct DocumentedResponse {
  /// A header that the document lists for the response.
  package struct Header: Sendable {
    package let name: String
    package let isRequired: Bool
  }

  /// What it may have as a body, in one media type.
  package struct Content {
    /// As it is written, which may be a range such as `*/*`.
    package let writtenType: String
    /// As it is sent.
    package let mediaType: String
    package let place: Place
    /// JSON that the document gives as examples, if its schema allows it.
    package let examples: [JSONText]
    /// The body if it is not JSON: an example, or one that was made.
    package let text: String
    /// The schema of a JSON body; `nil` when the document has none, or allows nothing.
    package let schema: DocumentedSchema?
  }

  private let response: OpenAPIOperation.Response
  private let subject: String
  private let description: OpenAPIDescription

  init(
    _ response: OpenAPIOperation.Response, of operation: OpenAPIOperation,
    in description: OpenAPIDescription
  ) {
    self.response = response
    self.description = description
    subject = operation.subject
  }

  /// `200`, `4XX` or `default`.
  package var key: String { response.key }
  package var place: Place { response.node.place }

  /// `nil` when the document lists none.
  package func headers() throws(Failure) -> [Header]? {
    guard let written = response.node["headers"]?.entries, !written.isEmpty else { return nil }
    var headers: [Header] = []
    for (name, node) in written {
      guard HeaderText.isName(name), !OpenAPIContract.ownHeaders.contains(HeaderName(name)),
        case .success(let node) = try description.resolved(node)
      else { continue }
      headers.append(Header(name: name, isRequired: node.value["required"]?.bool ?? false))
    }
    return headers
  }

  /// In the order of the document; empty for a response without a body.
  package func contents() throws(Failure) -> [Content] {
    var contents: [Content] = []
    for (type, node) in response.node["content"]?.members ?? [] where node.value.kind == .object {
      let content = try OpenAPIContent(type, node, in: description, .response, subject: subject)
      var examples: [JSONText] = []
      var text: String?
      for body in content?.bodies ?? [] {
        switch body.body {
        case .json(let json): if !body.isMade { examples.append(json) }
        case .text(let own): text = text ?? own
        case .base64: continue
        }
      }
      let schema = node["schema"].flatMap { node in
        content?.schema.map { DocumentedSchema($0, at: node, in: description) }
      }
      contents.append(
        Content(
          writtenType: type, mediaType: content?.mediaType ?? type, place: node.place,
          examples: examples, text: text ?? "example", schema: schema))
    }
    return contents
  }
}
