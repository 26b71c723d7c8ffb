import UnderstudyJSON

extension Evaluation {
  mutating func check(
    _ part: CombiningKeywords.Part, of node: SchemaNode, _ instance: JSONCursor,
    _ evaluated: inout Evaluated?
  ) -> Bool {
    switch part {
    case .each(let reference, let keyword):
      check(target(of: reference), instance, &evaluated, by: keyword)
    case .any(let children): checkAny(children, of: node, instance, &evaluated)
    case .one(let children): checkOne(children, of: node, instance, &evaluated)
    case .none(let child): checkNone(child, of: node, instance)
    case .condition(let condition, let consequence, let alternative):
      if fits(condition, instance, &evaluated, by: .if) {
        consequence.map { check($0, instance, &evaluated, by: .then) } ?? true
      } else {
        alternative.map { check($0, instance, &evaluated, by: .else) } ?? true
      }
    }
  }

  func target(of reference: Reference) -> Int {
    guard let name = reference.dynamicName else { return reference.target }
    return scope.target(ofName: name) ?? reference.target
  }

  private mutating func checkAny(
    _ children: [Int], of node: SchemaNode, _ instance: JSONCursor, _ evaluated: inout Evaluated?
  ) -> Bool {
    var isValid = false
    for child in children where fits(child, instance, &evaluated, by: .anyOf) {
      isValid = true
      if evaluated == nil { break }
    }
    if !isValid {
      explain(children, .anyOf, of: node, instance)
      // Nothing is known of the members then; reporting them all as unevaluated would be noise.
      evaluated?.markAll()
    }
    return isValid
  }

  private mutating func checkOne(
    _ children: [Int], of node: SchemaNode, _ instance: JSONCursor, _ evaluated: inout Evaluated?
  ) -> Bool {
    var fitting: [Int] = []
    for (position, child) in children.enumerated() {
      guard fits(child, instance, &evaluated, by: .oneOf) else { continue }
      fitting.append(position)
      if fitting.count > 1, stopsEarly { return false }
    }
    if fitting.count == 1 { return true }
    if fitting.isEmpty {
      explain(children, .oneOf, of: node, instance)
    } else {
      tellFitting(fitting, of: children.count, node, instance)
    }
    evaluated?.markAll()
    return false
  }

  private mutating func tellFitting(
    _ positions: [Int], of count: Int, _ node: SchemaNode, _ instance: JSONCursor
  ) {
    let numbers = joined(positions.map { String($0 + 1) }, by: "and")
    let value = value(at: instance)
    fail(
      .oneOf, of: node, at: .value(value),
      "found \(value.briefSummary), which matches alternatives \(numbers) of \(count), "
        + "expected exactly one")
  }

  private mutating func checkNone(
    _ child: Int, of node: SchemaNode, _ instance: JSONCursor
  ) -> Bool {
    guard quietly({ $0.checkApart(child, instance, by: .not) }) else { return true }
    let value = value(at: instance)
    fail(
      .not, of: node, at: .value(value),
      "\"not\" rules out \(value.briefSummary)")
    return false
  }

  /// Whether an optional schema matches; what it evaluates counts only then.
  private mutating func fits(
    _ child: Int, _ instance: JSONCursor, _ evaluated: inout Evaluated?, by keyword: Keyword
  ) -> Bool {
    var branch = evaluated == nil ? nil : Evaluated()
    let fits = quietly { $0.check(child, instance, &branch, by: keyword) }
    if fits, let branch { evaluated?.formUnion(branch) }
    return fits
  }
}

extension Evaluation {
  /// Reports why none of several schemas matches: what each expected if that says it all, otherwise
  /// the failures of the nearest one.
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

  /// What the alternatives expected of the value itself, or `nil` when one of them has other
  /// failures.
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
/// members, which often distinguish alternatives, then with fewer failures, then deeper.
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
