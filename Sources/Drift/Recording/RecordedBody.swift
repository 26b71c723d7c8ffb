import ContractModel
import JSON

/// The body of a live answer as a contract has it.
enum RecordedBody {
  case none
  /// Secrets masked.
  case json(JSONDocument)
  case text(String)
  case base64(String)
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
    if let document = try? JSONDocument(parsing: bytes),
      type.contains("json") || document.root.kind == .object || document.root.kind == .array
    {
      self = .json(document)
    } else if let text = String(validating: bytes, as: UTF8.self), !Self.hasControls(bytes) {
      self =
        bytes.count <= Self.textBytesMax
        ? .text(text) : .file(bytes, suffix: Self.suffix(of: type) ?? "txt")
    } else if bytes.count <= Self.base64BytesMax {
      self = .base64(Base64.encode(bytes))
    } else {
      self = .file(bytes, suffix: Self.suffix(of: type) ?? "bin")
    }
  }

  /// Whether nothing in it can be masked.
  static func isOpaque(_ answer: LiveAnswer) -> Bool {
    String(validating: answer.body, as: UTF8.self) == nil || hasControls(answer.body)
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
