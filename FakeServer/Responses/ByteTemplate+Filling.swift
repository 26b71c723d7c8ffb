import UnderstudyCore
import UnderstudyContractModel
import UnderstudyJSON

extension ByteTemplate {
  /// Values that are the same throughout one response.
  struct ResponseValues {
    fileprivate var uuid: String?
    fileprivate var count: Int?
  }

  /// The bytes with all values filled in.
  func filled(
    from request: RequestFacts, at now: ResponseTime, _ values: inout ResponseValues,
    using generator: inout ValueGenerator
  ) -> [UInt8] {
    if let fixedBytes { return fixedBytes }
    var output: [UInt8] = []
    output.reserveCapacity(fixedByteCount + 64)
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): output += bytes
      case .value(let value, let escaping):
        let filling = Filling(value, from: request, at: now, &values, using: &generator)
        filling.append(to: &output, escaping)
      }
    }
    return output
  }
}

/// A value to be filled in.
private enum Filling {
  case missing
  case text(String)
  case number(Int)
  case json(JSONValue)
  /// Text that cases have kept, JSON perhaps.
  case kept(String)
  case list([String])

  init(
    _ value: ByteTemplate.Value, from request: RequestFacts, at now: ResponseTime,
    _ values: inout ByteTemplate.ResponseValues, using generator: inout ValueGenerator
  ) {
    func text(_ text: String?) -> Filling { text.map(Filling.text) ?? .missing }
    func name(_ template: ByteTemplate) -> String {
      let bytes = template.filled(from: request, at: now, &values, using: &generator)
      return String(decoding: bytes, as: UTF8.self)
    }
    switch value {
    case .baseURL(let upstream): self = text(request.baseURL(ofUpstream: upstream))
    case .path(let name): self = text(request.pathValue(name))
    case .query(let name): self = text(request.queryValue(name))
    case .header(let name): self = text(request.headerValue(name))
    case .body(let pointer):
      if let value = request.bodyValue(pointer) {
        self = .json(value)
      } else {
        self = pointer.tokens.isEmpty ? .text(request.bodyText) : .missing
      }
    case .state(let template):
      self = request.stateValue(name(template)).map(Filling.kept) ?? .missing
    case .states(let template):
      self = .list(request.stateValues(beginningWith: name(template)))
    case .uuid:
      let uuid = values.uuid ?? generator.uuid()
      values.uuid = uuid
      self = .text(uuid)
    case .counter:
      let count = values.count ?? generator.nextCount()
      values.count = count
      self = .number(count)
    case .now(let time):
      self =
        switch time.value(at: now.moment) {
        case .text(let text): .text(text)
        case .number(let number): .number(number)
        }
    case .random(let range): self = .number(generator.wholeNumber(in: range))
    }
  }

  func append(to output: inout [UInt8], _ escaping: ByteTemplate.Escaping) {
    switch escaping {
    case .none: output += plain.utf8
    case .headerValue:
      let text = plain.utf8
      let isControl = { (byte: UInt8) in byte < .space || byte == .delete }
      if text.contains(where: isControl) {
        output += text.filter { !isControl($0) }
      } else {
        output += text
      }
    case .jsonString: JSONWriter.appendEscaped(plain, to: &output)
    case .jsonStringWithSlashes:
      var escaped: [UInt8] = []
      JSONWriter.appendEscaped(plain, to: &escaped)
      for byte in escaped {
        if byte == .slash { output.append(.backslash) }
        output.append(byte)
      }
    case .jsonValue: output += asJSON
    case .eventData:
      output += ServerEvent.lines(of: plain).joined(separator: "\ndata: ").utf8
    }
  }

  private var plain: String {
    switch self {
    case .missing: ""
    case .text(let text), .kept(let text): text
    case .number(let number): String(number)
    case .json(let value): value.string ?? String(decoding: value.compact, as: UTF8.self)
    case .list: String(decoding: asJSON, as: UTF8.self)
    }
  }

  /// One JSON value. Text becomes a number, `true`, `false` or `null` if it reads as one, but never
  /// an array or object: a URL cannot add structure to a body. What was kept may be any JSON.
  private var asJSON: [UInt8] {
    switch self {
    case .missing: return Array("null".utf8)
    case .number(let number): return Array(String(number).utf8)
    case .json(let value): return value.compact
    case .kept(let text): return Self.json(text)
    case .list(let texts):
      let elements = texts.map(Self.json).joined(separator: [.comma])
      return [.openBracket] + elements + [.closeBracket]
    case .text(let text):
      guard let value = try? JSONDocument(parsing: text).root else { return Self.quoted(text) }
      return switch value.kind {
      case .number, .boolean, .null: value.compact
      case .string, .array, .object: Self.quoted(text)
      }
    }
  }

  private static func json(_ text: String) -> [UInt8] {
    (try? JSONDocument(parsing: text).root.compact) ?? quoted(text)
  }

  private static func quoted(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes
  }
}
