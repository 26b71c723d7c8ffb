import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

/// What an import reads of an OpenAPI description, by the names of its objects.
enum OpenAPIForm {
  /// What of the description is passed over: everything that operations lead to is checked once.
  static func notes(on description: OpenAPIDescription) -> [ImportNote] {
    struct Visit: Hashable {
      let identity: OpenAPINode.Identity
      let form: String
    }
    var notes: [ImportNote] = []
    var seen: Set<Visit> = []
    var pending = [(node: description.root, pointer: "", form: "")]
    var next = 0
    while next < pending.count {
      let (node, pointer, name) = pending[next]
      next += 1
      guard seen.insert(Visit(identity: node.identity, form: name)).inserted else { continue }
      if !name.isEmpty, let reference = node["$ref"], let text = reference.value.string {
        if case .success(let target)? = try? description.target(of: text, at: reference) {
          let mark = text.firstIndex(of: "#") ?? text.endIndex
          pending.append((target, String(text[mark...].dropFirst()), name))
        }
        // Elsewhere, what stands beside a reference is ignored, as the specification says.
        guard name == "pathItem" || name == "schema" && description.version == .v31 else {
          continue
        }
      }
      guard let form = forms[name] else { continue }
      var check = FormCheck()
      check.check(node.value, form)
      notes += check.problems.map { problem in
        let place = pointer + problem.pointer
        return ImportNote(
          .leftOut, place.visible,
          at: UnderstudyCore.Place(node.document.file, problem.position), place,
          because: problem.reason)
      }
      pending += check.parts.map {
        (OpenAPINode(value: $0.value, document: node.document), pointer + $0.pointer, $0.name)
      }
    }
    return notes
  }

  private static let forms: [String: DocumentForm] = [
    "": root, "pathItem": pathItem, "operation": operation, "parameter": parameter,
    "header": parameter, "requestBody": requestBody, "response": response, "media": media,
    "example": example, "securityScheme": securityScheme, "schema": schema,
  ]

  private static let root = object([
    "openapi": .unread, "info": info, "jsonSchemaDialect": .unread, "$self": .unread,
    "servers": .list(server), "paths": .by { $0.kind == .object ? named("pathItem") : .unread },
    "webhooks": .unread, "security": .unread, "tags": .unread, "externalDocs": .unread,
    "components": object([
      "securitySchemes": names("securityScheme"), "schemas": anything, "responses": anything,
      "parameters": anything, "examples": anything, "requestBodies": anything,
      "headers": anything, "links": .unread, "callbacks": .unread, "pathItems": anything,
      "mediaTypes": anything,
    ]),
  ])

  private static let info = object([
    "title": .text, "summary": .unread, "description": .unread, "termsOfService": .unread,
    "license": .unread, "version": .unread,
    "contact": object(["name": .text, "email": .text, "url": .unread]),
  ])

  private static let server = object([
    "url": .text, "description": .unread, "name": .unread,
    "variables": .named(
      object(["default": .scalar, "enum": .unread, "description": .unread])),
  ])

  /// Other members are noted where operations are looked for.
  private static let pathItem = ifObject(
    .object(
      .init(
        Dictionary(
          OpenAPIDescription.methods.map { ($0, .part("operation")) }, uniquingKeysWith: { $1 }
        ).merging(["parameters": parameters]) { $1 }, others: .names(.unread))))

  private static let operation = ifObject(
    object([
      "tags": .unread, "summary": .text, "description": .text, "externalDocs": .unread,
      "operationId": .text, "parameters": parameters, "requestBody": .part("requestBody"),
      "responses": .by { $0.kind == .object ? named("response") : .unread },
      "callbacks": .unread, "deprecated": .flag, "security": .unread, "servers": .unread,
    ]))

  /// Whatever is not a list is noted where it is read.
  private static let parameters = DocumentForm.by {
    $0.kind == .array ? .list(.part("parameter")) : .unread
  }

  private static let parameter = ifObject(
    object([
      "name": .text, "in": .text, "description": .unread, "required": .flag,
      "deprecated": .unread, "allowEmptyValue": .unread, "style": .unread, "explode": .unread,
      "allowReserved": .unread, "schema": .part("schema"), "example": .unread,
      "examples": names("example"), "content": named("media"),
    ]))

  private static let requestBody = object([
    "description": .unread, "content": named("media"), "required": .flag,
  ])

  private static let response = ifObject(
    object([
      "description": .unread, "summary": .unread, "headers": names("header"),
      "content": named("media"), "links": .unread,
    ]))

  private static let media = ifObject(
    object([
      "schema": .part("schema"), "itemSchema": .unread, "example": .unread,
      "examples": names("example"), "encoding": .unread, "prefixEncoding": .unread,
      "itemEncoding": .unread,
    ]))

  private static let example = object([
    "summary": .text, "description": .unread, "value": .unread, "externalValue": .unread,
    "dataValue": .unread, "serializedValue": .unread,
  ])

  private static let securityScheme = object([
    "type": .text, "description": .unread, "name": .text, "in": .text, "scheme": .text,
    "bearerFormat": .unread, "flows": .unread, "openIdConnectUrl": .unread,
    "oauth2MetadataUrl": .unread, "deprecated": .unread,
  ])

  /// Values of other types are noted where a schema is rewritten.
  private static let schema = ifObject(
    object(
      Dictionary(
        Keyword.allCases.map { ($0.rawValue, form(of: $0)) }, uniquingKeysWith: { $1 }
      )
      .merging([
        "nullable": .flag, "discriminator": .unread, "xml": .unread, "externalDocs": .unread,
        "example": .unread,
      ]) { $1 }))

  private static func form(of keyword: Keyword) -> DocumentForm {
    switch keyword.holds {
    case .oneSchema: .part("schema")
    case .schemas: .by { $0.kind == .array ? .list(.part("schema")) : .unread }
    case .namedSchemas: .by { $0.kind == .object ? names("schema") : .unread }
    case .namedSchemasOrLists: .unread
    case .noSchema: .unread
    }
  }

  // MARK: - Objects

  /// An object with these members, and extensions.
  private static func object(_ forms: [String: DocumentForm]) -> DocumentForm {
    .object(.init(forms, others: .lost, prefix: "x-"))
  }

  /// An object whose keys are names, unless they begin as extensions do.
  private static func named(_ part: String) -> DocumentForm {
    .object(.init([:], others: .names(.part(part)), prefix: "x-"))
  }

  private static func names(_ part: String) -> DocumentForm { .named(.part(part)) }

  /// An object of which only the keys are looked at.
  private static let anything = DocumentForm.named(.unread)

  /// A value of another type is noted where it is read.
  private static func ifObject(_ form: DocumentForm) -> DocumentForm {
    .by { $0.kind == .object ? form : .unread }
  }
}
