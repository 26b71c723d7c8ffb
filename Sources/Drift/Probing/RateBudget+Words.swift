package import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

extension RateBudget {
  /// `60 requests in 1 hour`; `nil` when only the number at the same time is limited.
  package var words: String? {
    guard let count = requestCountMax, let period else { return nil }
    return "\(count.of("request")) in \(period.roundWords)"
  }
}

extension Duration {
  /// In the largest unit that divides it: `1 hour`, `90 minutes`.
  fileprivate var roundWords: String {
    let milliseconds = milliseconds
    let units = [(3_600_000, "hour"), (60_000, "minute"), (1_000, "second")]
    guard let (size, noun) = units.first(where: { milliseconds % $0.0 == 0 }) else { return words }
    return (milliseconds / size).of(noun)
  }
}
