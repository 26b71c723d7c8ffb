import UnderstudySchema

/// Finds stubs that WireMock would ask before others whose path is more specific, which is what counts
/// between contracts.
struct WireMockPrecedence {
  /// More pairs are not worth the time.
  private static let pairCountMax = 4_000_000

  let endpoints: [WireMockEndpoint]

  var notes: [ImportNote] {
    let general = endpoints.filter { $0.path.isOpen }
    guard general.count * endpoints.count <= Self.pairCountMax else { return [] }
    return general.flatMap { endpoint in
      endpoints.compactMap { other in
        other.method == endpoint.method ? Self.note(endpoint, before: other) : nil
      }
    }
  }

  /// A note if the first stub of one is asked before that of another within its path.
  private static func note(
    _ general: WireMockEndpoint, before other: WireMockEndpoint
  ) -> ImportNote? {
    guard general.path != other.path, general.path.takes(other.path),
      !other.path.takes(general.path) || general.path.hasTail,
      let first = general.candidates.min(by: WireMockCandidate.precedes),
      let second = other.candidates.min(by: WireMockCandidate.precedes),
      first.stub.number != second.stub.number
    else { return nil }
    // Which of several files WireMock reads last is not known.
    let isFirst =
      first.stub.priority != second.stub.priority
      ? first.stub.priority < second.stub.priority
      : first.stub.document.file == second.stub.document.file
        && first.stub.number > second.stub.number
    guard isFirst else { return nil }
    return first.stub.note(
      .narrowed, because: "\(second.stub.title) answers first, since its path is more specific")
  }
}

extension WireMockURL.Path {
  /// Whether it stands for more than one path.
  fileprivate var isOpen: Bool { hasTail || segments.contains(nil) }

  /// Whether it takes all that the other does, as far as patterns show.
  fileprivate func takes(_ other: Self) -> Bool {
    guard hasTail ? segments.count <= other.segments.count : segments.count == other.segments.count,
      hasTail || !other.hasTail
    else { return false }
    return segments.indices.allSatisfy { index in
      switch (segments[index], other.segments[index]) {
      case (let own?, let text?): own == text
      case (_?, nil): false
      case (nil, let text?):
        patterns[index].map { (try? Pattern($0))?.matches(text) ?? true } ?? !text.isEmpty
      case (nil, nil): true
      }
    }
  }
}
