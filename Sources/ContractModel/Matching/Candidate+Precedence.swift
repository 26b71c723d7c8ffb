extension RequestIndex.Candidate {
  /// Whether this one responds to a request that both match: what an index decides by the order in
  /// which it looks, for candidates of two indices of the same upstream.
  package func precedes(_ other: RequestIndex.Candidate) -> Bool {
    let (method, otherMethod) = (contract.request.method, other.contract.request.method)
    // One for GET responds to HEAD where no other does.
    if method != otherMethod { return method == "HEAD" }
    if rank == nil, let isBetter = hasBetterPath(than: other) { return isBetter }
    return precedesOnItsPath(other)
  }

  /// Whether its turn comes first, of two candidates at one node.
  func precedesOnItsPath(_ other: RequestIndex.Candidate) -> Bool {
    if let rank, let otherRank = other.rank, rank != otherRank { return rank < otherRank }
    if rank == nil {
      let count = contract.request.conditionCount
      let otherCount = other.contract.request.conditionCount
      if count != otherCount { return count > otherCount }
    }
    return contract.id < other.contract.id
  }

  /// Whether its path is the more specific one; `nil` where they have one node.
  private func hasBetterPath(than other: RequestIndex.Candidate) -> Bool? {
    let (path, otherPath) = (template, other.template)
    if (path.tail == nil) != (otherPath.tail == nil) { return path.tail == nil }
    for segments in zip(path.segments, otherPath.segments) {
      switch segments {
      case (.literal, .parameter): return true
      case (.parameter, .literal): return false
      case (.literal, .literal), (.parameter, .parameter): continue
      }
    }
    let (count, otherCount) = (path.segments.count, otherPath.segments.count)
    return count == otherCount ? nil : count > otherCount
  }
}
