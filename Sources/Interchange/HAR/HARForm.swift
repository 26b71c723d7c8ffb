import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// Writes a form as it was sent, where the HAR has only its fields.
enum HARForm {
  /// The bytes of the form with these `postData.params`; `nil` for a body of another type.
  static func bytes(of fields: JSONValue, type: String) -> [UInt8]? {
    switch SentForm(Array("a=b".utf8), contentType: type) {
    case .fields: urlEncoded(fields)
    case .parts: inParts(fields)
    case .otherParts, nil: nil
    }
  }

  private static func urlEncoded(_ fields: JSONValue) -> [UInt8] {
    let pairs = fields.elements.map { field in
      [field["name"], field["value"]].map { PercentEncoding.encode($0?.string ?? "") }
        .joined(separator: "=")
    }
    return Array(pairs.joined(separator: "&").utf8)
  }

  private static func inParts(_ fields: JSONValue) -> [UInt8] {
    let values = fields.elements.map { Array(($0["value"]?.string ?? "").utf8) }
    var boundary = "--fields"
    while values.contains(where: { $0.contains(bytes: boundary.utf8) }) { boundary += "-" }
    var bytes: [UInt8] = []
    for (field, value) in zip(fields.elements, values) {
      var head = "\(boundary)\r\nContent-Disposition: form-data; name=\(quoted(field["name"]))"
      if field["fileName"]?.string != nil { head += "; filename=\(quoted(field["fileName"]))" }
      if let type = field["contentType"]?.string, type.utf8.allSatisfy({ $0 >= 0x20 }) {
        head += "\r\nContent-Type: \(type)"
      }
      bytes += "\(head)\r\n\r\n".utf8 + value + "\r\n".utf8
    }
    return bytes + "\(boundary)--\r\n".utf8
  }

  /// A quoted text as browsers write it, since a head has no line breaks.
  private static func quoted(_ text: JSONValue?) -> String {
    let plain = (text?.string ?? "").replacing("\"", with: "\\\"")
    return "\"\(plain.split(whereSeparator: \.isNewline).joined(separator: " "))\""
  }
}
