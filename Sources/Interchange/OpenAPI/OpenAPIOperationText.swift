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

  private var parameters: [JSONText] {
    var all: [(location: String, name: String, conditions: [Condition])] = []
    func add(_ condition: Condition) {
      let location = condition.part.rawValue
      let isSame = { (name: String) in
        condition.part == .header
          ? HeaderName(name) == HeaderName(condition.name) : name == condition.name
      }
      if let place = all.firstIndex(where: { $0.location == location && isSame($0.name) }) {
        all[place].conditions.append(condition)
      } else {
        all.append((location, condition.name, [condition]))
      }
    }
    for contract in operation.contracts {
      let played = contract.cases.flatMap { $0.when?.request ?? [] }
      for condition in contract.request.parameters + played where isWritten(condition) {
        add(condition)
      }
    }
    let paths = operation.template.parameterNames.enumerated().map { place, name in
      let conditions = operation.contracts.flatMap { contract -> [Condition] in
        let names = contract.request.paths.first?.parameterNames ?? []
        return contract.request.parameters.filter {
          $0.part == .path && place < names.count && $0.name == names[place]
        }
      }
      return parameter("path", name, conditions, isRequired: true)
    }
    return paths
      + all.map { location, name, conditions in
        let isRequired = operation.contracts.allSatisfy { contract in
          contract.request.parameters.contains { own in
            !own.isOptional && own.part.rawValue == location && conditions.contains { $0 === own }
          }
        }
        return parameter(location, name, conditions, isRequired: isRequired)
      }
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

  private func parameter(
    _ location: String, _ name: String, _ conditions: [Condition], isRequired: Bool
  ) -> JSONText {
    let example = conditions.lazy.compactMap(\.example).first
    return .object([
      ("name", .string(name)), ("in", .string(location)),
      ("required", isRequired ? .bool(true) : nil),
      ("schema", conditions.count == 1 ? Self.schema(of: conditions[0]) : Self.text),
      ("example", example.map { $0.count == 1 ? .string($0[0]) : .strings($0) }),
    ])
  }

  private static let text = JSONText.object([("type", .string("string"))])

  private static func schema(of condition: Condition) -> JSONText {
    let more: (key: String, value: JSONText?)? =
      switch condition.test {
      case .equals(let text): ("enum", .strings([text]))
      case .oneOf(let texts): ("enum", .strings(texts))
      case .matches(let pattern): ("pattern", .string(pattern.source))
      default: nil
      }
    if case .values = condition.test {
      return .object([("type", .string("array")), ("items", text)])
    }
    if condition.example?.count ?? 1 > 1 {
      return .object([("type", .string("array")), ("items", text)])
    }
    return .object([("type", .string("string"))] + (more.map { [$0] } ?? []))
  }

  private func requestBody(_ components: inout OpenAPIComponents) -> JSONText? {
    let bodies = operation.contracts.compactMap { contract in
      contract.request.body.map { (contract, $0) }
    }
    guard let (contract, body) = bodies.first else { return nil }
    var content: [(key: String, value: JSONText?)] = []
    var (schema, example): (JSONText?, JSONText?) = (nil, body.example.map { .value($0) })
    var types: [String] = []
    for test in body.tests {
      switch test {
      case .equals(let value, _), .contains(let value, _):
        example = example ?? .value(value)
      case .schema:
        schema = body.source["schema"].map { components.add($0, named: "\(contract.name)-body") }
      case .text, .matches: types.append("text/plain")
      case .form: types.append("application/x-www-form-urlencoded")
      case .multipart: types.append("multipart/form-data")
      case .not: continue
      }
    }
    if schema != nil || example != nil || types.isEmpty {
      content.append(
        ("application/json", .object([("schema", schema ?? .emptyObject), ("example", example)])))
    }
    for type in types where !content.contains(where: { $0.key == type }) {
      content.append((type, .emptyObject))
    }
    return .object([("content", .object(content))])
  }

  // MARK: - Responses

  private struct Answer {
    let name: String
    let played: Case
    let response: Response
    let contract: Contract
  }

  private func responses(_ components: inout OpenAPIComponents) -> JSONText {
    var answers: [(status: Int, answers: [Answer])] = []
    for contract in operation.contracts {
      for played in contract.cases where played.kind == .good {
        guard let response = played.response else { continue }
        let name =
          operation.contracts.count > 1 ? "\(contract.name)-\(played.name)" : played.name
        let answer = Answer(name: name, played: played, response: response, contract: contract)
        if let place = answers.firstIndex(where: { $0.status == response.status }) {
          answers[place].answers.append(answer)
        } else {
          answers.append((response.status, [answer]))
        }
      }
    }
    var written: [(key: String, value: JSONText?)] = []
    for (status, answers) in answers {
      written.append((String(status), response(answers, &components)))
    }
    if written.isEmpty {
      written.append(("default", .object([("description", .string("No answer"))])))
    }
    return .object(written)
  }

  private func response(
    _ answers: [Answer], _ components: inout OpenAPIComponents
  ) -> JSONText {
    var headers: [(key: String, value: JSONText?)] = []
    var content:
      [(type: String, schemas: [JSONText], examples: [(key: String, value: JSONText?)])] =
        []
    for answer in answers {
      for field in answer.response.headers
      where !OpenAPIOperation.Parameter.otherHeaders.contains(field.key)
        && !headers.contains(where: { HeaderName($0.key) == field.key })
      {
        headers.append(
          (field.name, .object([("schema", Self.text), ("example", .string(field.value))])))
      }
      guard let type = Self.mediaType(of: answer.response) else { continue }
      let place = content.firstIndex { $0.type == type } ?? content.count
      if place == content.count { content.append((type, [], [])) }
      let schema = answer.response.schema.map {
        components.add($0.source, named: "\(answer.contract.name)-\(answer.played.name)")
      }
      if let schema, !content[place].schemas.contains(schema) {
        content[place].schemas.append(schema)
      }
      guard let value = Self.value(of: answer.response) else { continue }
      let summary = answer.played.source["summary"]?.string
      content[place].examples.append(
        (answer.name, .object([("summary", summary.map { .string($0) }), ("value", value)])))
    }
    let description = answers.lazy.compactMap { $0.played.source["summary"]?.string }.first
    return .object([
      ("description", .string(description ?? answers.first?.played.name ?? "")),
      ("headers", headers.isEmpty ? nil : .object(headers)),
      (
        "content",
        content.isEmpty
          ? nil
          : .object(
            content.map { type, schemas, examples in
              (
                type,
                .object([
                  (
                    "schema",
                    schemas.count > 1 ? .object([("anyOf", .array(schemas))]) : schemas.first
                  ), ("examples", examples.isEmpty ? nil : .object(examples)),
                ])
              )
            })
      ),
    ])
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
