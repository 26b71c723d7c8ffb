import UnderstudyCore

/// Scans any text once and hides credentials in it: values in JSON, XML, HTML, YAML, queries and
/// settings by their names, users in URLs, and tokens by their form.
///
/// It parses only as much as needed to distinguish names from values, so that secrets in cut or
/// broken text are hidden too. Each byte is read at most a few times, whatever the text.
struct SecretScanner {
  let bytes: [UInt8]
  let names: SecretNames
  let number: [UInt8]
  let depth: Int
  let isMarkup: Bool
  private var output: EditedBytes
  /// No form with several steps starts before this place.
  private var deadEnd = 0
  /// How far values were decoded without finding anything to hide.
  var decodedEnd = 0
  /// How many bytes may still be searched for the ends of elements and tags.
  var lookahead: Int
  /// Names of elements without an end.
  var unclosed: Set<ArraySlice<UInt8>> = []
  /// The rules of values whose labels came before, by where their names start.
  var awaited: [Int: SecretNames.Rule] = [:]
  /// How far Base64 was decoded.
  var encodedEnd = 0
  /// How far tags were searched.
  var tagEnd = 0

  private static let depthMax = 4
  static let mark = Array(SecretText.mark.utf8)

  private init(_ bytes: [UInt8], _ names: SecretNames, _ number: [UInt8], _ depth: Int) {
    (self.bytes, self.names, self.number, self.depth) = (bytes, names, number, depth)
    isMarkup = bytes.first { $0 > .space } == .less
    output = EditedBytes(of: bytes)
    lookahead = bytes.count * 4
  }

  /// Up to where something is hidden.
  var hiddenEnd: Int { output.end }

  /// The text without its secrets; `nil` when there are none.
  ///
  /// - Parameters:
  ///   - number: replaces a number with a secret name.
  ///   - depth: how many texts contain it: JSON in a JSON string, a form in a query.
  static func masked(
    _ bytes: [UInt8], by names: SecretNames, number: [UInt8], depth: Int = 0
  ) -> [UInt8]? {
    // Most short texts have nothing that a scanner is needed for.
    guard depth <= depthMax, let first = start(in: bytes, from: 0) else { return nil }
    var scanner = SecretScanner(bytes, names, number, depth)
    return scanner.scan(from: first)
  }

  private mutating func scan(from first: Int) -> [UInt8]? {
    let bytes = bytes
    var offset = first
    while let place = Self.start(in: bytes, from: offset) { offset = pass(place) }
    return output.finish()
  }

  /// The next place where something to hide can start.
  private static func start(in bytes: [UInt8], from offset: Int) -> Int? {
    let kinds = kinds
    var offset = offset
    while offset < bytes.count {
      let next = offset + 1 < bytes.count ? bytes[offset + 1] : 0
      if kinds[Int(bytes[offset]) << 8 | Int(next)] { return offset }
      offset += 1
    }
    return nil
  }

  /// Whether something to hide can start with two bytes, with the first multiplied by 256.
  private static let kinds: [Bool] = {
    var kinds = [Bool](repeating: false, count: 1 << 16)
    for text in SecretForm.beginnings + encodedStarts {
      kinds[Int(text[0]) << 8 | Int(text[1])] = true
    }
    for byte in [UInt8.quote, .backslash, .equals] {
      for next in 0...255 { kinds[Int(byte) << 8 | next] = true }
    }
    for next in 0...255 where UInt8(next).isLetter { kinds[Int(UInt8.less) << 8 | next] = true }
    for next in [UInt8.slash, .space, .quote, apostrophe] {
      kinds[Int(UInt8.colon) << 8 | Int(next)] = true
    }
    // The issuers of cards.
    for first in UInt8(ascii: "2")...UInt8(ascii: "6") {
      for next in UInt8.zero...UInt8.nine { kinds[Int(first) << 8 | Int(next)] = true }
    }
    return kinds
  }()

  /// Hides what starts at a place, and returns where to continue.
  mutating func pass(_ offset: Int) -> Int {
    switch bytes[offset] {
    case .quote: string(offset)
    case .backslash: min(offset + 2, bytes.count)
    case .equals: pair(offset)
    case .less: element(offset)
    case .colon: bytes[offset + 1] == .slash ? address(offset) : setting(offset)
    case let byte where byte.isDigit: card(offset)
    default: encodedJSON(offset) ?? form(offset)
    }
  }

