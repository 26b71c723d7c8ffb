extension Case {
  /// What is wrong with the requests that get a case.
  package enum Refusal {
    /// A parameter that is absent, or not what the exclusion says.
    case parameter(Condition)
    /// The whole body, by what it is not.
    case body(BodyCondition, isRequired: Bool)
  }

  /// How APIs say that a request is not as it should be.
  private static let statuses: Set = [400, 422]

  /// For a case that only requests get which lack something or have it wrong; a document need not
  /// have a response for these.
  package var refusal: Refusal? {
    guard kind == .good, let status, Self.statuses.contains(status), let when,
      when.asksOnlyRequest
    else { return nil }
    if let body = when.body {
      let asksForType = when.request.allSatisfy {
        $0.part == .header && $0.lookupName == "content-type"
      }
      let isNegative = body.tests.contains { test in
        switch test {
        case .not, .text(""): true
        default: false
        }
      }
      guard asksForType, isNegative else { return nil }
      let mayBeEmpty = body.tests.contains { test in
        if case .not(let tests) = test, case .text("")? = tests.first { true } else { false }
      }
      return .body(body, isRequired: !mayBeEmpty)
    }
    guard when.request.count == 1, let condition = when.request.first else { return nil }
    switch (condition.test, condition.exclusion?.test) {
    case (.present, .absent): return nil
    case (.absent, nil), (.present, _?): return .parameter(condition)
    default: return nil
    }
  }
}
