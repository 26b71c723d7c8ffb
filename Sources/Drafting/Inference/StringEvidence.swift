import UnderstudyContractModel
import UnderstudyCore
import UnderstudySchema
import UnderstudySecrets

/// What samples show of the strings at one place.
struct StringEvidence {
  /// Of so many values it is no accident that they are few different ones.
  private static let enumerationCountMin = 20
  private static let enumerationDistinctMin = 2
  private static let enumerationDistinctMax = 5
  private static let enumerationBytesMax = 40

  private static let candidates: Set<Format> = [.dateTime, .date, .uuid, .uri, .email]

  private var count = 0
  /// The number of one sample that has some.
  private var firstSample: Int?
  private var isInSeveral = false
  /// `nil` when there are more different ones than an enumeration has.
  private var texts: Set<ExactText>? = []
  /// Those that every string has fulfilled so far.
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

  /// The values there are, sorted, when there is evidence that there are no others: one sample alone
  /// shows what was asked for, not what there is.
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
  /// How many different values make this no accident.
  fileprivate var distinctCountMin: Int { self == .email ? 3 : 1 }

  /// Stricter than the format where much else has its form: `note: yes` is a URI, too.
  fileprivate func isShown(by text: String) -> Bool {
    accepts(text) && (self != .uri || text.hasPrefix("https://") || text.hasPrefix("http://"))
  }
}
