import UnderstudyContractModel
import UnderstudyCore
import UnderstudySchema
import UnderstudySecrets

/// What samples show about the strings at one place.
struct StringEvidence {
  /// With this many values, few distinct ones are not a coincidence.
  private static let enumerationCountMin = 20
  private static let enumerationDistinctMin = 2
  private static let enumerationDistinctMax = 5
  private static let enumerationBytesMax = 40

  private static let candidates: Set<Format> = [.dateTime, .date, .uuid, .uri, .email]

  private var count = 0
  /// The index of a sample that has strings.
  private var firstSample: Int?
  private var isInSeveral = false
  /// `nil` when there are more distinct strings than an enumeration may have.
  private var texts: Set<ExactText>? = []
  /// The formats that every string so far matches.
  private var formats = candidates

  mutating func add(_ text: String, ofSample sample: Int) {
    count += 1
    note(sample)
    texts?.insert(ExactText(text))
    forgetMany()
    formats = formats.filter { $0.isShown(by: text) }
  }

  mutating func absorb(_ other: StringEvidence) {
    count += other.count
    if let sample = other.firstSample { note(sample) }
    isInSeveral = isInSeveral || other.isInSeveral
    if let others = other.texts { texts?.formUnion(others) } else { texts = nil }
    forgetMany()
    formats.formIntersection(other.formats)
  }

  private mutating func note(_ sample: Int) {
    if let firstSample, firstSample != sample { isInSeveral = true }
    firstSample = firstSample ?? sample
  }

  private mutating func forgetMany() {
    if let texts, texts.count > Self.enumerationDistinctMax { self.texts = nil }
  }

  var format: Format? {
    guard count > 0 else { return nil }
    let distinctCount = texts?.count ?? .max
    return formats.filter { distinctCount >= $0.distinctCountMin }.min { $0.rawValue < $1.rawValue }
  }

  /// The possible values, sorted, when there is evidence that there are no others. A single sample
  /// only shows what was requested.
  var enumeration: [String]? {
    guard count >= Self.enumerationCountMin, isInSeveral, format == nil, let texts,
      texts.count >= Self.enumerationDistinctMin,
      texts.allSatisfy({ !$0.text.isEmpty && $0.text.utf8.count <= Self.enumerationBytesMax }),
      !texts.contains(where: { $0.text.contains(SecretMask.mark) })
    else { return nil }
    return texts.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension Format {
  /// How many distinct values rule out a coincidence.
  fileprivate var distinctCountMin: Int { self == .email ? 3 : 1 }

  /// Stricter than formats that match too much: `note: yes` is a URI, too.
  fileprivate func isShown(by text: String) -> Bool {
    accepts(text) && (self != .uri || text.hasPrefix("https://") || text.hasPrefix("http://"))
  }
}
