/// Calls that combine others, in parallel if possible.
extension RepositoryService {
  /// The repositories of several organisations, in the order of their names; two are asked for at a
  /// time, which GitHub allows. The first to fail ends the others.
  public func repositories(
    ofEach organisations: [String]
  ) async throws(ServiceError) -> [[Repository]] {
    let result = await withTaskGroup(
      of: (index: Int, list: Result<[Repository], ServiceError>).self
    ) { group -> Result<[[Repository]], ServiceError> in
      var lists = [[Repository]](repeating: [], count: organisations.count)
      var rest = organisations.enumerated().makeIterator()
      func start(_ next: (offset: Int, element: String)?) {
        guard let next else { return }
        group.addTask { (next.offset, await self.outcome(of: next.element)) }
      }
      start(rest.next())
      start(rest.next())
      for await (index, list) in group {
        switch list {
        case .success(let repositories): lists[index] = repositories
        case .failure(let error):
          group.cancelAll()
          return .failure(error)
        }
        start(rest.next())
      }
      return .success(lists)
    }
    return try result.get()
  }

  /// The one with the most stars of two organisations, as it is now: both lists at once, and then a
  /// call that needs both. When both lists fail, the first one's error counts.
  public func mostStarred(
    of first: String, and second: String
  ) async throws(ServiceError) -> Repository? {
    async let left = outcome(of: first)
    async let right = outcome(of: second)
    let both = try await left.get() + right.get()
    guard let best = both.max(by: { $0.stars < $1.stars }) else { return nil }
    return try await repository(owner: best.owner, name: best.name)
  }

  private func outcome(
    of organisation: String
  ) async -> Result<[Repository], ServiceError> {
    do throws(ServiceError) {
      return .success(try await repositories(of: organisation))
    } catch {
      return .failure(error)
    }
  }
}
