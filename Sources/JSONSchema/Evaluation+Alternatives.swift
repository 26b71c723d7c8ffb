import JSON

extension Evaluation {
  /// Says why none of several schemas fits: what each expected, if that is all there is to say,
  /// otherwise what the one that came nearest has to complain about.
  mutating func explain(
    _ children: [Int], _ keyword: Keyword, of node: SchemaNode, _ instance: JSONValue
  ) {
    guard !stopsEarly else { return }
    var attempts: [[Failure]] = []
    for child in children {
      attempts.append(attempt(child, instance, by: keyword))
      if isHalted { return }
    }
    if let expected = expectations(of: attempts) {
      let isOfType = attempts.contains { $0.first?.keyword == Keyword.type.rawValue }
      fail(
        keyword, of: node, instance, found: isOfType ? instance.summary : instance.briefSummary,
        expected: joined(expected, by: "or"))
      return
    }
    let nearest = attempts.max { Nearness($0, at: depth) < Nearness($1, at: depth) } ?? []
    for (position, failure) in nearest.enumerated() {
      let note = position == 0 ? " (the nearest of \(children.count) alternatives)" : ""
      record(failure.adding(children.count > 1 ? note : ""))
    }
  }

  private static var attemptFailuresMax: Int { 20 }

  private mutating func attempt(
    _ child: Int, _ instance: JSONValue, by keyword: Keyword
  ) -> [Failure] {
    let (outer, outerMax) = (failures, failuresMax)
    defer { (failures, failuresMax) = (outer, outerMax) }
    (failures, failuresMax) = ([], Self.attemptFailuresMax)
    var ignored = Evaluated.unwanted
    _ = check(child, instance, &ignored, by: keyword)
    return failures
  }

  /// What the alternatives expected of the value itself, or `nil` when one of them has more to
  /// say than that.
  private func expectations(of attempts: [[Failure]]) -> [String]? {
    var expected: [String] = []
    for attempt in attempts {
      guard attempt.count == 1, let failure = attempt.first, failure.depth == depth,
        let expectation = failure.expected
      else { return nil }
      if !expected.contains(expectation) { expected.append(expectation) }
    }
    return expected
  }
}

/// How far an alternative got: past its own type and constants, then past those of its members,
/// which mostly tell alternatives apart, then with fewer complaints, then deeper.
private struct Nearness: Comparable {
  let stage: Int
  let complaints: Int
  let depth: Int

  init(_ failures: [Evaluation.Failure], at depth: Int) {
    let telling = failures.filter(\.tellsApart)
    if telling.contains(where: { $0.depth == depth }) {
      stage = 0
    } else {
      stage = telling.contains { $0.depth == depth + 1 } ? 1 : 2
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
