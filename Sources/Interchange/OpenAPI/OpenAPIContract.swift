import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySchema

/// Makes the contract of one operation.
struct OpenAPIContract {
  private static let summaryLengthMax = 120
  /// Headers that the server writes, or that `Content-Type` of the body covers.
  static let ownHeaders: Set<HeaderName> = HeaderName.ofConnection.union([
    "content-type", "content-length", "content-encoding", "transfer-encoding", "date", "set-cookie",
  ])

  let operation: OpenAPIOperation
  let path: OpenAPIPath
  private let description: OpenAPIDescription
  private(set) var notes: [ImportNote]
  private(set) var remarks: [String] = []
  private var cases: [CaseDraft] = []
  private var names = UniqueNames()
  /// The JSON of the first case.
  private var served: (body: JSONValue, schema: OpenAPISchema?)?
  /// The cases of errors by the place of their response, which others may be like.
  private var models: [OpenAPINode.Identity: String] = [:]
  private let request: OpenAPIRequest
  /// Whether drift can ask the live API for the first response.
  private let isLive: Bool

  init(
    _ operation: OpenAPIOperation, at path: OpenAPIPath, in description: OpenAPIDescription,
    hasLiveAPI: Bool, isLenient: Bool
  ) throws(Failure) {
    self.operation = operation
    self.path = path
    self.description = description
    request = try OpenAPIRequest(of: operation, at: path, in: description)
    isLive = hasLiveAPI && operation.method == "GET" && request.isComplete
    notes = operation.notes + request.notes
    for response in operation.responses { try add(response) }
    if cases.isEmpty {
      append("ok", 200, ["status": 200])
      remarks.append("has no responses: served as 200 without a body")
    }
    if !isLenient { try addRefusals() }
  }

  /// - Parameter schemaLine: for editors, if the folder has the schema of contracts.
  func draft(schemaLine: JSONText?) -> ContractDraft {
    var draft = ContractDraft(
      named: stem,
      ["$schema": schemaLine, "summary": .string(summary), "request": request.json], cases: cases)
    draft.addDerivedCases(
      body: served?.body.kind, byteCount: served?.body.compact.count ?? 0, empty: emptied)
    return draft
  }

  /// A name for its file: that of the operation, or one of method and path.
  private var stem: String {
    let id = operation.id?.separatingWords.slug ?? ""
    if !id.isEmpty { return id }
    let words = [operation.method == "GET" ? "" : operation.method.slug, path.stem]
    let stem = words.filter { !$0.isEmpty }.joined(separator: "-")
    return path.stem.isEmpty ? [stem, "root"].filter { !$0.isEmpty }.joined(separator: "-") : stem
  }

  private var summary: String {
    let text = operation.node.text("summary") ?? operation.node.text("description") ?? ""
    let line = text.split(separator: "\n").first.map(String.init)?.trimmed ?? ""
    let isOld = operation.node.value["deprecated"]?.bool ?? false
    let shown = line.isEmpty ? operation.subject : line.shortened(to: Self.summaryLengthMax)
    return isOld ? "\(shown) (deprecated)" : shown
  }

  // MARK: - Cases

  private mutating func add(_ response: OpenAPIOperation.Response) throws(Failure) {
    let stem = RecordedCase.stem(of: response.status)
    if Int(response.key) == nil { remarks.append("\(response.key): served as \(response.status)") }
    let isDefault = cases.isEmpty
    if !isDefault, let model = models[response.node.identity] {
      append(stem, response.status, ["like": .string(model), "status": .int(response.status)])
      return
    }
    let contents = try contents(of: response, isDefault: isDefault)
    let headers = try headers(of: response)
    let first = cases.count
    for (number, content) in contents.enumerated() {
      add(content, isFirst: number == 0, response.status, headers)
    }
    if cases.count == first {
      append(
        stem, response.status,
        Self.head(response.status, typeWithoutBody(of: response) + headers))
    }
    if isDefault, isLive { cases[first].members["live"] = .emptyObject }
    if response.status >= 400, headers.isEmpty, cases.count == first + 1 {
      models[response.node.identity] = cases[first].name
    }
  }

