package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyJSON
import UnderstudySecrets

/// The body of a live response as a contract stores it.
package enum RecordedBody {
  case none
  /// With secrets masked.
  case json(JSONDocument)
  case text(String)
  case events([ServerEvent])
  /// A few bytes that are not text.
  case base64([UInt8])
  /// Too large to read beside a request, or not text.
  case file([UInt8], suffix: String, isJSON: Bool)

  private static let jsonBytesMax = 256 << 10
  private static let textBytesMax = 16 << 10
  private static let base64BytesMax = 512

  init(of response: LiveResponse, mask: SecretMask) {
    guard let bytes = Self.masked(response, by: mask) else {
      self = .none
      return
    }
    let type = Self.type(of: response)
    if !Self.isOfLines(type), let document = JSONDocument(valid: bytes),
      MediaType(type).isJSON || document.root.kind == .object || document.root.kind == .array
    {
      self =
        bytes.count <= Self.jsonBytesMax
        ? .json(document) : .file(bytes, suffix: "json", isJSON: true)
    } else if MediaType(type).name == "text/event-stream", bytes.count <= Self.jsonBytesMax,
      let text = bytes.plainText, let events = EventStreamText.events(in: text)
    {
      self = .events(events)
    } else if let text = bytes.plainText {
      self =
        bytes.count <= Self.textBytesMax
        ? .text(text) : .file(bytes, suffix: Self.suffix(of: type) ?? "txt", isJSON: false)
    } else if bytes.count <= Self.base64BytesMax {
      self = .base64(bytes)
    } else {
      self = .file(bytes, suffix: Self.suffix(of: type) ?? "bin", isJSON: false)
    }
  }

  private static func type(of response: LiveResponse) -> String {
    response.header("content-type")?.lowercased() ?? ""
  }

  /// `nil` for a response without a body. Masking keeps JSON types.
  private static func masked(_ response: LiveResponse, by mask: SecretMask) -> [UInt8]? {
    guard !response.body.isEmpty, response.status != 204, response.status != 304 else { return nil }
    return mask.masked(response.body, of: type(of: response), number: "0")
  }

  /// The body of this response as received, with secrets masked; `nil` where there is none.
  func source(of response: LiveResponse, mask: SecretMask) -> [UInt8]? {
    switch self {
    case .none: nil
    case .json(let document): document.bytes
    // Kept without what has no meaning in a stream: comments, and the form of its lines.
    case .events: Self.masked(response, by: mask)
    case .text, .base64, .file: bytes
    }
  }

  /// Whether the type is JSON lines, of which a single line is also valid JSON.
  private static func isOfLines(_ type: String) -> Bool {
    ["ndjson", "jsonl", "json-lines", "json-seq", "json-stream", "stream+json"]
      .contains { type.utf8.contains(bytes: $0.utf8) }
  }

  /// As the fake sends it.
  var bytes: [UInt8] {
    switch self {
    case .none: []
    case .json(let document): document.root.compact
    case .text(let text): Array(text.utf8)
    case .events(let events): events.flatMap(\.bytes)
    case .base64(let bytes), .file(let bytes, _, _): bytes
    }
  }

  /// A file is parsed again each time: kept for every sample, large documents would take too much
  /// memory.
  package var json: JSONDocument? {
    switch self {
    case .json(let document): document
    case .file(let bytes, _, isJSON: true): JSONDocument(valid: bytes)
    default: nil
    }
  }

  var isJSON: Bool {
    switch self {
    case .json, .file(_, _, isJSON: true): true
    default: false
    }
  }

  /// For `image/svg+xml; charset=utf-8` it is `svg`.
  private static func suffix(of contentType: String) -> String? {
    let known = ["jpeg": "jpg", "plain": "txt", "javascript": "js", "octet-stream": "bin"]
    let subtype = contentType.prefix { $0 != ";" }.split(separator: "/").dropFirst().first
    guard let word = subtype?.prefix(while: { $0 != "+" }) else { return nil }
    let slug = String(String(word).slug.prefix(16))
    return slug.isEmpty ? nil : known[slug] ?? slug
  }
}
