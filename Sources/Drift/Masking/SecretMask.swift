package import ContractModel
import Findings
import JSON

/// Hides what must not get from a live answer into a file or a report: what carries credentials by
/// its name, texts that look like one, and the secrets that were sent, however they are spelled.
///
/// A text stays a text and a number that a name hides becomes 0, so that types are what they were.
package struct SecretMask: Sendable {
  /// A shorter one is in every word.
  private static let secretBytesMin = 4
  /// What was merely seen may be a word of every day, as a password of a test is, unless it is as long
  /// as this.
  private static let seenBytesMin = 8

  private let addedNames: [String]
  private let names: Redaction
  private let parameterNames: Redaction
  /// As they were sent.
  private let texts: Set<String>
  /// Those that are hidden only where they stand by themselves.
  private let words: Set<String>
  /// All of them, the longest first.
  private let secrets: [SecretText]
  /// The bytes that one of them may begin with.
  private let beginnings: [Bool]

  /// - Parameters:
  ///   - secrets: what is known to be one; shorter ones than four bytes are not looked for.
  ///   - seen: what stood where secrets do; shorter ones than eight bytes are hidden only where they
  ///     stand by themselves, and never as numbers.
  ///   - names: more names whose values are secrets.
  package init(
    secrets: some Sequence<String>, seen: some Sequence<String> = [], names: [String] = []
  ) {
    addedNames = names
    self.names = .ofAnswers(adding: names)
    parameterNames = .ofAnswers(adding: names + Redaction.parameterNames)
    let known = (secrets + seen.filter { $0.utf8.count >= Self.seenBytesMin })
      .filter { $0.utf8.count >= Self.secretBytesMin }
    let texts = Set(known)
    let words = Set(seen.filter { $0.utf8.count >= Self.secretBytesMin }).subtracting(texts)
    let sorted = texts.union(words).sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
      .map { SecretText($0, isWord: words.contains($0)) }
    (self.texts, self.words, self.secrets) = (texts, words, sorted)
    beginnings = (0...255).map { byte in sorted.contains { $0.canBegin(with: byte) } }
  }

  /// What the upstreams of a run are told.
  init(of upstreams: [LiveUpstream]) {
    self.init(
      secrets: upstreams.flatMap(\.secrets).flatMap { Self.parts(of: $0.value) },
      names: upstreams.flatMap(\.upstream.secrets).map(\.header))
  }

  func adding(seen: [String]) -> SecretMask {
    SecretMask(secrets: texts, seen: words.union(seen), names: addedNames)
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

  // MARK: - What was sent

  /// A text without the secrets that were sent; whatever else is in it stays.
  func withoutSent(_ text: String) -> String {
    withoutSent(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// What is said of a check, for upstreams tell of the secrets they were shown.
  func withoutSent(_ check: Check) -> Check {
    secrets.isEmpty ? check : check.mapText { withoutSent($0) }
  }

  /// `nil` when there is none.
  private func withoutSent(_ text: [UInt8]) -> [UInt8]? {
    guard !secrets.isEmpty else { return nil }
    var output: [UInt8] = []
    var (offset, hasHidden) = (0, false)
    while offset < text.count {
      if beginnings[Int(text[offset])],
        let end = secrets.lazy.compactMap({ $0.end(in: text, from: offset) }).first
      {
        hasHidden = true
        output += Redaction.mask.utf8
        offset = end
      } else {
        output.append(text[offset])
        offset += 1
      }
    }
    return hasHidden ? output : nil
  }

  // MARK: - All of it

  package func masked(_ text: String) -> String {
    if Redaction.looksSecret(text) { return Redaction.mask }
    return withoutSent(redacted(addressesIn: text))
  }

  func masked(_ answer: LiveAnswer) -> LiveAnswer {
    LiveAnswer(
      status: answer.status, headers: masked(answer.headers),
      body: masked(answer.body, of: answer.header("content-type") ?? ""),
      latency: answer.latency, wholeAt: answer.wholeAt)
  }

  func masked(_ headers: [HeaderField]) -> [HeaderField] {
    headers.map { field in
      let value = names.hides(field.name) ? Redaction.mask : masked(field.value)
      return HeaderField(name: field.name, value: value)
    }
  }

  /// - Parameter number: what becomes of a number that was sent as a secret; others stay.
  func masked(
    _ body: [UInt8], of contentType: String, number: String = Redaction.mask.quoted
  ) -> [UInt8] {
    let isForm = contentType.lowercased().hasPrefix("application/x-www-form-urlencoded")
    let named = (isForm ? parameterNames : names).redacted(
      body, of: contentType, number: "0")
    if (try? JSONDocument(parsing: named)) != nil {
      return masked(json: named, number: Array(number.utf8))
    }
    guard let text = String(validating: named, as: UTF8.self) else {
      return withoutSent(named) ?? named
    }
    let masked = masked(text)
    return masked == text ? named : Array(masked.utf8)
  }

  /// Whether bytes that are no text have a secret in them.
  func isIn(_ bytes: [UInt8]) -> Bool {
    withoutSent(bytes) != nil || Redaction.looksSecret(String(decoding: bytes, as: UTF8.self))
  }

  /// Every address in a text loses what its query and its fragment hide.
  private func redacted(addressesIn text: String) -> String {
    let bytes = text.utf8
    guard bytes.contains(UInt8(ascii: "=")), !bytes.contains(UInt8(ascii: "\n")),
      bytes.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    else { return text }
    return text.split(separator: "#", omittingEmptySubsequences: false).enumerated()
      .map { offset, part in
        let part = parameterNames.redacted(target: String(part))
        return offset > 0 && !part.contains("?") ? parameterNames.redacted(query: part) : part
      }.joined(separator: "#")
  }

  /// String after string, names too; all between them stays as it was laid out.
  private func masked(json bytes: [UInt8], number: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var offset = 0
    while offset < bytes.count {
      let start = offset
      switch bytes[offset] {
      case .quote:
        offset = bytes.endOfString(from: start)
        output += masked(string: bytes[start..<offset])
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        let end = bytes[start...].firstIndex { $0 <= .space || ",]}".utf8.contains($0) }
        offset = end ?? bytes.count
        let token = bytes[start..<offset]
        output += texts.contains(String(decoding: token, as: UTF8.self)) ? number[...] : token
      default:
        output.append(bytes[start])
        offset += 1
      }
    }
    return output
  }

  /// What hides nothing keeps its spelling.
  private func masked(string token: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard token.count > Self.secretBytesMin else { return token }
    let text =
      token.contains(.backslash)
      ? (try? JSONDocument(parsing: Array(token)))?.root.string ?? ""
      : String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
    let masked = masked(text)
    return masked == text ? token : Array(masked.quoted.utf8)[...]
  }
}

extension Redaction {
  /// What is kept is for everybody, so more is hidden than in what a server prints.
  private static let endings = [
    "token", "secret", "session", "session-id", "signature", "api-key", "access-key", "password",
  ]
  /// `key` is a secret in a query, and a member of many a body.
  static let parameterNames = ["key", "sig"]

  /// The names of headers and members.
  package static let ofAnswers = ofAnswers(adding: [])
  static let ofParameters = ofAnswers(adding: parameterNames)

  static func ofAnswers(adding names: [String]) -> Redaction {
    Redaction(adding: names, endings: endings)
  }
}
