package import ContractModel
import JSON

/// Hides what must not get from a live answer into a file: members and headers that carry
/// credentials by their name, texts that look like one, and the secrets that were sent.
package struct SecretMask: Sendable {
  private let redaction: Redaction
  private let secrets: [String]

  /// Secrets of less than six letters are not looked for: they stand in too much else.
  package init(secrets: [String], redaction: Redaction = Redaction(adding: [])) {
    self.redaction = redaction
    self.secrets = secrets.filter { $0.utf8.count >= 6 }.sorted { $0.utf8.count > $1.utf8.count }
  }

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

  package func hides(_ name: String) -> Bool { redaction.hides(name) }

  package func masked(_ text: String) -> String {
    if Redaction.looksSecret(text) { return Redaction.mask }
    return secrets.reduce(text) { $0.replacing($1, with: Redaction.mask) }
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
          write(member.value, isSecret: isSecret || hides(member.key), to: &object)
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
