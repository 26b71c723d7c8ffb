/// Rules of services for text and lists, beyond their types.
enum TextRule {
  /// A longer text is not a name or sentence.
  static let byteCountMax = 10_000
}

extension KeyedDecodingContainer {
  /// Readable text: not empty, and of limited length.
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

  /// A number in this range.
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
  /// The elements without duplicates: the first for each key.
  func unique<ID: Hashable>(by id: (Element) -> ID) -> [Element] {
    var seen: Set<ID> = []
    return filter { seen.insert(id($0)).inserted }
  }
}

extension FixedWidthInteger {
  /// Digits only: `init(_:)` also accepts a sign.
  init?(digits text: some StringProtocol) {
    guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    self.init(text, radix: 10)
  }
}
