import UnderstudyContractModel
import UnderstudyCore

/// The kinds of bodies that are compared by their fields, not as a whole.
package enum SentForm: Sendable {
  /// `application/x-www-form-urlencoded`
  case fields
  /// `multipart/form-data`
  case parts
  /// `multipart/mixed` and the like: no condition says anything about them.
  case otherParts

  package init?(_ body: [UInt8], contentType: String) {
    let type = contentType.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
    switch type {
    case "multipart/form-data": self = .parts
    case _ where type.hasPrefix("multipart/"): self = .otherParts
    case "application/x-www-form-urlencoded":
      // Some clients declare everything as a form, such as JSON sent by `curl -d`.
      let first = body.first { $0 > .space }
      guard let first, first != .openBrace, first != .openBracket else { return nil }
      self = .fields
    default: return nil
    }
  }

  /// The body with the same boundary in every request, since clients invent one each time.
  static func withUsualBoundary(_ body: [UInt8]) -> [UInt8] {
    let usual = "--form-boundary".utf8
    guard body.starts(with: "--".utf8), let lineEnd = body.firstRange(ofBytes: "\r\n".utf8),
      !body.contains(bytes: usual)
    else { return body }
    let lineBreak = Array("\r\n".utf8)
    return Array(usual)
      + Array(body[lineEnd.lowerBound...]).replacing(
        bytes: lineBreak + body[..<lineEnd.lowerBound], with: lineBreak + usual)
  }
}
