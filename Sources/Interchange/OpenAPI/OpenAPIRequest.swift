import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// What the contract of an operation says of its requests.
struct OpenAPIRequest {
  /// Headers that a document says elsewhere, or that carry secrets.
  private static let otherHeaders = OpenAPIOperation.Parameter.otherHeaders.union([
    "x-api-key", "cookie",
  ])

  private(set) var json: JSONText = .emptyObject
  /// Whether the document has an example for each parameter that it requires.
  private(set) var isComplete = true
  private(set) var notes: [ImportNote] = []
  /// The parameters of the document that the contract has, with the values that its own request
  /// sends.
  private(set) var parameters:
    [(key: String, parameter: OpenAPIOperation.Parameter, example: [String]?)] = []
  /// The JSON that its own request sends.
  private(set) var sent: OpenAPIContent?

  init(
    of operation: OpenAPIOperation, at path: OpenAPIPath, in description: OpenAPIDescription
  ) throws(Failure) {
    var conditions: [(key: String, value: JSONText?)] = path.query.map {
      ("query.\($0.name)", $0.value.isEmpty ? Self.condition(false, [""]) : .string($0.value))
    }
    var seen = Set(conditions.map(\.key))
    for parameter in operation.parameters {
      let named = try parameter.example(in: description)
      if parameter.isRequired, named == nil { isComplete = false }
      guard let key = key(of: parameter, of: operation, at: path) else { continue }
      let isHeader = parameter.location == "header"
      guard seen.insert(isHeader ? key.lowercased() : key).inserted else { continue }
      var example: [String]?
      if parameter.isRequired { example = named }
      if parameter.isRequired, named == nil {
        example = try parameter.made(in: description, .request, subject: operation.subject, &notes)
      }
      // Only a query has a parameter several times.
      if parameter.location != "query", let texts = example {
        example = [texts.joined(separator: ",")]
      }
      parameters.append((key, parameter, example))
      conditions.append((key, Self.condition(parameter.location != "path", example)))
    }
    for name in path.template.parameterNames where seen.insert("path.\(name)").inserted {
      isComplete = false
      conditions.append(("path.\(name)", Self.condition(false, [name])))
    }
    json = [
      "method": .string(operation.method), "path": .string(path.template.text),
      "parameters": conditions.isEmpty ? nil : .object(conditions),
      "body": try body(of: operation, in: description),
    ]
  }

  /// Other values than the example are served, too, and none at all.
  private static func condition(_ isOptional: Bool, _ example: [String]?) -> JSONText {
    [
      "optional": isOptional ? .bool(true) : nil,
      "example": example.map { .oneOrMore($0) },
    ]
  }

  /// `nil` for what a contract does not say about a request.
  private mutating func key(
    of parameter: OpenAPIOperation.Parameter, of operation: OpenAPIOperation, at path: OpenAPIPath
  ) -> String? {
    switch parameter.location {
    case "path": return path.names[parameter.name].map { "path.\($0)" }
    case "query":
      guard parameter.name != "*", !parameter.name.isEmpty else { return nil }
      return "query.\(parameter.name)"
    case "header":
      guard HeaderText.isName(parameter.name),
        !Self.otherHeaders.contains(HeaderName(parameter.name))
      else { return nil }
      return "header.\(parameter.name)"
    default:
      let kind =
        parameter.location == "cookie" ? "a cookie" : "what is \"in\" \(parameter.location.visible)"
      notes.append(
        parameter.node.note(
          .leftOut, operation.subject, because: "\(kind) is not a parameter of a contract"))
      return nil
    }
  }

  private mutating func body(
    of operation: OpenAPIOperation, in description: OpenAPIDescription
  ) throws(Failure) -> JSONText? {
    guard let content = operation.body?["content"],
      let (type, node) = content.members.first(where: { MediaType($0.key).isJSON }),
      let sent = try OpenAPIContent(
        type, node, in: description, .request, subject: operation.subject)
    else { return nil }
    notes += sent.notes
    self.sent = sent
    guard case .json(let example)? = sent.bodies.first?.body else { return nil }
    return ["example": example]
  }
}

extension OpenAPIOperation.Parameter {
  /// Values that its schema allows, as they are sent.
  func made(
    in description: OpenAPIDescription, _ direction: OpenAPISchema.Direction, subject: String,
    _ notes: inout [ImportNote]
  ) throws(Failure) -> [String]? {
    guard let written = node["schema"] else { return [name] }
    let schema = try OpenAPISchema(
      of: written, in: description, direction, subject: subject, notes: &notes)
    let texts = schema?.example?.root.flatMap(Self.texts)
    return texts.flatMap { $0.isEmpty || $0 == [""] ? nil : $0 } ?? [name.slug]
  }
}