  /// Adds a case for each example, of which all but the first are like that one.
  ///
  /// - Parameter isFirst: whether it is served whatever the request accepts.
  private mutating func add(
    _ content: OpenAPIContent, isFirst: Bool, _ status: Int,
    _ headers: [(key: String, value: String)]
  ) {
    let type = MediaType(content.mediaType).name
    let stem = RecordedCase.stem(of: status) + (isFirst ? "" : "-\(type.slug)")
    var model: String?
    for example in content.bodies {
      let own = example.name?.slug ?? ""
      var members: JSONObject = [
        "like": model.map { .string($0) },
        "summary": example.summary.flatMap {
          $0.isEmpty ? nil : .string($0.shortened(to: Self.summaryLengthMax))
        },
      ]
      if model == nil {
        members = members + Self.head(status, [("Content-Type", content.mediaType)] + headers)
      }
      switch example.body {
      case .json(let value): members["body"] = value
      case .text(let text): members["text"] = .string(text)
      case .base64(let bytes): members["base64"] = .string(Base64.encode(bytes))
      }
      if model == nil {
        members["schema"] = content.schema?.text
        if !isFirst {
          let start = "^\(JavaPattern.escaped(type))"
          members["when"] = ["request": ["header.Accept": ["matches": .string(start)]]]
        }
      }
      if cases.isEmpty, case .json(let text) = example.body {
        served = text.root.map { ($0, content.schema) }
      }
      append(own.isEmpty ? stem : own, status, members)
      model = model ?? cases.last?.name
    }
  }

  private static func head(
    _ status: Int, _ headers: [(key: String, value: String)]
  ) -> JSONObject {
    [
      "status": .int(status),
      "headers": headers.isEmpty ? nil : .object(headers.map { ($0.key, .string($0.value)) }),
    ]
  }

  private mutating func append(_ stem: String, _ status: Int, _ members: JSONObject) {
    cases.append(CaseDraft(names.name(stem), status: status, members))
  }

  /// The default response in each of its types, others in one: nothing about their requests would
  /// tell them apart.
  private mutating func contents(
    of response: OpenAPIOperation.Response, isDefault: Bool
  ) throws(Failure) -> [OpenAPIContent] {
    guard response.status != 204, response.status != 304, operation.method != "HEAD" else {
      return []
    }
    let written = response.node["content"]?.members ?? []
    let sorted =
      written.filter { MediaType($0.key).isJSON } + written.filter { !MediaType($0.key).isJSON }
    var contents: [OpenAPIContent] = []
    var types: Set<String> = []
    for (type, node) in sorted where isDefault || contents.isEmpty {
      guard node.value.kind == .object,
        let content = try OpenAPIContent(
          type, node, in: description, .response, subject: operation.subject)
      else {
        notes.append(
          node.note(
            .leftOut, operation.subject, because: "\(type.visible) has no example as text"))
        continue
      }
      guard types.insert(MediaType(content.mediaType).name).inserted else { continue }
      notes += content.notes.filter { !notes.contains($0) }
      contents.append(content)
    }
    return contents
  }

  /// The type of what a `GET` would have sent.
  private func typeWithoutBody(
    of response: OpenAPIOperation.Response
  ) -> [(key: String, value: String)] {
    guard operation.method == "HEAD", let type = response.node["content"]?.members.first?.key,
      !type.contains("*")
    else { return [] }
    return [("Content-Type", type)]
  }

  private mutating func headers(
    of response: OpenAPIOperation.Response
  ) throws(Failure) -> [(key: String, value: String)] {
    var headers: [(key: String, value: String)] = []
    for (name, written) in response.node["headers"]?.entries ?? [] {
      guard HeaderText.isName(name), !Self.ownHeaders.contains(HeaderName(name)),
        case .success(let node) = try description.resolved(written)
      else { continue }
      let parameter = OpenAPIOperation.Parameter(
        name: name, location: "header", node: node,
        isRequired: node.value["required"]?.bool ?? false)
      var texts = try parameter.example(in: description)
      let isTold = try Self.says(node, description)
      if texts == nil, parameter.isRequired || isTold {
        texts = try parameter.made(in: description, .response, subject: operation.subject, &notes)
      }
      guard let text = texts?.joined(separator: ",") else { continue }
      if HeaderText.isValue(text), !SecretScan.isSecret(header: name, text) {
        headers.append((name, text))
      }
    }
    return headers
  }

