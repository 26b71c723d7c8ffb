import Diagnostics
import JSON
import JSONSchema

/// Reads the answer of a case and holds its body against its schema.
struct ResponseReader {
  private static let bodyKeys = ["body", "text", "base64", "file"]
  private static let keys =
    ["like", "status", "headers"] + bodyKeys + ["schema", "version", "framing", "encoding"]

  let complaints: Complaints
  let bodyFile: (String) -> Result<[UInt8], FileError>

  /// `nil` for a fault without an answer, or when no status could be found.
  func read(
    _ fields: Fields, like base: Response?, hasBrokenLike: Bool, fault: Fault?, hasFaultKey: Bool
  ) -> Response? {
    if let fault, !fault.playsAnswer {
      if let key = fields.present(Self.keys + ["malform", "stall", "pace", "template"]).first {
        fields.complain(
          .conflictingKeys, key,
          "found \"\(key)\" beside \(fault.rawValue), which plays nothing of an answer",
          fix: "remove \"\(key)\"")
      }
      return nil
    }
    let status = fields.int("status", in: 100...599, "a status from 100 to 599") ?? base?.status
    let body = body(fields, like: base)
    let schema = schema(fields, like: base, body: body)
    guard let status else {
      if !fields.has("status"), !hasBrokenLike, !hasFaultKey || fault != nil {
        complaints.add(
          .missingKey, at: fields.source, "found a case without \"status\"",
          fix: "add \"status\", or \"like\" with the name of another case")
      }
      return nil
    }
    let parts = fields.strings("template").map { templatedParts($0, fields) }
    let response = Response(
      status: status, headers: headers(fields, like: base), body: body, schema: schema,
      version: fields.choice("version") ?? .http11, framing: fields.choice("framing") ?? .length,
      encoding: fields.choice("encoding"), templatedParts: parts ?? base?.templatedParts ?? [])
    if response.version == .http10, response.framing == .chunked {
      fields.complain(
        .badValue, "framing", "found chunked framing in HTTP/1.0, which has none",
        fix: "use \"close\" or \"length\"")
    }
    checkBody(of: response, fields)
    return response
  }

  private func templatedParts(
    _ names: [String], _ fields: Fields
  ) -> Set<Response.TemplatedPart> {
    Set(
      names.compactMap { name in
        guard let part = Response.TemplatedPart(rawValue: name) else {
          fields.complain(
            .badValue, "template", "found \"\(name)\", expected \"headers\" or \"body\"")
          return nil
        }
        return part
      })
  }

  private func body(_ fields: Fields, like base: Response?) -> Response.Body {
    fields.atMostOne(of: Self.bodyKeys)
    switch fields.present(Self.bodyKeys).first {
    case "body": return fields["body"].map { .json($0) } ?? .none
    case "text": return fields.string("text").map { .text($0) } ?? .none
    case "base64":
      guard let text = fields.string("base64") else { return .none }
      guard let bytes = Base64.decode(text) else {
        fields.complain(.badValue, "base64", "found text that is not base64")
        return .none
      }
      return .bytes(bytes)
    case "file":
      guard let path = fields.string("file") else { return .none }
      switch bodyFile(path) {
      case .success(let bytes): return .file(path: path, bytes: bytes)
      case .failure(let error):
        fields.complain(.unreadableFile, "file", error.message, fix: error.fix)
        return .none
      }
    default: return base?.body ?? .none
    }
  }

  /// A schema that comes with `like` speaks of JSON, and goes when the case has another body.
  private func schema(
    _ fields: Fields, like base: Response?, body: Response.Body
  ) -> BodySchema? {
    if let value = fields["schema"] {
      return SchemaReader(complaints: complaints).read(value).map {
        BodySchema(schema: $0, source: value)
      }
    }
    let hasOtherBody = !fields.present(["text", "base64", "file"]).isEmpty
    return hasOtherBody ? nil : base?.schema
  }

  private func checkBody(of response: Response, _ fields: Fields) {
    guard let schema = response.schema, fields.has("body") || fields.has("schema") else { return }
    guard case .json(let body) = response.body else {
      fields.complain(
        .schemaMismatch, "schema", "found a schema for a case without a JSON \"body\"",
        fix: "remove the schema, or write the answer as \"body\"")
      return
    }
    for complaint in schema.schema.complaints(about: body, max: 5) {
      if isTemplated(body.value(at: complaint.instancePointer), in: response) { continue }
      complaints.add(
        .schemaMismatch, at: complaint.instancePosition,
        "\(complaint.message), at \"\(complaint.instancePointer)\" of a body that must fulfil its schema",
        fix: "correct the body, or the schema at \(schema.source.position)")
    }
  }

  private func isTemplated(_ value: JSONValue?, in response: Response) -> Bool {
    guard response.templatedParts.contains(.body), let text = value?.string else { return false }
    return !Template(text).expressions.isEmpty
  }
}

extension ResponseReader {
  /// Headers that follow from `framing`, `encoding` and `malform`.
  private static let managedNames = [
    "content-length", "transfer-encoding", "content-encoding", "connection", "keep-alive", "date",
    "trailer", "upgrade",
  ]

  private func headers(_ fields: Fields, like base: Response?) -> [HeaderField] {
    var headers = base?.headers ?? []
    guard let value = fields["headers"] else { return headers }
    for member in Fields.named(value, of: "headers by name", complaints) {
      guard isToken(member.key) else {
        complaints.add(
          .badName, at: member.keyPosition,
          "found header \"\(member.key)\", expected a name of letters, digits and dashes")
        continue
      }
      let name = member.key.lowercased()
      if Self.managedNames.contains(name) {
        complaints.add(
          .badValue, at: member.keyPosition,
          "found header \"\(member.key)\", which the server sets itself",
          fix: "remove it; \"framing\", \"encoding\" and \"malform\" decide it")
      }
      headers.removeAll { $0.name.lowercased() == name }
      headers += values(member.value).map { HeaderField(name: member.key, value: $0) }
    }
    return headers
  }

  private func values(_ value: JSONValue) -> [String] {
    if value.isNull { return [] }
    let values = value.kind == .array ? Array(value.elements) : [value]
    return values.compactMap { value in
      guard let text = value.string else {
        complaints.add(
          .wrongType, at: value,
          "found \(value.summary), expected string, an array of strings, or null to drop the header",
          fix: value.number.map { "put it in quotes: \"\($0.text)\"" })
        return nil
      }
      guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        complaints.add(
          .badValue, at: value, "found a control character in a header's value",
          fix: "a broken header is played by \"fault\": \"MALFORMED_HEADER\"")
        return nil
      }
      return text
    }
  }

  private func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
      }
  }
}
