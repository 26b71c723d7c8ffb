import UnderstudyJSON

extension Evaluation {
  /// Says why none of several schemas fits: what each expected, if that is all there is to say,
  /// otherwise what the one that came nearest has to complain about.
  mutating func explain(
    _ children: [Int], _ keyword: Keyword, of node: SchemaNode, _ instance: JSONCursor
  ) {
    guard !stopsEarly else { return }
    var attempts: [[Failure]] = []
    for child in children where program.nodes[child].always == nil {
      attempts.append(attempt(child, instance, by: keyword))
    }
    tell(attempts, keyword, of: node, instance)
  }

  private mutating func tell(
    _ attempts: [[Failure]], _ keyword: Keyword, of node: SchemaNode, _ instance: JSONCursor
  ) {
    if attempts.isEmpty {
      fail(keyword, of: node, at: place(of: instance), "no value is allowed here")
    } else if let expected = expectations(of: attempts) {
      let isOfType = attempts.contains { $0.first?.keyword == Keyword.type.rawValue }
      fail(
        keyword, of: node, instance, found: isOfType ? \.summary : \.briefSummary,
        expected: joined(expected, by: "or"))
    } else {
      recordNearest(of: attempts)
    }
  }

  private mutating func recordNearest(of attempts: [[Failure]]) {
    var nearest = attempts.max { Nearness($0, at: depth) < Nearness($1, at: depth) } ?? []
    if attempts.count > 1, let first = nearest.first, first.alternatives == nil {
      nearest[0].alternatives = attempts.count
    }
    for failure in nearest { record(failure) }
  }

  private static var attemptFailuresMax: Int { 20 }

  private mutating func attempt(
    _ child: Int, _ instance: JSONCursor, by keyword: Keyword
  ) -> [Failure] {
    let (outer, outerMax) = (failures, failuresMax)
    defer { (failures, failuresMax) = (outer, outerMax) }
    (failures, failuresMax) = ([], Self.attemptFailuresMax)
    _ = checkApart(child, instance, by: keyword)
    return failures
  }

  /// What the alternatives expected of the value itself, or `nil` when one of them has more to
  /// say than that.
  private func expectations(of attempts: [[Failure]]) -> [String]? {
    var expected: [String] = []
    for attempt in attempts {
      guard attempt.count == 1, let failure = attempt.first, failure.depth == depth,
        failure.alternatives == nil, let expectation = failure.expected
      else { return nil }
      if !expected.contains(expectation) { expected.append(expectation) }
    }
    return expected
  }
}

/// How far an alternative got: past its own type and constants, then past the constants of its
/// members, which mostly tell alternatives apart, then with fewer complaints, then deeper.
private struct Nearness: Comparable {
  let stage: Int
  let complaints: Int
  let depth: Int

  private static let ofMember = [Keyword.const, .enum].map(\.rawValue)
  private static let ofValue = ofMember + [Keyword.type.rawValue]

  init(_ failures: [Evaluation.Failure], at depth: Int) {
    if failures.contains(where: { $0.depth == depth && Self.ofValue.contains($0.keyword) }) {
      stage = 0
    } else {
      let isOther = failures.contains {
        $0.depth == depth + 1 && Self.ofMember.contains($0.keyword)
      }
      stage = isOther ? 1 : 2
    }
    complaints = failures.count
    self.depth = failures.lazy.map(\.depth).max() ?? 0
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.stage, -left.complaints, left.depth) < (right.stage, -right.complaints, right.depth)
  }
}

/// `integer`, `integer or null`, `a, b or c`.
func joined(_ words: [String], by last: String) -> String {
  guard let final = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " \(last) \(final)"
}
