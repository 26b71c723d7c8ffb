import Synchronization

/// The sets of properties already asked for, shared by all threads.
/// Going through all of Unicode takes some ten milliseconds, so nothing is worked out twice.
final class SetCache: Sendable {
  private let sets = Mutex<[String: ScalarSet]>([:])

  func set(named name: String, orMake make: () -> ScalarSet) -> ScalarSet {
    sets.withLock { sets in
      if let set = sets[name] { return set }
      let set = make()
      sets[name] = set
      return set
    }
  }
}
