/// What services ask of text and of lists, beyond their types.
enum TextRule {
  /// More is no name or sentence, whatever it is.
  static let byteCountMax = 10_000
}

extension KeyedDecodingContainer {
  /// Text that somebody is to read: something, and not a book.
  func text(_ key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    guard !text.isEmpty, text.utf8.count <= TextRule.byteCountMax else {
      throw refusal(of: key, "it is empty or longer than \(TextRule.byteCountMax) bytes")
    }
    return text
  }

  /// Text that may be missing, null or empty.
  func optionalText(_ key: Key) throws -> String? {
    let text = try decodeIfPresent(String.self, forKey: key)
    guard (text?.utf8.count ?? 0) <= TextRule.byteCountMax else {
      throw refusal(of: key, "it is longer than \(TextRule.byteCountMax) bytes")
    }
    return text
  }

  /// A number within these bounds.
  func number<Number: Decodable & Comparable>(
    _ key: Key, in range: ClosedRange<Number>
  ) throws -> Number {
    let number = try decode(Number.self, forKey: key)
    guard range.contains(number) else {
      throw refusal(of: key, "it is not from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func refusal(of key: Key, _ reason: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: reason)
  }
}

extension Sequence {
  /// Each element once: of several with the same key the first.
  func unique<ID: Hashable>(by id: (Element) -> ID) -> [Element] {
    var seen: Set<ID> = []
    return filter { seen.insert(id($0)).inserted }
  }
}

extension FixedWidthInteger {
  /// Digits alone: a sign, which `init(_:)` takes, is none.
  init?(digits text: some StringProtocol) {
    guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    self.init(text, radix: 10)
  }
}
