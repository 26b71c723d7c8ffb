extension Simulation {
  /// Finds where each look-around holds, inner ones first. Returns `false` when that takes more
  /// visits than allowed.
  mutating func responseLooks(in text: Span<UInt8>) -> Bool {
    guard !program.looks.isEmpty else { return true }
    var starts = Places(in: text)
    var index = 0
    while index < text.count {
      starts.insert(index)
      _ = text.takeScalar(at: &index)
    }
    visits += text.count
    looks.removeAll(keepingCapacity: true)
    for look in program.looks {
      guard visits <= visitsMax else { return false }
      var walk = Simulation(look.program, visitsMax: visitsMax - visits)
      walk.looks = looks
      looks.append(walk.ends(in: text, backwards: look.isReversed, starts))
      visits += walk.visits
    }
    return visits <= visitsMax
  }

  /// All places at which the program ends, started anywhere. Incomplete when that takes more
  /// visits than allowed.
  private mutating func ends(
    in text: Span<UInt8>, backwards: Bool, _ starts: Places
  ) -> Places {
    var ends = Places(in: text)
    var (front, next) = (Self.firstFront, Front())
    var before = Before.start
    var index = backwards ? text.count : 0
    while visits <= visitsMax {
      let place = index
      let scalar = backwards ? text.takeScalar(before: &index, starts) : text.nextScalar(at: &index)
      let isEnd = advance(
        from: front, after: before, taking: scalar, at: place, findsAll: true, to: &next)
      if isEnd { ends.insert(place) }
      guard let scalar, !next.isEmpty else { break }
      swap(&front, &next)
      before = self.before(after: scalar)
    }
    return ends
  }
}

/// A set of places in a text, each the offset of a byte or the end.
struct Places {
  private var words: [UInt64]

  init(in text: Span<UInt8>) {
    words = Array(repeating: 0, count: text.count / UInt64.bitWidth + 1)
  }

  mutating func insert(_ place: Int) {
    words[place / UInt64.bitWidth] |= 1 << UInt64(place % UInt64.bitWidth)
  }

  func contains(_ place: Int) -> Bool {
    words[place / UInt64.bitWidth] & 1 << UInt64(place % UInt64.bitWidth) != 0
  }
}

extension Span<UInt8> {
  /// `nil` at the end.
  fileprivate func nextScalar(at index: inout Int) -> UInt32? {
    index < count ? takeScalar(at: &index) : nil
  }

  /// Reads the scalar that ends at `index`, and moves `index` to its start, which is one of
  /// `starts`; `nil` at the start of the text.
  fileprivate func takeScalar(before index: inout Int, _ starts: Places) -> UInt32? {
    guard index > 0 else { return nil }
    repeat { index -= 1 } while !starts.contains(index)
    var start = index
    return takeScalar(at: &start)
  }
}
