import ContractModel
import JSON

/// Hides what must not get from a live answer into a file: members and headers that carry
/// credentials by their name, texts that look like one, and the secrets that were sent.
package struct SecretMask: Sendable {
  /// A file is for everybody, so more is hidden than in what is printed.
  private static let endings = [
    "token", "secret", "session", "session-id", "signature", "api-key", "access-key", "password",
  ]
  private static let redaction = Redaction(adding: [], endings: endings)
  /// `key` is a secret in a query, and a member of many a body.
  private static let queryRedaction = Redaction(adding: ["key", "sig"], endings: endings)

  /// The longest first.
  private let secrets: [String]

  /// Secrets of less than six letters are not looked for: they stand in too much else. Others are
  /// found in URLs, too.
  package init(secrets: [String]) {
    let found = Set(secrets.filter { $0.utf8.count >= 6 })
    self.secrets = found.union(found.map(PercentEncoding.encode))
      .sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
  }

  func adding(_ secrets: [String]) -> SecretMask { SecretMask(secrets: self.secrets + secrets) }

  /// What of a header's value is a secret by itself: a token may be echoed without the word before
  /// it.
  package static func parts(of value: String) -> [String] {
    var pieces = value.split(whereSeparator: { $0 == " " || $0 == ";" })
    // `Bearer` is no secret.
    if pieces.count > 1, pieces[0].allSatisfy(\.isLetter) { pieces.removeFirst() }
    let cookies = pieces.compactMap { piece in
      piece.firstIndex(of: "=").map { piece[piece.index(after: $0)...] }
    }
    return [value] + (pieces + cookies).map(String.init)
  }

  /// Whether a header or a member is a secret by its name.
  package static func hides(_ name: String) -> Bool { redaction.hides(name) }
  static func hides(parameter name: String) -> Bool { queryRedaction.hides(name) }

  package func masked(_ text: String) -> String {
    if Redaction.looksSecret(text) { return Redaction.mask }
    return secrets.reduce(Self.redacted(url: text)) { $0.replacing($1, with: Redaction.mask) }
  }

  /// A text that is no JSON as a whole, but may be a form or have JSON in it.
  func masked(_ text: String, of contentType: String) -> String {
    let isForm = contentType.hasPrefix("application/x-www-form-urlencoded")
    let redaction = isForm ? Self.queryRedaction : Self.redaction
    return masked(
      String(decoding: redaction.redacted(Array(text.utf8), of: contentType), as: UTF8.self))
  }

  /// Whether bytes that are no text have a secret in them.
  func isIn(_ bytes: [UInt8]) -> Bool {
    secrets.contains { bytes.firstRange(of: Array($0.utf8)) != nil }
      || Redaction.looksSecret(String(decoding: bytes, as: UTF8.self))
  }

  /// An address with its query and fragment, wherever it begins in the text; other texts as they are.
  private static func redacted(url text: String) -> String {
    guard text.contains("?") || text.contains("#"), text.contains("="), text.contains("/"),
      !text.contains(where: \.isNewline)
    else { return text }
    return text.split(separator: "#", omittingEmptySubsequences: false).enumerated()
      .map { offset, part in
        let part = queryRedaction.redacted(target: String(part))
        return offset > 0 && !part.contains("?") ? queryRedaction.redacted(query: part) : part
      }.joined(separator: "#")
  }

  /// The values of members that are secrets by their names.
  static func secrets(in document: JSONDocument) -> [String] {
    var secrets: [String] = []
    var pending = [(document.root, false)]
    while let (value, isSecret) = pending.popLast() {
      if isSecret, let text = value.string { secrets.append(text) }
      pending += value.elements.map { ($0, isSecret) }
      pending += value.members.map { ($0.value, isSecret || hides($0.key)) }
    }
    return secrets
  }

  /// The same value with its secrets masked: strings become the mask and numbers 0, so that types
  /// stay what they are.
  func masked(_ document: JSONDocument) -> JSONDocument {
    var writer = JSONWriter()
    write(document.root, isSecret: false, to: &writer)
    return (try? JSONDocument(parsing: writer.bytes)) ?? document
  }

  /// The nesting limit of the parser bounds the recursion.
  private func write(_ value: JSONValue, isSecret: Bool, to writer: inout JSONWriter) {
    switch value.kind {
    case .object:
      writer.object { object in
        for member in value.members {
          object.key(masked(member.key))
          write(member.value, isSecret: isSecret || Self.hides(member.key), to: &object)
        }
      }
    case .array:
      writer.array { array in
        for element in value.elements { write(element, isSecret: isSecret, to: &array) }
      }
    case .string:
      let text = value.string ?? ""
      let masked = isSecret && !text.isEmpty ? Redaction.mask : masked(text)
      // What hides nothing keeps its spelling.
      if masked == text { writer.value(value) } else { writer.string(masked) }
    case .number where isSecret: writer.int(0)
    case .number, .boolean, .null: writer.value(value)
    }
  }
}
