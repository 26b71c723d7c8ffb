import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// One operation of a document, with its references followed.
struct OpenAPIOperation {
  struct Parameter {
    let name: String
    /// `path`, `query`, `header` or `cookie`.
    let location: String
    let node: OpenAPINode
    let isRequired: Bool
  }

  struct Response {
    /// As the document writes it: `200`, `4XX`, `default`.
    let key: String
    let status: Int
    let node: OpenAPINode
  }

  let method: String
  /// As the document writes it.
  let path: String
  let node: OpenAPINode
  private(set) var parameters: [Parameter] = []
  private(set) var body: OpenAPINode?
  /// The responses, successes first, then by status.
  private(set) var responses: [Response] = []
  private(set) var notes: [ImportNote] = []

  /// `GET /pets/{id}`
  var subject: String { "\(method) \(path)" }

  var id: String? { node.text("operationId") }

  /// - Parameter items: the path item, and what stands beside its reference: they may have
  ///   parameters for all of their operations.
  init(
    _ method: String, _ path: String, _ node: OpenAPINode, of items: [OpenAPINode],
    in description: OpenAPIDescription
  ) throws(Failure) {
    (self.method, self.path, self.node) = (method, path, node)
    try readParameters(of: items + [node], in: description)
    if let written = node["requestBody"] { body = try resolved(written, in: description) }
    try readResponses(in: description)
  }

  private mutating func readParameters(
    of owners: [OpenAPINode], in description: OpenAPIDescription
  ) throws(Failure) {
    let lists = owners.compactMap { $0["parameters"] }
    for list in lists where list.value.kind != .array {
      leaveOut(list, because: "its parameters are \(list.value.summary), not a list")
    }
    for written in lists.flatMap(\.elements) {
      guard let parameter = try resolved(written, in: description) else { continue }
      guard let name = parameter.text("name"), let location = parameter.text("in") else {
        leaveOut(written, because: "a parameter has no \"name\" or no \"in\"")
        continue
      }
      parameters.removeAll { $0.name == name && $0.location == location }
      parameters.append(
        Parameter(
          name: name, location: location, node: parameter,
          isRequired: location == "path" || parameter.value["required"]?.bool ?? false))
    }
  }

  private mutating func readResponses(in description: OpenAPIDescription) throws(Failure) {
    guard let all = node["responses"] else { return }
    if all.value.kind != .object {
      leaveOut(all, because: "its responses are \(all.value.summary), not an object")
    }
    let keys = all.members.map(\.key)
    for (key, written) in all.members {
      guard written.value.kind == .object else {
        leaveOut(written, because: "a response is \(written.value.summary), not an object")
        continue
      }
      guard let status = Self.status(for: key, among: keys) else {
        leaveOut(written, because: "no case can have the status \(key.visible)")
        continue
      }
      if let target = try resolved(written, in: description) {
        responses.append(Response(key: key, status: status, node: target))
      }
    }
    responses = responses.enumerated().sorted { left, right in
      func rank(_ response: Response) -> Int {
        response.status / 100 == 2 ? 0 : response.status / 100 == 3 ? 1 : 2
      }
      let (own, other) = (left.element, right.element)
      return (rank(own), own.status, left.offset) < (rank(other), other.status, right.offset)
    }.map(\.element)
  }

  /// The node itself, or what its `$ref` leads to; `nil`, with a note, where that is missing.
  private mutating func resolved(
    _ written: OpenAPINode, in description: OpenAPIDescription
  ) throws(Failure) -> OpenAPINode? {
    switch try description.resolved(written) {
    case .success(let target): return target
    case .failure(let missing):
      leaveOut(written, because: missing.reason)
      return nil
    }
  }

  private mutating func leaveOut(_ node: OpenAPINode, because reason: String) {
    notes.append(node.note(.leftOut, subject, because: reason))
  }

  /// The status that a case serves: for `default` 200 if it is the only response, else 500. `nil`
  /// for a status that no case can have, and for a range or a default whose status another response
  /// has.
  private static func status(for key: String, among keys: [String]) -> Int? {
    let fixed = Set(keys.compactMap(Int.init))
    if key == "default" {
      return keys.count == 1 ? 200 : [500, 503, 400].first { !fixed.contains($0) }
    }
    if key.utf8.count == 3, key.lowercased().hasSuffix("xx"),
      let digit = key.first?.wholeNumberValue,
      2...5 ~= digit
    {
      let usual = [2: 200, 3: 302, 4: 400, 5: 500][digit] ?? digit * 100
      return (usual...digit * 100 + 99).first { !fixed.contains($0) }
    }
    guard key.utf8.count == 3, let status = Int(key), 200...599 ~= status else { return nil }
    return status
  }
}

extension OpenAPIOperation.Parameter {
  /// Headers that OpenAPI describes elsewhere, so that parameters of these names are ignored.
  static let otherHeaders: Set<HeaderName> = ["accept", "content-type", "authorization"]

  /// Values that the document names, as they are sent; `nil` where it names none.
  func example(in description: OpenAPIDescription) throws(Failure) -> [String]? {
    var candidates: [JSONValue] = []
    if let value = node.value["example"] { candidates.append(value) }
    for (_, written) in node["examples"]?.entries ?? [] {
      if case .success(let target) = try description.resolved(written),
        let value = target.value["value"]
      {
        candidates.append(value)
      }
    }
    if let written = node["schema"], case .success(let schema) = try description.resolved(written) {
      candidates += [schema.value["example"], schema.value["examples"]?[0]].compactMap { $0 }
      candidates += [schema.value["default"], schema.value["const"], schema.value["enum"]?[0]]
        .compactMap { $0 }
    }
    return candidates.lazy.compactMap(Self.texts).first { !$0.isEmpty }
  }

  /// A value as a parameter of the usual style; `nil` for an object.
  static func texts(of value: JSONValue) -> [String]? {
    switch value.kind {
    case .array:
      let elements = value.elements.map { texts(of: $0) ?? [] }
      return elements.allSatisfy { $0.count == 1 } ? elements.flatMap { $0 } : nil
    case .object, .null: return nil
    case .string: return value.string.map { [$0] }
    default: return [String(decoding: value.compact, as: UTF8.self)]
    }
  }
}
