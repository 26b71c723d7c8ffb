import UnderstudyContractModel
import UnderstudyJSON
import UnderstudySecrets

/// The body of a live answer as a contract has it.
enum RecordedBody {
  case none
  /// Secrets masked.
  case json(JSONDocument)
  case text(String)
  /// Few bytes that are no text.
  case base64([UInt8])
  /// Too large to be read beside a request, or no text.
  case file([UInt8], suffix: String)

  private static let textBytesMax = 16 << 10
  private static let base64BytesMax = 512

  init(of answer: LiveAnswer, mask: SecretMask) {
    guard !answer.body.isEmpty, answer.status != 204, answer.status != 304 else {
      self = .none
      return
    }
    let type = answer.contentType
    // Types stay what they are.
    let bytes = mask.masked(answer.body, of: type, number: "0")
    if !Self.isOfLines(type), let document = try? JSONDocument(parsing: bytes),
      MediaType(type).isJSON || document.root.kind == .object || document.root.kind == .array
    {
      self = .json(document)
    } else if let text = String(validating: bytes, as: UTF8.self), !Self.hasControls(bytes) {
      self =
        bytes.count <= Self.textBytesMax
        ? .text(text) : .file(bytes, suffix: Self.suffix(of: type) ?? "txt")
    } else if bytes.count <= Self.base64BytesMax {
      self = .base64(bytes)
    } else {
      self = .file(bytes, suffix: Self.suffix(of: type) ?? "bin")
    }
  }

  /// Whether nothing in it can be masked.
  static func isOpaque(_ answer: LiveAnswer) -> Bool {
    String(validating: answer.body, as: UTF8.self) == nil || hasControls(answer.body)
  }

  /// Whether a body is one JSON text a line, of which one alone is JSON, too.
  private static func isOfLines(_ type: String) -> Bool {
    ["ndjson", "jsonl", "json-lines", "json-seq", "json-stream", "stream+json"]
      .contains { type.contains($0) }
  }

  /// As a fake sends it.
  var bytes: [UInt8] {
    switch self {
    case .none: []
    case .json(let document): document.root.compact
    case .text(let text): Array(text.utf8)
    case .base64(let bytes), .file(let bytes, _): bytes
    }
  }

  var json: JSONDocument? { if case .json(let document) = self { document } else { nil } }

  private static func hasControls(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
  }

  /// Of `image/svg+xml; charset=utf-8` it is `svg`.
  private static func suffix(of contentType: String) -> String? {
    let known = ["jpeg": "jpg", "plain": "txt", "javascript": "js", "octet-stream": "bin"]
    let subtype = contentType.prefix { $0 != ";" }.split(separator: "/").dropFirst().first
    guard let word = subtype?.prefix(while: { $0 != "+" }) else { return nil }
    let slug = String(String(word).slug.prefix(16))
    return slug.isEmpty ? nil : known[slug] ?? slug
  }
}

extension LiveAnswer {
  /// In small letters; empty if there is none.
  fileprivate var contentType: String {
    headers.first { $0.name.lowercased() == "content-type" }?.value.lowercased() ?? ""
  }
}
