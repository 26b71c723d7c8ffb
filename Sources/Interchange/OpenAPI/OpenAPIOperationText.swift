import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySchema

/// Writes one operation of a document.
struct OpenAPIOperationText {
  struct Operation {
    let method: String
    let template: PathTemplate
    var contracts: [Contract]

    /// `{rest...}` has no name of its own in a document.
    var path: String {
      template.tail.map { template.text.replacing("{\($0)...}", with: "{\($0)}") } ?? template.text
    }
  }

  private let operation: Operation
  private(set) var members: [(key: String, value: JSONText?)] = []

  init(_ operation: Operation, _ components: inout OpenAPIComponents) {
    self.operation = operation
    let first = operation.contracts.first
    let parameters = self.parameters
    members = [
      ("operationId", first.map { .string($0.name) }),
      ("summary", first?.summary.map { .string($0) }),
      ("parameters", parameters.isEmpty ? nil : .array(parameters)),
      ("requestBody", requestBody(&components)), ("responses", responses(&components)),
    ]
  }

  // MARK: - The request

  /// What the contracts say of one parameter.
  private struct Parameter {
    let location: String
    let name: String
    var conditions: [Condition] = []
    /// The conditions of cases for requests that lack it, or have it wrong.
    var refused: [Condition] = []
    /// In how many contracts a request must have it.
    var requiredCount = 0
  }

  private var parameters: [JSONText] {
    var all: [Parameter] = []
    var places: [String: Int] = [:]
    func place(of condition: Condition) -> Int {
      let key = "\(condition.part.rawValue).\(condition.lookupName)"
      if let place = places[key] { return place }
      places[key] = all.count
      all.append(Parameter(location: condition.part.rawValue, name: condition.name))
      return all.count - 1
    }
    for contract in operation.contracts {
      var required: Set<Int> = []
      let served = contract.cases.filter { $0.refusal == nil }.flatMap { $0.when?.request ?? [] }
      for condition in contract.request.parameters where isWritten(condition) {
        let place = place(of: condition)
        all[place].conditions.append(condition)
        if !condition.isOptional { required.insert(place) }
      }
      for condition in served where isWritten(condition) {
        all[place(of: condition)].conditions.append(condition)
      }
      for condition in contract.refusedParameters where condition.part != .path {
        let place = place(of: condition)
        all[place].refused.append(condition)
        if condition.acceptsAbsence { required.insert(place) }
      }
      for place in required { all[place].requiredCount += 1 }
    }
    let written = all.map { parameter in
      self.parameter(
        parameter, isRequired: parameter.requiredCount == operation.contracts.count)
    }
    return pathParameters + written
  }

