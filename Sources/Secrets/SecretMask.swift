import UnderstudyCore
import UnderstudyJSON

/// Hides secrets in everything shown, printed or stored: values with secret names, texts in the
/// form of a credential, and secrets that were sent, in any spelling.
///
/// The only mask for the request log, the console, recordings, captured responses and reports. The
/// target recognizes secrets and holds none itself: who sends one gives it to a mask.
///
/// Read this file, then `SecretNames` (which names carry credentials) and `SecretForms` (what
/// credentials look like), then `SecretScanner`, which goes through any text once and whose
/// extensions each know a syntax. `SecretText` finds the secrets that were sent, with the escapes
/// of `TextEscape`. `SecretVariables` is about environment variables.
///
/// Text need not be valid in any syntax, and each byte of it is read at most a few times.
package struct SecretMask: Sendable {
  /// What replaces a secret.
  package static let mark = SecretText.mark
  /// What replaces a secret in JSON: a string, also in place of a number.
  package static let quotedMark = "\"\(mark)\""
  /// Without additional names or sent secrets.
  package static let standard = SecretMask()

  /// Shorter secrets would occur in ordinary words.
  private static let secretBytesMin = 4
  /// A value that was only seen may be an ordinary word, such as a test password, unless it is at
  /// least this long.
  private static let seenBytesMin = 8

  package let names: SecretNames
  /// As sent.
  private let texts: Set<String>
  /// Secrets that are hidden only as whole words.
  private let words: Set<String>
  private let secrets: SecretTexts

  /// - Parameters:
  ///   - secrets: known secrets; those shorter than four bytes are not searched for.
  ///   - seen: values found where secrets belong; those shorter than eight bytes are hidden only as
  ///     whole words, and never as numbers.
  ///   - names: additional names whose values are secrets.
  package init(
    secrets: some Sequence<String> = [String](), seen: some Sequence<String> = [String](),
    names: [String] = []
  ) {
    self.init(secrets, seen, SecretNames(adding: names))
  }

  private init(
    _ secrets: some Sequence<String>, _ seen: some Sequence<String>, _ names: SecretNames
  ) {
    self.names = names
    let known = (secrets + seen.filter { $0.utf8.count >= Self.seenBytesMin })
      .filter { $0.utf8.count >= Self.secretBytesMin }
    let texts = Set(known)
    let words = Set(seen.filter { $0.utf8.count >= Self.secretBytesMin }).subtracting(texts)
    let sorted = texts.union(words).sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
      .flatMap { SecretText.forms(of: $0, isWord: words.contains($0)) }
    (self.texts, self.words, self.secrets) = (texts, words, SecretTexts(sorted))
  }

  package func adding(seen: [String]) -> SecretMask {
    SecretMask(texts, words.union(seen), names)
  }

  /// The parts of a header's value that are secrets by themselves: a token may be echoed without
  /// the word before it.
  package static func parts(of value: String) -> [String] {
    var pieces = value.split(whereSeparator: { $0 == " " || $0 == ";" })
    // `Bearer` is not a secret.
    if pieces.count > 1, pieces[0].allSatisfy(\.isLetter) { pieces.removeFirst() }
    let cookies = pieces.compactMap { piece in
      piece.firstIndex(of: "=").map { piece[piece.index(after: $0)...] }
    }
    var parts = [value] + (pieces + cookies).map(String.init)
    // `user:password`, and the password.
    if value.lowercased().hasPrefix("basic "), let text = pieces.last?.utf8.decodedBase64() {
      let password = text.drop { $0 != .colon }.dropFirst()
      parts += [text[...], password].map { String(decoding: $0, as: UTF8.self) }
    }
    return parts
  }

  /// The parts of a header's value that are secret. A cookie is, if its name is that of a
  /// credential or its value is long and looks random. Others hold words, such as `theme=dark`,
  /// which are hidden only in their own place.
  package static func parts(of value: String, inHeader name: String) -> [String] {
    let isSet = name.lowercased() == "set-cookie"
    guard isSet || name.lowercased() == "cookie" else { return parts(of: value) }
    let pairs = value.split(separator: ";").prefix(isSet ? 1 : .max)
    return pairs.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let (name, value) = (parts[0].filter { $0 != " " }, String(parts[1]))
      let bytes = Array(value.utf8)
      let isCredential =
        SecretNames.standard.hides(name, value, in: .parameter)
        || SecretNames.Rule.random.hides(bytes[...])
        || bytes.count >= digitsMin && bytes.allSatisfy(\.isDigit)
      return isCredential ? value : nil
    }
  }

  /// So many digits are not a number that occurs elsewhere.
  private static let digitsMin = 16

  // MARK: - Sent secrets

  /// A text without the secrets that were sent; everything else is unchanged.
  package func withoutSent(_ text: String) -> String {
    withoutSent(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// `nil` when there are none.
  private func withoutSent(_ text: [UInt8]) -> [UInt8]? {
    guard !secrets.isEmpty else { return nil }
    var output = EditedBytes(of: text)
    var offset = 0
    while offset < text.count {
      if secrets.mayBegin[Int(text[offset])], let range = secrets.range(in: text, from: offset) {
        output.replace(max(range.lowerBound, output.end)..<range.upperBound, by: Self.mark.utf8)
        offset = range.upperBound
      } else {
        offset += 1
      }
    }
    return output.finish()
  }

  // MARK: - Texts

  package func masked(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard let masked = scanned(bytes, Self.quotedMark) else { return withoutSent(text) }
    return withoutSent(String(decoding: masked, as: UTF8.self))
  }

  /// The value of the header with this name, masked.
  package func masked(_ value: String, of header: String) -> String {
    names.hides(header, value, in: .field) ? Self.mark : masked(value)
  }

  /// A request target, masked: a path or a URL, with its query.
  package func masked(target: String) -> String {
    let path = target.prefix { $0 != "?" }
    var masked = masked(String(path))
    // A path with escapes may have the secret in another spelling.
    if masked == path, path.utf8.contains(.percent) {
      let decoded = String(decoding: Self.decoded(Array(path.utf8)[...]), as: UTF8.self)
      if self.masked(decoded) != decoded { masked = "/\(Self.mark)" }
    }
    guard path.endIndex < target.endIndex else { return masked }
    return masked + "?" + self.masked(query: String(target[path.endIndex...].dropFirst()))
  }

  /// Names are compared after percent-decoding, as in contracts.
  package func masked(query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.utf8.prefix { $0 != .equals }
      let value = pair.utf8.dropFirst(name.count + 1)
      let plain = Self.decoded(Array(value)[...], plusIsSpace: true)
      let rule = names.rule(of: Self.decoded(Array(name)[...])[...], in: .parameter)
      let isHidden =
        rule == .whole || rule?.hides(plain[...]) ?? false
        || scanned(plain, Self.quotedMark) != nil || withoutSent(plain) != nil
      return isHidden ? "\(Substring(name))=\(Self.mark)" : String(pair)
    }.joined(separator: "&")
  }

  /// Percent-decoded; invalid sequences are kept.
  static func decoded(_ text: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
    let text = Array(text)
    guard text.contains(where: { $0 == .percent || plusIsSpace && $0 == UInt8(ascii: "+") }) else {
      return text
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var offset = 0
    while offset < text.count {
      if text[offset] == .percent, let byte = TextEscape.hex(text, offset + 1, 2) {
        bytes.append(UInt8(truncatingIfNeeded: byte))
        offset += 3
      } else {
        let isSpace = plusIsSpace && text[offset] == UInt8(ascii: "+")
        bytes.append(isSpace ? .space : text[offset])
        offset += 1
      }
    }
    return bytes
  }

  /// Whether a text has the form of a credential, whatever its name.
  package static func looksSecret(_ bytes: [UInt8]) -> Bool {
    var (offset, deadEnd) = (0, 0)
    while let next = SecretForm.nextStart(in: bytes, from: offset) {
      offset = next
      // Forms that begin alike are tried at the same place.
      let known = deadEnd
      for form in SecretForm.candidates(in: bytes, at: offset)
      where offset >= known || form.steps.count < 2 {
        switch form.match(bytes, at: offset) {
        case .found: return true
        case .deadEnd(let end): deadEnd = max(deadEnd, end)
        case .none: break
        }
      }
      if SecretForm.privateKey(bytes, at: offset) != nil { return true }
      offset += 1
    }
    return false
  }

  func scanned(_ bytes: [UInt8], _ number: String) -> [UInt8]? {
    SecretScanner.masked(bytes, by: names, number: Array(number.utf8))
  }

  // MARK: - Bodies

  /// A body, masked according to its `Content-Type`; the mark alone, if it is UTF-16 with a secret.
  ///
  /// - Parameters:
  ///   - namedNumber: replaces a JSON number with a secret name; by default a number.
  ///   - number: replaces a number that was sent as a secret; others stay.
  package func masked(
    _ body: [UInt8], of contentType: String, namedNumber: String = "0",
    number: String = quotedMark
  ) -> [UInt8] {
    guard !body.isEmpty else { return body }
    let kind = String(
      decoding: contentType.utf8.prefix { $0 != .semicolon }.filter { $0 != .space }
        .map { $0.isUppercase ? $0 | 0x20 : $0 }, as: UTF8.self)
    if let text = body.textOfUTF16(contentType),
      masked(text, of: kind, namedNumber: namedNumber, number: number) != text
    {
      return Array(Self.mark.utf8)
    }
    var named = body
    if kind == "multipart/form-data" {
      named = masked(multipart: body, namedNumber)
    } else {
      if kind == "application/x-www-form-urlencoded", !Self.isJSON(body),
        let form = String(validating: body, as: UTF8.self)
      {
        named = Array(masked(query: form).utf8)
      }
      named = scanned(named, namedNumber) ?? named
    }
    guard !secrets.isEmpty else { return named }
    guard JSONDocument(valid: named) != nil else { return withoutSent(named) ?? named }
    return withoutSent(json: named, number: Array(number.utf8)) ?? named
  }

  /// Some clients declare everything as a form, such as JSON sent by `curl -d`.
  private static func isJSON(_ body: [UInt8]) -> Bool {
    let first = body.first { $0 > .space }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Whether binary data contains a secret.
  package func isIn(_ bytes: [UInt8]) -> Bool {
    withoutSent(bytes) != nil || Self.looksSecret(bytes)
  }

  /// Masks each string, names included; everything between strings keeps its layout. `nil` when
  /// there is nothing to mask.
  private func withoutSent(json bytes: [UInt8], number: [UInt8]) -> [UInt8]? {
    var output = EditedBytes(of: bytes)
    var offset = 0
    while offset < bytes.count {
      let start = offset
      switch bytes[offset] {
      case .quote:
        offset += 1
        while offset < bytes.count, bytes[offset] != .quote {
          offset += bytes[offset] == .backslash ? 2 : 1
        }
        offset = min(offset + 1, bytes.count)
        if let string = withoutSent(string: bytes[start..<offset]) {
          output.replace(start..<offset, by: string)
        }
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        let end = bytes[start...].firstIndex { $0 <= .space || ",]}".utf8.contains($0) }
        offset = end ?? bytes.count
        if texts.contains(String(decoding: bytes[start..<offset], as: UTF8.self)) {
          output.replace(start..<offset, by: number)
        }
      default: offset += 1
      }
    }
    return output.finish()
  }

  /// A string without secrets keeps its spelling.
  private func withoutSent(string token: ArraySlice<UInt8>) -> [UInt8]? {
    guard token.count > Self.secretBytesMin else { return nil }
    let text =
      token.contains(.backslash)
      ? JSONDocument(valid: Array(token))?.root.string ?? ""
      : String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
    guard let masked = withoutSent(Array(text.utf8)) else { return nil }
    var writer = JSONWriter()
    writer.string(String(decoding: masked, as: UTF8.self))
    return writer.bytes
  }
}
