package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// One operation of a document. Its parts are read when they are asked for, since a document may
/// have far more operations than there are contracts.
package struct DocumentedOperation {
  /// What a request may have besides its body.
  package struct Parameter: Sendable {
    package enum Location: String, Sendable {
      case path, query, header
    }

    package let name: String
    package let location: Location
    package let isRequired: Bool
    package let isDeprecated: Bool
    package let place: Place
    /// The values that the document gives as an example, whatever its schema says.
    package let example: [String]?
    /// `nil` when it says nothing about values.
    package let schema: DocumentedSchema.Rule?
  }

  /// A credential that a request must have.
  package struct Credential: Sendable {
    package enum Location: String, Sendable {
      case query, header, cookie
    }

    package let location: Location
    package let name: String
    package let place: Place
  }

  /// What a request may have as its body, by media type.
  package struct RequestBody: Sendable {
    package let isRequired: Bool
    package let place: Place
    /// By media type, in the order of the document.
    package let rules: [(mediaType: String, rule: DocumentedSchema.Rule?)]
  }

  private let operation: OpenAPIOperation
  private let description: OpenAPIDescription
  /// `nil` for a path that no contract can have.
  package let template: PathTemplate?

  init(_ operation: OpenAPIOperation, in description: OpenAPIDescription) {
    self.operation = operation
    self.description = description
    template = (try? OpenAPIPath(operation.path))?.template
  }

  package var method: String { operation.method }
  /// `GET /pets/{id}`
  package var subject: String { operation.subject }
  package var place: Place { operation.node.place }
  package var isDeprecated: Bool { operation.node.value["deprecated"]?.bool ?? false }

  /// `200`, `4XX` and `default`, those of success first.
  package var statuses: [(key: String, place: Place)] {
    operation.responses.map { ($0.key, $0.node.place) }
  }

  /// The response for a status: of its own, of its range, or the default.
  package func response(for status: Int) -> DocumentedResponse? {
    let range = "\(status / 100)XX"
    let response =
      operation.responses.first { $0.key == String(status) }
      ?? operation.responses.first { $0.key.uppercased() == range }
      ?? operation.responses.first { $0.key == "default" }
    return response.map { DocumentedResponse($0, of: operation, in: description) }
  }

  // MARK: - The request

  package func parameters() throws(Failure) -> [Parameter] {
    var parameters: [Parameter] = []
    for parameter in operation.parameters {
      guard let location = Parameter.Location(rawValue: parameter.location),
        location != .header
          || !OpenAPIOperation.Parameter.otherHeaders.contains(HeaderName(parameter.name))
      else { continue }
      parameters.append(
        Parameter(
          name: parameter.name, location: location, isRequired: parameter.isRequired,
          isDeprecated: parameter.node.value["deprecated"]?.bool ?? false,
          place: parameter.node.place, example: try parameter.example(in: description),
          schema: try rule(parameter.node["schema"])))
    }
    return parameters
  }

  /// The credentials that a request must have, in alternatives; empty where it needs none, or where
  /// one of the alternatives is nothing that a contract can have, such as a certificate.
  package func security() throws(Failure) -> [[Credential]] {
    let written = operation.node["security"] ?? description.root["security"]
    let security = OpenAPISecurity(description, upstream: "")
    let schemes = Dictionary(
      try security.schemes().map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first })
    var alternatives: [[Credential]] = []
    for alternative in written?.elements ?? [] {
      var credentials: [Credential] = []
      for (name, _) in alternative.entries {
        guard let scheme = schemes[name], let (word, key) = security.credential(of: scheme),
          let location = Credential.Location(rawValue: word)
        else { return [] }
        credentials.append(Credential(location: location, name: key, place: alternative.place))
      }
      if credentials.isEmpty { return [] }
      alternatives.append(credentials)
    }
    return alternatives
  }

  package func requestBody() throws(Failure) -> RequestBody? {
    guard let body = operation.body else { return nil }
    var rules: [(mediaType: String, rule: DocumentedSchema.Rule?)] = []
    for (type, node) in body["content"]?.members ?? [] {
      rules.append((type, MediaType(type).isJSON ? try rule(node["schema"]) : nil))
    }
    return RequestBody(
      isRequired: body.value["required"]?.bool ?? false, place: body.place, rules: rules)
  }

  private func rule(_ node: OpenAPINode?) throws(Failure) -> DocumentedSchema.Rule? {
    guard let node else { return nil }
    var notes: [ImportNote] = []
    let schema = try OpenAPISchema(
      of: node, in: description, .request, subject: subject, notes: &notes)
    return schema.map { DocumentedSchema.Rule(root: $0.root, schema: $0.compiled) }
  }
}
