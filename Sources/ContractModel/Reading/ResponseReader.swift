import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Reads the response of a case and checks its body against its schema.
struct ResponseReader {
  private static let bodyKeys = ["body", "text", "base64", "file", "events"]
  /// What a response may have of its own.
  private static let ownKeys =
    ["status", "headers"] + bodyKeys + [
      "schema", "version", "framing", "encoding", "ranges", "etag", "template",
    ]
  private static let textKeys = ["text", "base64", "file"]
  /// What a fault without a response leaves no room for.
  private static let unservedKeys =
    ["like"] + ownKeys + ["malform", "stall", "pace"]
  /// What a fault in the handshake leaves no room for.
  private static let requestKeys = ["when", "then", "delay", "callbacks"]

  let complaints: Complaints
  let bodyFile: (String) -> Result<[UInt8], Failure>

  /// `nil` for a fault without a response, or without a valid status.
  func read(
    _ fields: Fields, like base: Response?, hasBrokenLike: Bool, fault: Fault?
  ) -> Response? {
    if let fault, !fault.servesResponse {
      let early = fault.isInHandshake ? Self.requestKeys : []
      if let key = fields.first(of: early + Self.unservedKeys) {
        fields.complain(
          .conflictingKeys, key,
          "\"\(key)\" has no effect beside \(fault.rawValue), which "
            + (fault.isInHandshake
              ? "comes before any request and response" : "sends no response"),
          fix: "remove \"\(key)\"")
      }
      return nil
    }
    if let base, base.isCopied, fields.first(of: Self.ownKeys) == nil { return base }
    let status = fields.int("status", in: 200...599, "a status from 200 to 599") ?? base?.status
    let (body, bodyBytes) =
      body(fields, by: Self.bodyKeys) ?? (base?.body ?? .none, base?.bodyBytes ?? [])
    let schema = schema(fields, like: base)
    guard let status else {
      let hasBrokenFault = fault == nil && fields.has("fault")
      if !fields.has("status"), !hasBrokenLike, !hasBrokenFault {
        complaints.add(
          .missingKey, at: fields.source, "missing \"status\" in a case",
          fix: "add \"status\", or \"like\" with the name of another case")
      }
      return nil
    }
    let version = fields.choice("version") ?? Response.Version.http11
    let parts = fields["template"].map { templatedParts($0, fields) }
    let response = Response(
      status: status, headers: headers(fields, like: base), body: body, bodyBytes: bodyBytes,
      schema: schema, version: version,
      framing: fields.choice("framing") ?? body.framing(in: version),
      encoding: fields.choice("encoding"), hasRanges: fields.bool("ranges") ?? false,
      hasTag: fields.bool("etag") ?? false, templatedParts: parts ?? base?.templatedParts ?? [])
    if response.version == .http10, response.framing == .chunked {
      fields.complain(
        .badValue, "framing", "HTTP/1.0 does not support chunked framing",
        fix: "use \"close\" or \"length\"")
    }
    if fault == .connectionClosedInBody, response.framing == .close {
      fields.complain(
        .badValue, "framing", "the response has no length, so its early end goes unnoticed",
        fix: "use \"length\" or \"chunked\"")
    }
    checkBody(of: response, fields)
    return response
  }

  func templatedParts(
    _ value: JSONValue, _ fields: Fields
  ) -> Set<Response.TemplatedPart> {
    if value.kind != .array { _ = fields.strings("template") }
    return Set(value.elements.compactMap { fields.choice($0) })
  }

  /// `nil` when the case has no body of its own.
  func body(
    _ fields: Fields, by keys: [String]
  ) -> (Response.Body, [UInt8])? {
    fields.atMostOne(of: keys)
    guard let key = fields.first(of: keys) else { return nil }
    if key == "body" { return fields["body"].map { (.json($0), $0.compact) } }
    if key == "events" {
      let events = fields[key].map { EventsReader(complaints: complaints).read($0) } ?? []
      return (.events(events), events.flatMap(\.bytes))
    }
    guard let text = fields.string(key) else { return (.none, []) }
    switch key {
    case "text": return (.text(text), Array(text.utf8))
    case "base64":
      if let bytes = Base64.decode(text) { return (.bytes, bytes) }
      fields.complain(.badValue, key, "this is not base64")
      return (.none, [])
    default:
      switch bodyFile(text) {
      case .success(let bytes):
        if let value = fields[key] { SecretScan(complaints: complaints).scan(bytes, at: value) }
        return (.file(path: text), bytes)
      case .failure(let error):
        fields.complain(
          .unreadableFile, key, error.message,
          fix: error.isMissing ? "write its path as seen from the contract's folder" : error.fix)
        return (.none, [])
      }
    }
  }

  /// A schema copied by `like` is for JSON, and is dropped when the case has another body.
  private func schema(
    _ fields: Fields, like base: Response?
  ) -> BodySchema? {
    if let value = fields["schema"] {
      return SchemaReader(complaints: complaints).read(value).map {
        BodySchema(schema: $0, source: value)
      }
    }
    // That of events is for each of them.
    let wasEvents = if case .events? = base?.body { true } else { false }
    let isOther = wasEvents ? fields.has("body") : fields.has("events")
    return isOther || fields.first(of: Self.textKeys) != nil ? nil : base?.schema
  }