  mutating func hide(_ range: Range<Int>, behind mark: [UInt8] = mark) -> Int {
    guard !range.isEmpty, !bytes[range].elementsEqual(mark) else { return range.upperBound }
    output.replace(range, by: mark)
    return range.upperBound
  }

  func masked(_ text: [UInt8]) -> [UInt8]? {
    Self.masked(text, by: names, number: number, depth: depth + 1)
  }

  // MARK: - Addresses and forms

  private static let addressBytesMax = 96

  /// The part before the host: `https://user:password@host`. A name alone, as in `ssh://git@host`,
  /// is shown.
  mutating func address(_ offset: Int) -> Int {
    let start = offset + 3
    guard start < bytes.count, bytes[offset + 2] == .slash else { return offset + 1 }
    var end = start
    while end < bytes.count, !Self.endsAuthority[Int(bytes[end])], !bytes.isCut(at: end) {
      end += 1
    }
    var at = bytes[start..<end].lastIndex(of: .at)
    let colon = bytes[start..<end].firstIndex(of: .colon)
    // A port has only digits: this is a password with a slash, or the end is cut off.
    if at == nil, let colon, bytes[start] != UInt8(ascii: "["), colon + 1 < end,
      !bytes[(colon + 1)..<end].allSatisfy(\.isDigit),
      !bytes[(colon + 1)..<end].allSatisfy(\.isLetter) || bytes.isCut(at: end)
    {
      if bytes.isCut(at: end) { return hide(start..<end) }
      let last = bytes.endOfValue(from: end, nil, countMax: Self.addressBytesMax)
      at = bytes[end..<last].firstIndex(of: .at)
    }
    guard let at else { return start }
    let user = bytes[start..<at]
    guard user.contains(.colon) || SecretNames.Rule.random.hides(user) else { return start }
    return hide(start..<at)
  }

  private static let endsAuthority: [Bool] = (UInt8.min...UInt8.max).map {
    $0 <= .space || "/?#\"'<>\\{},".utf8.contains($0)
  }

  mutating func form(_ offset: Int) -> Int {
    // Forms that begin alike are tried at the same place.
    let known = deadEnd
    for form in SecretForm.candidates(in: bytes, at: offset) {
      if offset < known, form.steps.count > 1 { continue }
      switch form.match(bytes, at: offset) {
      case .found(let range): return hide(range)
      case .deadEnd(let end): deadEnd = max(deadEnd, end)
      case .none: break
      }
    }
    if let range = SecretForm.privateKey(bytes, at: offset) ?? SecretForm.basic(bytes, at: offset) {
      return hide(range)
    }
    return offset + 1
  }
}

extension [UInt8] {
  /// The end of a JSON string that starts at a quote, and whether it contains escapes.
  func endOfString(from start: Int) -> (end: Int, isEscaped: Bool) {
    var (offset, isEscaped) = (start + 1, false)
    while offset < count, self[offset] != .quote {
      if self[offset] == .backslash {
        isEscaped = true
        offset += 1
      }
      offset += 1
    }
    return (Swift.min(offset + 1, count), isEscaped)
  }

  /// Without the quotes; the closing one may be missing.
  func content(of string: Range<Int>) -> ArraySlice<UInt8> {
    let content = self[string.dropFirst()]
    return content.last == .quote ? content.dropLast() : content
  }

  func endOfSpace(from start: Int) -> Int {
    var end = start
    while end < count, self[end] <= .space { end += 1 }
    return end
  }

  func endOfWord(from start: Int) -> Int {
    var end = start
    while end < count, self[end] > .space, !",:{}[]\"".utf8.contains(self[end]) { end += 1 }
    return end
  }

  /// Up to the delimiter; without one, up to a character that no bare value contains, or the
  /// punctuation of the sentence that the value ends.
  func endOfValue(
    from start: Int, _ delimiter: UInt8?, countMax: Int = .max
  ) -> Int {
    let limit = countMax < count - start ? start + countMax : count
    var end = start
    while end < limit {
      let byte = self[end]
      if let delimiter {
        if byte == delimiter { break }
      } else if byte <= .space || "&#;\"'<>\\".utf8.contains(byte) {
        break
      }
      end += 1
    }
    while delimiter == nil, end > start, ",.:)".utf8.contains(self[end - 1]) { end -= 1 }
    return end
  }
}
