import UnderstudyContractModel
import UnderstudyCore
import UnderstudySchema
import UnderstudySecrets

/// What samples show about the strings at one place.
struct StringSamples {
  /// An enumeration is a promise that the next response has no other value. A value that so few
  /// responses have makes it likely that there are more, unseen ones; how often a value occurs
  /// within one response says nothing, since that shows what was requested. With these numbers, the
  /// next response broke 0.4 % of the enumerations that were inferred from lists of up to eight
  /// words, drawn evenly or not.
  private static let enumerationSampleCountMin = 20
  private static let enumerationSampleCountOfEachMin = 3
  private static let enumerationDistinctMin = 2
  private static let enumerationDistinctMax = 5
  private static let enumerationBytesMax = 40

  private static let candidates: Set<Format> = [.dateTime, .date, .uuid, .uri, .email]

  private var count = 0
  /// The indices of samples that have strings: as many as an enumeration needs.
  private var samples: Set<Int> = []
  /// The distinct strings, each with the indices of samples that have it, as many as are needed;
  /// `nil` when there are more than an enumeration may have.
  private var texts: [ExactText: Set<Int>]? = [:]
  /// The formats that every string so far matches.
  private var formats = candidates

  mutating func add(_ text: String, ofSample sample: Int) {
    count += 1
    note([sample])
    note([sample], of: ExactText(text))
    forgetMany()
    formats = formats.filter { $0.isShown(by: text) }
  }

  mutating func absorb(_ other: StringSamples) {
    count += other.count
    note(other.samples)
    if let others = other.texts {
      for (text, samples) in others { note(samples, of: text) }
    } else {
      texts = nil
    }
    forgetMany()
    formats.formIntersection(other.formats)
  }

  private mutating func note(_ more: Set<Int>) {
    if samples.count < Self.enumerationSampleCountMin { samples.formUnion(more) }
  }

  private mutating func note(_ more: Set<Int>, of text: ExactText) {
    guard let known = texts?[text] else {
      texts?[text] = more
      return
    }
    if known.count < Self.enumerationSampleCountOfEachMin { texts?[text]?.formUnion(more) }
  }

  private mutating func forgetMany() {
    if let texts, texts.count > Self.enumerationDistinctMax { self.texts = nil }
  }

  var format: Format? {
    guard count > 0 else { return nil }
    let distinctCount = texts?.count ?? .max
    return formats.filter { distinctCount >= $0.distinctCountMin }.min { $0.rawValue < $1.rawValue }
  }

  /// The possible values, sorted, when samples show that the next response has no others.
  var enumeration: [String]? {
    guard samples.count >= Self.enumerationSampleCountMin, format == nil, let texts,
      texts.count >= Self.enumerationDistinctMin,
      texts.values.allSatisfy({ $0.count >= Self.enumerationSampleCountOfEachMin }),
      texts.keys.allSatisfy({
        !$0.text.isEmpty && $0.text.utf8.count <= Self.enumerationBytesMax
          && !$0.text.contains(SecretMask.mark)
      })
    else { return nil }
    return texts.keys.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
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