  private func checkBody(of response: Response, _ fields: Fields) {
    guard let schema = response.schema, fields.first(of: ["body", "events", "schema"]) != nil else {
      return
    }
    switch response.body {
    case .json(let body): check(body, against: schema, of: response, in: nil)
    case .file(let path): check(path, against: schema, of: response, fields)
    case .events(let events) where events.contains(where: \.isJSON):
      for event in events where event.isJSON {
        if let data = event.source["data"] { check(data, against: schema, of: response, in: nil) }
      }
    default:
      fields.complain(
        .schemaMismatch, "schema", "the case has a schema, but no JSON \"body\"",
        fix: "remove the schema, or write the response as \"body\"")
    }
  }

  private func check(
    _ path: String, against schema: BodySchema, of response: Response, _ fields: Fields
  ) {
    let place = fields["file"] ?? schema.source
    do throws(JSONError) {
      let body = try JSONDocument(parsing: response.bodyBytes).root
      check(body, against: schema, of: response, in: (path, place))
    } catch {
      complaints.add(
        .schemaMismatch, at: place,
        "\(path) has a schema, but is not valid JSON: at \(error.position)"
          + " \(error.message.visible)",
        fix: "correct the file, or remove the schema")
    }
  }

  /// - Parameter file: the body's own file, and where it is named.
  private func check(
    _ body: JSONValue, against schema: BodySchema, of response: Response,
    in file: (path: String, place: JSONValue)?
  ) {
    let found = schema.schema.complaints(about: body, max: 5)
    guard !complaints.addIfExhausted(at: file?.place ?? body) else { return }
    for complaint in found {
      let culprit = body.document.root.value(at: complaint.instancePointer)
      if isTemplated(culprit, in: response) { continue }
      let place = file.map { "\($0.path):\(complaint.instancePosition): " } ?? ""
      complaints.add(
        .schemaMismatch, at: file?.place.position ?? complaint.instancePosition,
        "\(place)\(complaint.message): the body does not match its schema",
        fix: "correct the body or the schema at \(schema.source.position)")
    }
  }

  private func isTemplated(_ value: JSONValue?, in response: Response) -> Bool {
    guard response.templatedParts.contains(.body), let text = value?.string else { return false }
    return !Template(text).expressions.isEmpty
  }
}

extension Response {
  /// Whether `like` copies all of it.
  fileprivate var isCopied: Bool {
    version == .http11 && framing == .length && encoding == nil && !hasRanges && !hasTag
  }
}

extension Response.Body {
  /// How its end is marked when the case does not say so.
  fileprivate func framing(in version: Response.Version) -> Response.Framing {
    guard case .events = self else { return .length }
    return version == .http10 ? .close : .chunked
  }
}

extension ResponseReader {
  /// Headers that `framing`, `encoding` and `malform` control.
  private static let managedNames: Set<HeaderName> = [
    "content-length", "transfer-encoding", "content-encoding", "connection", "keep-alive", "date",
    "trailer", "upgrade",
  ]

  /// - Parameter control: the keys that set what the server sets itself, if any do.
  func headers(
    _ fields: Fields, like base: Response?,
    control: String? = "\"framing\", \"encoding\" and \"malform\" control it"
  ) -> [HeaderField] {
    guard let value = fields["headers"] else { return base?.headers ?? [] }
    var own: [HeaderField] = []
    var ownNames: Set<HeaderName> = []
    for member in Fields.named(value, of: "headers by name", complaints) {
      let key = member.key
      guard HeaderText.isName(key) else {
        complaints.add(
          .badName, atKeyOf: member,
          "found header \"\(key)\", expected a name of letters, digits and dashes")
        continue
      }
      let name = HeaderName(key)
      if Self.managedNames.contains(name) {
        complaints.add(
          .badValue, atKeyOf: member,
          "the server sets header \"\(member.key)\" itself",
          fix: "remove it" + (control.map { "; \($0)" } ?? ""))
      }
      if !ownNames.insert(name).inserted {
        complaints.add(
          .duplicateKey, atKeyOf: member,
          "header \"\(member.key)\" is given twice: header names ignore case",
          fix: "write its values as an array under one name")
      }
      values(member.value, of: key) { own.append(HeaderField(name: key, value: $0)) }
    }
    guard let base, !base.headers.isEmpty else { return own }
    return base.headers.filter { !ownNames.contains($0.key) } + own
  }

  private func values(
    _ value: JSONValue, of name: String, found: (String) -> Void
  ) {
    switch value.kind {
    case .null: break
    case .array: for element in value.elements { text(element, of: name).map(found) }
    default: text(value, of: name).map(found)
    }
  }

  private func text(_ value: JSONValue, of name: String) -> String? {
    guard let text = value.string else {
      complaints.add(
        .wrongType, at: value,
        "found \(value.summary), expected string, an array of strings, or null to drop the header",
        fix: value.number.map { "put it in quotes: \"\($0.text)\"" })
      return nil
    }
    guard HeaderText.isValue(text) else {
      complaints.add(
        .badValue, at: value, "the header's value has a control character",
        fix: "a broken header is served by \"fault\": \"MALFORMED_HEADER\"")
      return nil
    }
    SecretScan(complaints: complaints).scan(header: name, value: text, at: value)
    return text
  }
}
