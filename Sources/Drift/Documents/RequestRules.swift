import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyInterchange
import UnderstudyJSON
import UnderstudySchema

/// What a document asks of the requests for an operation.
struct RequestRules: Sendable {
  struct Breach: Hashable {
    let message: String
    /// The key of the parameter, as contracts write it: `query.page`; `body` for the body.
    let key: String
    let place: Place
    /// Whether contracts leave it out: a credential that no header carries.
    var isLeftOut = false
  }

  private let template: PathTemplate?
  private let parameters: [DocumentedOperation.Parameter]
  private let body: DocumentedOperation.RequestBody?
  private let security: [[DocumentedOperation.Credential]]

  init(of operation: DocumentedOperation) throws(Failure) {
    template = operation.template
    parameters = try operation.parameters()
    body = try operation.requestBody()
    security = try operation.security()
  }

  /// - Parameter sent: keys of parameters that it has with unknown values.
  func breaches(of request: Request, sending sent: Set<String> = []) -> [Breach] {
    let parts = RequestParts(request)
    return parameters.compactMap { breach(of: $0, request, parts, sent) }
      + securityBreaches(of: parts, sent) + bodyBreaches(of: request, parts)
  }

  /// The parameters of a request that the document deprecates.
  func deprecated(in request: Request) -> [Breach] {
    let parts = RequestParts(request)
    return parameters.filter { $0.isDeprecated && !values(of: $0, request, parts).isEmpty }.map {
      Breach(message: "\($0.words) is deprecated", key: $0.key, place: $0.place)
    }
  }

  // MARK: - Parameters

  private func breach(
    of parameter: DocumentedOperation.Parameter, _ request: Request, _ parts: RequestParts,
    _ sent: Set<String>
  ) -> Breach? {
    let (key, words) = (parameter.key, parameter.words)
    let values = values(of: parameter, request, parts)
    func breach(_ message: String) -> Breach {
      Breach(message: message, key: key, place: parameter.place)
    }
    guard !values.isEmpty else {
      guard parameter.isRequired, parameter.location != .path, !sent.contains(key.lowercased())
      else { return nil }
      return breach("no \(words), which is required")
    }
    // A document may contradict itself, which is nobody's change.
    guard values != parameter.example, let rule = parameter.schema,
      let complaint = Self.complaint(about: values, rule)
    else {
      return nil
    }
    return breach("\(words): \(complaint)")
  }

  private func values(
    of parameter: DocumentedOperation.Parameter, _ request: Request, _ parts: RequestParts
  ) -> [String] {
    switch parameter.location {
    case .query: parts.queryValues(parameter.name)
    case .header: parts.headerValues(parameter.name.lowercased())
    case .path: pathValue(of: parameter.name, in: request.path).map { [$0] } ?? []
    }
  }

  /// The value of a path parameter, found by its place from the end, since the base of the
  /// contract's paths may differ.
  private func pathValue(of name: String, in path: String) -> String? {
    guard let template,
      let index = template.segments.firstIndex(where: { $0 == .parameter(name) })
    else { return nil }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let place = segments.count - (template.segments.count - index)
    guard segments.indices.contains(place) else { return nil }
    return PercentEncoding.decode(segments[place])
  }

  /// `nil` if any reading of the texts is allowed: which one is meant depends on the style.
  private static func complaint(
    about values: [String], _ rule: DocumentedSchema.Rule
  ) -> String? {
    let listed = values.count == 1 ? values[0].split(separator: ",").map(String.init) : values
    let types = rule.root["type"].map { type in
      type.kind == .array ? type.elements.compactMap(\.string) : [type.string ?? ""]
    }
    guard types?.contains("object") != true else { return nil }
    let scalars = [JSONText.string(values[0]), typed(values[0])]
    let arrays = [JSONText.strings(listed), .array(listed.map(typed))]
    let isArray = types?.contains("array") ?? false
    let isText = types?.contains("string") ?? true
    let first = isArray ? arrays[1] : isText ? scalars[0] : scalars[1]
    let readings = ([first] + scalars + arrays).compactMap(\.root)
    guard !readings.contains(where: rule.schema.accepts) else { return nil }
    return readings.first.flatMap { rule.schema.complaints(about: $0, max: 1).first?.message }
  }

  private static func typed(_ text: String) -> JSONText {
    guard let value = (try? JSONDocument(parsing: text))?.root,
      value.number != nil || value.bool != nil
    else { return .string(text) }
    return .value(value)
  }

  // MARK: - Security

  private func securityBreaches(of parts: RequestParts, _ sent: Set<String>) -> [Breach] {
    func has(_ credential: DocumentedOperation.Credential) -> Bool {
      if sent.contains(credential.key.lowercased()) { return true }
      switch credential.location {
      case .query: return !parts.queryValues(credential.name).isEmpty
      case .header: return !parts.headerValues(credential.name.lowercased()).isEmpty
      case .cookie: return parts.cookieNames.contains(credential.name)
      }
    }
    guard let first = security.first?.first, !security.contains(where: { $0.allSatisfy(has) })
    else { return [] }
    var missing: [String] = []
    for credential in security.joined() where !has(credential) {
      if !missing.contains(credential.words) { missing.append(credential.words) }
    }
    return [
      Breach(
        message: "no \(missing.joined(separator: " or ")), which \"security\" requires",
        key: first.key, place: first.place, isLeftOut: first.location != .header)
    ]
  }

  // MARK: - Body

  private func bodyBreaches(of request: Request, _ parts: RequestParts) -> [Breach] {
    guard let body else { return [] }
    func breach(_ message: String) -> [Breach] {
      [Breach(message: message, key: "body", place: body.place)]
    }
    if request.body.isEmpty {
      return body.isRequired ? breach("no request body, which is required") : []
    }
    let written = request.headerValue("content-type")
    let type = MediaType(written ?? "application/json")
    let rule = body.rules.first { rule in
      let own = MediaType(rule.mediaType)
      return own.name == type.name || own.name.contains("*")
        || written == nil && own.isJSON && type.isJSON
    }
    guard let rule else {
      guard !body.rules.isEmpty else { return [] }
      return breach(
        "found a request body of \(type.name.shown), expected"
          + " \(body.rules.map(\.mediaType.shown).joined(separator: " or "))")
    }
    guard let schema = rule.rule?.schema, let json = parts.json else { return [] }
    return schema.complaints(about: json, max: 20).flatMap { complaint in
      let spot = complaint.instancePointer.tokens.isEmpty ? "" : " at \(complaint.instancePointer)"
      return breach("request body\(spot): \(complaint.message)")
    }
  }
}

extension DocumentedOperation.Parameter {
  /// As contracts write it: `query.page`.
  fileprivate var key: String { "\(location.rawValue).\(name)" }
  fileprivate var words: String { "\(location.rawValue) parameter \(name.shown)" }
}

extension DocumentedOperation.Credential {
  /// The key of the part that carries it, as contracts write it: `header.Cookie` for a cookie.
  fileprivate var key: String {
    switch location {
    case .query, .header: "\(location.rawValue).\(name)"
    case .cookie: "header.Cookie"
    }
  }

  fileprivate var words: String {
    switch location {
    case .query: "query parameter \(name.shown)"
    case .header, .cookie: "\(location.rawValue) \(name.shown)"
    }
  }
}

extension RequestParts {
  fileprivate var cookieNames: [String] {
    headerValues("cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      pair.split(separator: "=").first.map { String($0.drop { $0 == " " }) }
    }
  }
}
