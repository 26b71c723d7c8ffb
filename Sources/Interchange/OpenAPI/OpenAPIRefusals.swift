import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySchema

/// The cases of an operation for requests that the document forbids: one for each parameter that
/// must be there or have a certain form, and one for the body.
struct OpenAPIRefusals {
  struct Refusal {
    /// `invalid-page`
    let stem: String
    /// What is wrong, without a full stop.
    let words: String
    let when: JSONText
  }

  private let description: OpenAPIDescription
  private let subject: String
  private(set) var all: [Refusal] = []
  private(set) var notes: [ImportNote] = []

  init(
    of operation: OpenAPIOperation, _ request: OpenAPIRequest, in description: OpenAPIDescription
  ) throws(Failure) {
    self.description = description
    subject = operation.subject
    for (key, parameter, example) in request.parameters {
      try add(parameter, key, sending: example)
    }
    if let body = operation.body { try add(body, request.sent) }
  }

  // MARK: - Parameters

  private mutating func add(
    _ parameter: OpenAPIOperation.Parameter, _ key: String, sending example: [String]?
  ) throws(Failure) {
    let schema = try schema(of: parameter)
    guard parameter.node["content"] == nil, !Self.isSpread(parameter, schema) else { return }
    var rule = schema.flatMap { OpenAPIValueRule($0.plainRoot) }
    if parameter.node.value["allowEmptyValue"]?.bool ?? false { rule = nil }
    if let known = rule, let example, !example.contains(where: known.accepts) {
      notes.append(
        parameter.node.note(.widened, subject, because: "an example is not what its schema allows"))
      rule = nil
    }
    let mayLack = parameter.location == "path" || !parameter.isRequired
    let place = "\(parameter.location == "path" ? "path" : parameter.location) parameter"
    let name = "the \(place) \(parameter.name.visible)"
    let stem = parameter.name.slug
    if let rule {
      let condition: JSONText = [
        "not": .object([rule.condition]),
        "optional": mayLack && parameter.location != "path" ? .bool(false) : nil,
        "example": rule.wrongText.map { .string($0) },
      ]
      let words = "\(name) is \(mayLack ? "" : "missing, or ")not \(rule.words.visible)"
      all.append(
        Refusal(stem: "invalid-\(stem)", words: words, when: [key: condition]))
    } else if !mayLack, Self.isAlwaysSent(schema) {
      all.append(
        Refusal(
          stem: "without-\(stem)", words: "\(name) is missing",
          when: [key: ["absent": true]]))
    }
  }

  private mutating func schema(
    of parameter: OpenAPIOperation.Parameter
  ) throws(Failure) -> OpenAPISchema? {
    guard let written = parameter.node["schema"] else { return nil }
    // What is wrong with it is said where its example is made.
    var ignored: [ImportNote] = []
    return try OpenAPISchema(
      of: written, in: description, .request, subject: subject, notes: &ignored)
  }

  /// Whether the members of its value are parameters of their own.
  private static func isSpread(
    _ parameter: OpenAPIOperation.Parameter, _ schema: OpenAPISchema?
  ) -> Bool {
    parameter.node.text("style") == "deepObject" || schema?.example?.root?.kind == .object
  }

  /// An empty list is not sent.
  private static func isAlwaysSent(_ schema: OpenAPISchema?) -> Bool {
    guard schema?.example?.root?.kind == .array else { return true }
    return schema?.plainRoot["minItems"]?.int ?? 0 > 0
  }

  // MARK: - The body

  /// - Parameter sent: its JSON, if it may have some.
  private mutating func add(_ body: OpenAPINode, _ sent: OpenAPIContent?) throws(Failure) {
    let isRequired = body.value["required"]?.bool ?? false
    let types = (body["content"]?.members ?? []).map { MediaType($0.key) }
    let empty: JSONText = ["text": ""]
    if let sent, let schema = sent.schema, schema.root.kind == .object, schema.root.count > 0 {
      let conditions: [JSONText] =
        (isRequired ? [] : [["not": empty]]) + [
          ["not": ["schema": schema.text], "example": schema.wrongValue]
        ]
      // Where other types may be sent, only what says that it is JSON must be what the schema asks.
      let type: (key: String, value: JSONText?)? =
        types.allSatisfy(\.isJSON)
        ? nil : ("header.Content-Type", ["matches": "[jJ][sS][oO][nN]"])
      add(
        "invalid-body",
        "the body is \(isRequired ? "missing, or " : "")not the JSON that its schema allows", type,
        conditions.count == 1 ? conditions[0] : .array(conditions))
    } else if isRequired {
      add("without-body", "the body is missing", nil, empty)
    }
  }

  private mutating func add(
    _ stem: String, _ words: String, _ type: (key: String, value: JSONText?)?, _ body: JSONText
  ) {
    all.append(
      Refusal(
        stem: stem, words: words, when: .object((type.map { [$0] } ?? []) + [("body", body)])))
  }
}

extension OpenAPISchema {
  /// What it says itself, where it only refers to a definition.
  var plainRoot: JSONValue {
    var schema = root
    for _ in 0..<Self.referencesMax {
      guard let text = schema["$ref"]?.string, text.hasPrefix(Self.definitions),
        let target = root["$defs"]?[String(text.dropFirst(Self.definitions.count))]
      else { break }
      schema = target
    }
    return schema
  }

  private static let referencesMax = 10
  private static let definitions = "#/$defs/"

  /// A small value that it does not allow, if one is found.
  fileprivate var wrongValue: JSONText? {
    [.emptyObject, .array([]), .null, .string(""), .int(0)].first { value in
      value.root.map { !compiled.accepts($0) } ?? false
    }
  }
}