  /// Whether the schema of a header says more than that it is a text.
  private static func says(
    _ header: OpenAPINode, _ description: OpenAPIDescription
  ) throws(Failure) -> Bool {
    guard let written = header["schema"],
      case .success(let schema) = try description.resolved(written)
    else { return false }
    return schema.text("type") != "string" || schema["format"] != nil || schema["pattern"] != nil
  }

  // MARK: - Refusals

  /// Cases for requests that the document forbids, before those that a `when` serves for others.
  private mutating func addRefusals() throws(Failure) {
    let refusals = try OpenAPIRefusals(of: operation, request, in: description)
    notes += refusals.notes
    guard !refusals.all.isEmpty else { return }
    var model = refusalModel
    var added: [CaseDraft] = []
    for refusal in refusals.all {
      let name = names.name(refusal.stem)
      var members: JSONObject = [
        "like": model.map { .string($0.name) },
        "status": model?.isOther == true ? .int(Self.refusalStatus) : nil,
        "summary": .string(refusal.words.capitalizingFirst),
      ]
      if model == nil {
        let headers = [(key: "Content-Type", value: "application/problem+json")]
        members =
          members + Self.head(Self.refusalStatus, operation.method == "HEAD" ? [] : headers)
      }
      if model?.isDocumented != true, operation.method != "HEAD" {
        members["body"] = Self.problem(refusal.words)
      }
      members["when"] = ["request": refusal.when]
      let status = members["status"] == nil ? refusalStatus : Self.refusalStatus
      added.append(CaseDraft(name, status: status, members))
      model = model ?? (name, isDocumented: false, isOther: false)
    }
    let place = cases.firstIndex { $0.members["when"] != nil } ?? cases.count
    cases.insert(contentsOf: added, at: place)
  }

  private static let refusalStatus = 400

  /// The case of what the document has for wrong requests: 400 or 422, or else its default.
  private var refusalModel: (name: String, isDocumented: Bool, isOther: Bool)? {
    for status in [400, 422] {
      if let known = cases.first(where: { $0.status == status }) {
        return (known.name, true, false)
      }
    }
    let other = operation.responses.first { $0.key == "default" }?.status
    return other.flatMap { other in
      cases.first { $0.status == other }.map { ($0.name, true, true) }
    }
  }

  private var refusalStatus: Int {
    cases.contains { $0.status == 422 } && !cases.contains { $0.status == 400 }
      ? 422 : Self.refusalStatus
  }

  private static func problem(_ words: String) -> JSONText {
    [
      "title": "Bad Request", "status": .int(refusalStatus),
      "detail": .string(words.capitalizingFirst),
    ]
  }

  /// The body of the first case with its array, or the arrays in it, empty; `nil` if it has none,
  /// or its schema asks for elements.
  private var emptied: JSONText? {
    guard let (body, schema) = served, 200..<300 ~= cases.first?.status ?? 0 else { return nil }
    func isList(_ value: JSONValue) -> Bool { value.kind == .array && value.count > 0 }
    guard isList(body) || body.members.contains(where: { isList($0.value) }) else { return nil }
    let text: JSONText =
      isList(body)
      ? []
      : .object(body.members.map { ($0.key, $0.value.kind == .array ? [] : .value($0.value)) })
    return text.root.map { schema?.compiled.accepts($0) ?? true } == true ? text : nil
  }
}

extension String {
  /// Cut by scalars, at the end of a word where there is one.
  fileprivate func shortened(to lengthMax: Int) -> String {
    let line = visible
    guard line.unicodeScalars.count > lengthMax else { return line }
    let start = String(String.UnicodeScalarView(line.unicodeScalars.prefix(lengthMax)))
    return (start.lastIndex(of: " ").map { String(start[..<$0]) } ?? start) + "…"
  }

  fileprivate var capitalizingFirst: String { prefix(1).uppercased() + dropFirst() }

  /// `get-Pet-By-Id` for `getPetById`.
  fileprivate var separatingWords: String {
    var text = ""
    var wasLower = false
    for scalar in unicodeScalars {
      let isUpper = "A"..."Z" ~= scalar
      if isUpper, wasLower { text += "-" }
      text.unicodeScalars.append(scalar)
      wasLower = "a"..."z" ~= scalar || "0"..."9" ~= scalar
    }
    return text
  }
}
