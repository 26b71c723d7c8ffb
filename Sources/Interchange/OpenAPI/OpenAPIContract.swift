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
  private(set) var cases: [(name: String, status: Int?)] = []
  private var members: [(key: String, value: JSONText?)] = []
  private var names = UniqueNames()
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
      append("ok", 200, [("status", .int(200))])
      remarks.append("has no responses: served as 200 without a body")
    }
    if !isLenient { try addRefusals() }
    addDerived()
  }

  /// - Parameter schemaLine: for editors, if the folder has the schema of contracts.
  func json(schemaLine: String?) -> JSONText {
    .object([
      ("$schema", schemaLine.map { .string($0) }), ("summary", .string(summary)),
      ("request", request.json), ("cases", .object(members)),
    ])
  }

  /// A name for its file: that of the operation, or one of method and path.
  var stem: String {
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
      append(stem, response.status, [("like", .string(model))])
      return
    }
    let contents = try contents(of: response, isDefault: isDefault)
    let headers = try headers(of: response)
    let first = members.count
    for (number, content) in contents.enumerated() {
      var model: String?
      for (place, example) in content.bodies.enumerated() {
        let own = example.name?.slug ?? ""
        let suffix = MediaType(content.mediaType).name.slug
        let name = own.isEmpty ? (number == 0 ? stem : "\(stem)-\(suffix)") : own
        var fields: [(key: String, value: JSONText?)] = []
        if let model { fields.append(("like", .string(model))) }
        fields.append(
          (
            "summary",
            example.summary.flatMap {
              $0.isEmpty ? nil : .string($0.shortened(to: Self.summaryLengthMax))
            }
          ))
        if place == 0 {
          let type = (key: "Content-Type", value: content.mediaType)
          fields += Self.head(response.status, [type] + headers)
        }
        switch example.body {
        case .json(let value): fields.append(("body", value))
        case .text(let text): fields.append(("text", .string(text)))
        case .base64(let bytes): fields.append(("base64", .string(Base64.encode(bytes))))
        }
        if place == 0, let schema = content.schema { fields.append(("schema", schema.text)) }
        if number > 0, place == 0 {
          let start = "^\(JavaPattern.escaped(MediaType(content.mediaType).name))"
          fields.append(
            (
              "when",
              .object([
                ("request", .object([("header.Accept", .object([("matches", .string(start))]))]))
              ])
            ))
        }
        if isDefault, members.count == first, isLive { fields.append(("live", .emptyObject)) }
        append(name, response.status, fields)
        model = model ?? cases.last?.name
      }
    }
    if members.count == first {
      append(
        stem, response.status,
        Self.head(response.status, typeWithoutBody(of: response) + headers)
          + (isDefault && isLive ? [("live", .emptyObject)] : []))
    }
    if response.status >= 400, headers.isEmpty, members.count == first + 1 {
      models[response.node.identity] = members[first].key
    }
  }

  private static func head(
    _ status: Int, _ headers: [(key: String, value: String)]
  ) -> [(key: String, value: JSONText?)] {
    [
      ("status", .int(status)),
      ("headers", headers.isEmpty ? nil : .object(headers.map { ($0.key, .string($0.value)) })),
    ]
  }

  private mutating func append(
    _ stem: String, _ status: Int, _ fields: [(key: String, value: JSONText?)]
  ) {
    let name = names.name(stem)
    cases.append((name, status))
    let isLike = fields.first?.key == "like" && fields.count == 1
    members.append((name, .object(isLike ? fields + [("status", .int(status))] : fields)))
  }

  /// The default response in each of its types, others in one: nothing about their requests would tell
  /// them apart.
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
    var added: [(key: String, value: JSONText?)] = []
    for refusal in refusals.all {
      let name = names.name(refusal.stem)
      var fields: [(key: String, value: JSONText?)] = []
      if let model {
        fields.append(("like", .string(model.name)))
        if model.isOther { fields.append(("status", .int(Self.refusalStatus))) }
      }
      fields.append(("summary", .string(refusal.words.capitalizingFirst)))
      if model == nil {
        let headers = [(key: "Content-Type", value: "application/problem+json")]
        fields += Self.head(Self.refusalStatus, operation.method == "HEAD" ? [] : headers)
      }
      if model?.isDocumented != true, operation.method != "HEAD" {
        fields.append(("body", Self.problem(refusal.words)))
      }
      fields.append(("when", .object([("request", refusal.when)])))
      added.append((name, .object(fields)))
      model = model ?? (name, isDocumented: false, isOther: false)
    }
    let place = members.firstIndex { $0.value?.root?["when"] != nil } ?? members.count
    members.insert(contentsOf: added, at: place)
    cases.insert(
      contentsOf: added.map { ($0.key, $0.value?.root?["status"]?.int ?? refusalStatus) }, at: place
    )
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
    .object([
      ("title", .string("Bad Request")), ("status", .int(refusalStatus)),
      ("detail", .string(words.capitalizingFirst)),
    ])
  }

  /// An empty collection, and what no response shows.
  private mutating func addDerived() {
    guard let model = cases.first, let body = members.first?.value?.root else { return }
    var derived: [(key: String, value: JSONText?)] = []
    if 200..<300 ~= model.status ?? 0, let empty = Self.emptied(body) {
      derived.append(("empty", .object([("like", .string(model.name)), ("body", empty)])))
    }
    let json = body["body"]
    derived += DerivedCases.members(
      of: model.name, body: json?.kind, byteCount: json?.compact.count ?? 0)
    for (key, value) in derived {
      let name = names.contains(key) ? "\(key)-again" : key
      members.append((name, value))
      cases.append((name, key == "reset" ? nil : model.status))
    }
  }

  /// The body with its array, or the arrays in it, empty; `nil` if it has none, or its schema asks
  /// for elements.
  private static func emptied(_ served: JSONValue) -> JSONText? {
    guard let body = served["body"] else { return nil }
    let text: JSONText
    if body.kind == .array, body.count > 0 {
      text = .array([])
    } else if body.members.contains(where: { $0.value.kind == .array && $0.value.count > 0 }) {
      text = .object(
        body.members.map { ($0.key, $0.value.kind == .array ? .array([]) : .value($0.value)) })
    } else {
      return nil
    }
    if let schema = served["schema"], let root = text.root,
      (try? Schema(compiling: schema, options: Schema.Options(now: BodySchema.moment)))?.accepts(
        root) != true
    {
      return nil
    }
    return text
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
