import Synchronization
import UnderstudyCore

/// Patterns by their sources: equal ones are compiled once. Any thread may use it.
package final class PatternCache: Sendable {
  private let patterns = Mutex<[ExactText: Pattern]>([:])

  package init() {}

  fileprivate func pattern(_ source: String) throws(PatternError) -> Pattern {
    let key = ExactText(source)
    if let known = patterns.withLock({ $0[key] }) { return known }
    let pattern = try Pattern(source)
    return patterns.withLock { patterns in
      if let known = patterns[key] { return known }
      patterns[key] = pattern
      return pattern
    }
  }
}

extension Pattern {
  /// Takes the pattern of an equal source from the cache, if there is one.
  package init(_ source: String, from cache: PatternCache?) throws(PatternError) {
    self = if let cache { try cache.pattern(source) } else { try Pattern(source) }
  }
}
