import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// The body of a message in a HAR, decoded.
struct HARBody {
  private(set) var bytes: [UInt8] = []
  /// The media type that the HAR gives beside the headers.
  private(set) var type: String?
  /// Whether it was decoded to text, so that its charset no longer matters.
  private(set) var isText = false
  private(set) var widening: String?

  /// A request's body. Fields of a form stand for its text where the file does not have that.
  init(sentIn request: JSONValue) {
    guard let data = request["postData"], data.kind == .object else { return }
    type = data["mimeType"]?.string
    let type = type.flatMap { $0.isEmpty ? nil : $0 } ?? Self.contentType(of: request)
    if let text = data["text"]?.string, !text.isEmpty {
      let isEncoded = data["encoding"]?.string?.lowercased() == "base64"
      bytes = isEncoded ? Base64.decode(text) ?? Array(text.utf8) : Array(text.utf8)
    }
    let form = SentForm(bytes, contentType: type)
    let isReadable = form == .parts ? !BodyPart.all(in: bytes).isEmpty : !bytes.isEmpty
    if !isReadable, let fields = data["params"], fields.count > 0 {
      if let written = HARForm.bytes(of: fields, type: type) {
        (bytes, self.type) = (written, type)
      } else {
        widening = "the file has the fields of a form, but its type is \(type.quotedAndCut)"
      }
    } else if form == .parts, !isReadable {
      widening = "a multipart body is not compared: its parts cannot be read"
    }
    if form == .otherParts {
      widening = "a multipart body is not compared: its boundary is different each time"
    }
  }

  private static func contentType(of request: JSONValue) -> String {
    let fields = request["headers"]?.elements ?? JSONValue.null.elements
    return fields.first { $0["name"]?.string?.lowercased() == "content-type" }?["value"]?.string
      ?? "application/x-www-form-urlencoded"
  }

  /// A response's body. Fails where there was one that the file does not have.
  init(receivedIn response: JSONValue, status: Int) throws(HAREntry.Unusable) {
    let content = response["content"]
    type = content?["mimeType"]?.string.flatMap {
      $0.utf8.contains(bytes: "x-unknown".utf8) ? nil : $0
    }
    let size = max(content?["size"]?.int ?? 0, response["bodySize"]?.int ?? 0)
    guard let text = content?["text"]?.string, !text.isEmpty else {
      guard size <= 0 || status == 204 || 300..<400 ~= status else {
        throw HAREntry.Unusable(reason: "the file does not have its body")
      }
      return
    }
    guard content?["encoding"]?.string?.lowercased() == "base64" else {
      bytes = Array(text.utf8)
      isText = true
      return
    }
    guard let decoded = Base64.decode(text) else {
      throw HAREntry.Unusable(reason: "its body is not valid Base64")
    }
    bytes = decoded
  }
}
