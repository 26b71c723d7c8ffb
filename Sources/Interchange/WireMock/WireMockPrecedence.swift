import UnderstudySchema

/// Finds stubs that WireMock would ask before others whose path is more specific, which is what
/// counts between contracts.
struct WireMockPrecedence {
  /// How many pairs of paths are compared; more are not worth the time.
  private static let pairCountMax = 1_000_000

  let notes: [ImportNote]

  init(_ endpoints: [WireMockEndpoint]) {
    let entries = endpoints.compactMap(Entry.init)
    let byMethod = Dictionary(grouping: entries, by: { [$0.start[0]] })
    let byStart = Dictionary(grouping: entries, by: \.start)
    // Only what begins alike can be within a path that begins with a text.
    let pairs = entries.filter(\.path.isOpen).map { entry in
      (entry, (entry.start.count > 1 ? byStart : byMethod)[entry.start] ?? [])
    }
    guard pairs.reduce(0, { $0 + $1.1.count }) <= Self.pairCountMax else {
      notes = []
      return
    }
    notes = pairs.flatMap { entry, others in others.compactMap { entry.note(before: $0) } }
  }

  /// An endpoint, and the stub of it that is asked first.
  private struct Entry {
    /// The method, and the first segment where it is a text.
    let start: [String]
    let path: WireMockURL.Path
    private let stub: WireMockStub
    private let patterns: [Int: Pattern]

    init?(_ endpoint: WireMockEndpoint) {
      guard let first = endpoint.candidates.min(by: WireMockCandidate.precedes) else { return nil }
      path = endpoint.path
      start = [endpoint.method] + [path.segments.first ?? nil].compactMap(\.self)
      stub = first.stub
      patterns = path.patterns.compactMapValues { try? Pattern($0) }
    }

    /// A note if its stub is asked before that of another within its path.
    func note(before other: Entry) -> ImportNote? {
      guard path != other.path, takes(other), !other.takes(self) || path.hasTail,
        stub.number != other.stub.number
      else { return nil }
      // Which of several files WireMock reads last is not known.
      let isFirst =
        stub.priority != other.stub.priority
        ? stub.priority < other.stub.priority
        : stub.document.file == other.stub.document.file && stub.number > other.stub.number
      guard isFirst else { return nil }
      return stub.note(
        .narrowed, because: "\(other.stub.title) responds first, since its path is more specific")
    }

    /// Whether it takes all that the other does, as far as patterns show.
    private func takes(_ entry: Entry) -> Bool {
      let other = entry.path
      guard
        path.hasTail
          ? path.segments.count <= other.segments.count
          : path.segments.count == other.segments.count && !other.hasTail
      else { return false }
      return path.segments.indices.allSatisfy { index in
        switch (path.segments[index], other.segments[index]) {
        case (let own?, let text?): own == text
        case (_?, nil): false
        case (nil, let text?):
          path.patterns[index] == nil ? !text.isEmpty : patterns[index]?.matches(text) ?? true
        case (nil, nil): true
        }
      }
    }
  }
}

extension WireMockURL.Path {
  /// Whether it stands for more than one path.
  fileprivate var isOpen: Bool { hasTail || segments.contains(nil) }
}
