package import UnderstudyCore

/// A part of a form in several parts, `multipart/form-data` (RFC 7578).
package struct BodyPart {
  package let name: String?
  package let filename: String?
  var contentType: String? { headers["content-type"] }
  /// By their names in lower case.
  let headers: [String: String]
  package let body: RequestBody

  /// The parts, up to the first that is not as the RFC has them. The boundary is the first line.
  package static func all(in bytes: [UInt8], at now: Moment = .now) -> [BodyPart] {
    guard bytes.starts(with: "--".utf8), let lineEnd = bytes.firstRange(ofBytes: "\r\n".utf8) else {
      return []
    }
    let boundary = Array("\r\n".utf8) + bytes[..<lineEnd.lowerBound]
    var parts: [BodyPart] = []
    // The line break before the first boundary is the only one that may be missing.
    var rest = bytes[lineEnd.lowerBound...]
    while rest.starts(with: "\r\n".utf8), let end = rest.dropFirst(2).firstRange(ofBytes: boundary)
    {
      guard let part = BodyPart(rest.dropFirst(2)[..<end.lowerBound], at: now) else { break }
      parts.append(part)
      rest = rest[end.upperBound...]
    }
    return parts
  }

  private init?(_ bytes: ArraySlice<UInt8>, at now: Moment) {
    let blank = "\r\n\r\n".utf8
    guard let headEnd = bytes.firstRange(ofBytes: blank) else { return nil }
    var fields: [String: String] = [:]
    let head = String(decoding: bytes[..<headEnd.lowerBound], as: UTF8.self)
    for line in head.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      fields[line[..<colon].lowercased()] = String(
        line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
    }
    let parameters = Self.parameters(of: fields["content-disposition"] ?? "")
    name = parameters["name"]
    filename = parameters["filename"]
    headers = fields
    body = RequestBody(
      Array(bytes[headEnd.upperBound...]), codings: fields["content-encoding"].map { [$0] } ?? [],
      at: now)
  }

  /// The parameters behind `form-data`: `name="photo"; filename="a.png"`.
  private static func parameters(of disposition: String) -> [String: String] {
    var parameters: [String: String] = [:]
    var rest = disposition[...].drop { $0 != ";" }
    while let start = rest.firstIndex(where: { $0 != ";" && $0 != " " }) {
      let name = rest[start...].prefix { $0 != "=" && $0 != ";" }
      rest = rest[name.endIndex...]
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst()
      var value = ""
      if rest.first == "\"" {
        rest = rest.dropFirst()
        while let next = rest.popFirst(), next != "\"" {
          // Browsers write a quote as %22, others as \".
          value.append(next == "\\" && rest.first == "\"" ? rest.removeFirst() : next)
        }
        rest = rest.drop { $0 != ";" }
      } else {
        value = String(rest.prefix { $0 != ";" })
        rest = rest.drop { $0 != ";" }
      }
      if parameters[name.lowercased()] == nil { parameters[name.lowercased()] = value }
    }
    return parameters
  }
}
