/// The one rule for a case that is forced: chosen by hand, by a test or by a script.
extension Contract {
  /// Whether a request gets a forced case in place of its own.
  ///
  /// A forced case stands in for the case that it is `like`, directly or through others, if that is
  /// for certain requests, and else for the default. Requests that another `when` takes keep their
  /// own case, so a client that follows pages gets the next one, and comes to an end. A forced case
  /// that is itself for certain requests stands in for the default as well.
  ///
  /// Only what a `when` says of the request counts: neither state nor chance nor the number of
  /// requests takes one from a forced case.
  ///
  /// - Parameters:
  ///   - forced: the index of the forced case.
  ///   - count: of the requests to the contract, with this one.
  ///   - meets: whether the request meets the conditions that a `when` has for it.
  ///   - stateHolds: whether the state meets those that it has for that.
  package func serves(
    forced: Int, count: Int, meets: (When) -> Bool, stateHolds: (When) -> Bool
  ) -> Bool {
    let own = requestWhen(of: forced)
    if let own, meets(own) { return true }
    let model = cases[forced].likeIndex.flatMap(requestCaseIndex)
    let taker = cases.indices.first { index in
      guard let when = requestWhen(of: index), when.share == nil,
        when.countAbove.map({ count > $0 }) ?? true
      else { return false }
      return stateHolds(when) && meets(when)
    }
    guard let defaultCaseIndex else {
      // One that is for no certain requests could not be served at all.
      return own == nil && model == nil || taker != nil && taker == model
    }
    if let taker, taker != defaultCaseIndex { return taker == model }
    return own != nil || model == nil
  }

  package func caseIndex(named name: String) -> Int? {
    cases.firstIndex { $0.name == name }
  }

  /// The first case but the default that is for certain requests, from this one along `like`.
  private func requestCaseIndex(from index: Int) -> Int? {
    var next: Int? = index
    while let index = next, index != defaultCaseIndex {
      if requestWhen(of: index) != nil { return index }
      next = cases[index].likeIndex
    }
    return nil
  }

  /// What a case says of the requests that it is for.
  private func requestWhen(of index: Int) -> When? {
    guard let when = cases[index].when, !when.request.isEmpty || when.body != nil else {
      return nil
    }
    return when
  }
}