  private var pathParameters: [JSONText] {
    var all = operation.template.parameterNames.map { Parameter(location: "path", name: $0) }
    for contract in operation.contracts {
      let names = contract.request.paths.first?.parameterNames ?? []
      let places = Dictionary(
        zip(names, all.indices).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
      for condition in contract.request.parameters where condition.part == .path {
        if let place = places[condition.name] { all[place].conditions.append(condition) }
      }
      for condition in contract.refusedParameters where condition.part == .path {
        if let place = places[condition.name] { all[place].refused.append(condition) }
      }
    }
    return all.map { parameter($0, isRequired: true) }
  }

  private func isWritten(_ condition: Condition) -> Bool {
    if case .absent = condition.test { return false }
    if case .noOthers = condition.test { return false }
    switch condition.part {
    case .query: return true
    case .header:
      return !OpenAPIOperation.Parameter.otherHeaders.contains(HeaderName(condition.name))
    default: return false
    }
  }

  private func parameter(_ parameter: Parameter, isRequired: Bool) -> JSONText {
    let conditions = parameter.conditions
    let example = conditions.lazy.compactMap(\.example).first
    let rule = parameter.refused.lazy.compactMap(\.exclusion).first
    return [
      "name": .string(parameter.name), "in": .string(parameter.location),
      "required": isRequired ? .bool(true) : nil,
      "schema": rule.map { OpenAPIValueRule.schema(of: $0.test) }
        ?? (conditions.count == 1 ? Self.schema(of: conditions[0]) : Self.text),
      "example": example.map { .oneOrMore($0) },
    ]
  }

  private static let text: JSONText = ["type": "string"]

  private static func schema(of condition: Condition) -> JSONText {
    if case .values = condition.test {
      return ["type": "array", "items": text]
    }
    if condition.example?.count ?? 1 > 1 {
      return ["type": "array", "items": text]
    }
    return OpenAPIValueRule.schema(of: condition.test)
  }

  private func requestBody(_ components: inout OpenAPIComponents) -> JSONText? {
    guard
      let contract = operation.contracts.first(where: {
        $0.request.body != nil || $0.refusedBody != nil
      })
    else { return nil }
    let (body, refused) = (contract.request.body, contract.refusedBody)
    var content: [(key: String, value: JSONText?)] = []
    var (schema, example): (JSONText?, JSONText?) = (nil, body?.example.map { .value($0) })
    if let source = refused?.body.forbiddenSchema {
      schema = components.add(source, named: "\(contract.name)-body")
    }
    var types: [String] = []
    for test in body?.tests ?? [] {
      switch test {
      case .equals(let value, _), .contains(let value, _):
        example = example ?? .value(value)
      case .schema:
        schema = body?.source["schema"].map { components.add($0, named: "\(contract.name)-body") }
      case .text, .matches, .date: types.append("text/plain")
      case .bytes: types.append("application/octet-stream")
      case .form: types.append("application/x-www-form-urlencoded")
      case .multipart: types.append("multipart/form-data")
      case .not: continue
      }
    }
    if schema != nil || example != nil || types.isEmpty {
      content.append(
        ("application/json", ["schema": schema ?? .emptyObject, "example": example]))
    }
    for type in types where !content.contains(where: { $0.key == type }) {
      content.append((type, .emptyObject))
    }
    return [
      "required": refused?.isRequired == true ? .bool(true) : nil, "content": .object(content),
    ]
  }

  // MARK: - Responses

  private struct Entry {
    let name: String
    let served: Case
    let response: Response
    let contract: Contract
  }

  private func responses(_ components: inout OpenAPIComponents) -> JSONText {
    var entries: [(status: Int, entries: [Entry])] = []
    for contract in operation.contracts {
      for served in contract.cases where served.kind == .good {
        guard let response = served.response, !contract.repeats(served) else { continue }
        let name =
          operation.contracts.count > 1 ? "\(contract.name)-\(served.name)" : served.name
        let entry = Entry(name: name, served: served, response: response, contract: contract)
        if let place = entries.firstIndex(where: { $0.status == response.status }) {
          entries[place].entries.append(entry)
        } else {
          entries.append((response.status, [entry]))
        }
      }
    }
    var written: [(key: String, value: JSONText?)] = []
    for (status, entries) in entries {
      written.append((String(status), response(entries, &components)))
    }
    if written.isEmpty {
      written.append(("default", ["description": "No response"]))
    }
    return .object(written)
  }

  private func response(
    _ entries: [Entry], _ components: inout OpenAPIComponents
  ) -> JSONText {
    var headers: [(key: String, value: JSONText?)] = []
    var content:
      [(type: String, schemas: [JSONText], examples: [(key: String, value: JSONText?)])] =
        []
    for entry in entries {
      for field in entry.response.headers
      where !OpenAPIOperation.Parameter.otherHeaders.contains(field.key)
        && !headers.contains(where: { HeaderName($0.key) == field.key })
      {
        headers.append(
          (field.name, ["schema": Self.text, "example": .string(field.value)]))
      }
      guard let type = Self.mediaType(of: entry.response) else { continue }
      let place = content.firstIndex { $0.type == type } ?? content.count
      if place == content.count { content.append((type, [], [])) }
      let schema = entry.response.schema.map {
        components.add($0.source, named: "\(entry.contract.name)-\(entry.served.name)")
      }
      if let schema, !content[place].schemas.contains(schema) {
        content[place].schemas.append(schema)
      }
      guard let value = Self.value(of: entry.response) else { continue }
      let summary = entry.served.source["summary"]?.string
      content[place].examples.append(
        (entry.name, ["summary": summary.map { .string($0) }, "value": value]))
    }
    let description = entries.lazy.compactMap { $0.served.source["summary"]?.string }.first
    return [
      "description": .string(description ?? entries.first?.served.name ?? ""),
      "headers": headers.isEmpty ? nil : .object(headers),
      "content": content.isEmpty
        ? nil
        : .object(
          content.map { type, schemas, examples in
            (
              type,
              [
                "schema": schemas.count > 1 ? ["anyOf": .array(schemas)] : schemas.first,
                "examples": examples.isEmpty ? nil : .object(examples),
              ]
            )
          }),
    ]
  }

  private static func mediaType(of response: Response) -> String? {
    if case .none = response.body { return nil }
    if let type = response.sentHeaders.first(where: { $0.key == "content-type" })?.value {
      return type
    }
    switch response.body {
    case .json: return "application/json"
    case .text: return "text/plain"
    case .events: return "text/event-stream"
    case .file where response.schema != nil: return "application/json"
    default: return "application/octet-stream"
    }
  }

  private static func value(of response: Response) -> JSONText? {
    switch response.body {
    case .json(let value): .value(value)
    case .text(let text): .string(text)
    default: nil
    }
  }
}

extension Contract {
  /// Parameters that requests get a case for where they lack them, or have them wrong.
  fileprivate var refusedParameters: [Condition] {
    cases.compactMap { if case .parameter(let condition)? = $0.refusal { condition } else { nil } }
  }

  fileprivate var refusedBody: (body: BodyCondition, isRequired: Bool)? {
    for case .body(let body, let isRequired)? in cases.map(\.refusal) { return (body, isRequired) }
    return nil
  }

  /// Whether a case for wrong requests has the response of another one.
  fileprivate func repeats(_ served: Case) -> Bool {
    served.refusal != nil
      && cases.contains {
        $0.refusal == nil && $0.kind == .good && $0.status == served.status
          && $0.bodyBytes == served.bodyBytes
      }
  }
}

extension BodyCondition {
  /// The schema that a body must not meet.
  fileprivate var forbiddenSchema: JSONValue? {
    (source.kind == .array ? Array(source.elements) : [source]).lazy
      .compactMap { $0["not"]?["schema"] }.first
  }
}
