public import Observation
public import UnderstudyServices

/// The repositories of one or more organisations.
///
/// The latest load wins: an earlier response that arrives later is dropped. A failure replaces the
/// list; of several organisations, the first failure is shown. A cancelled load restores the
/// previous state.
@MainActor @Observable
public final class RepositoriesModel: StatefulModel {
  /// All that the screen shows.
  public enum State: Hashable, Sendable {
    case idle
    case loading
    case loaded([Repository])
    case failed(String)
  }

  public private(set) var state = State.idle
  @ObservationIgnored private var loadCount = 0
  /// The state before the running loads.
  @ObservationIgnored private var settled = State.idle
  private let service: any RepositoryService
  private let stream = StateStream(State.idle)

  public init(service: any RepositoryService) {
    self.service = service
  }

  public var states: AsyncStream<State> { stream.listen() }

  public func load(from url: String) async {
    await load { service throws(ServiceError) in try await service.repositories(from: url) }
  }

  /// Loads the repositories of organisations; the first organisation's come first.
  public func load(organisations: [String]) async {
    await load { service throws(ServiceError) in
      try await service.repositories(ofEach: organisations).flatMap(\.self)
    }
  }

  private func load(
    _ ask: (any RepositoryService) async throws(ServiceError) -> [Repository]
  ) async {
    loadCount += 1
    let number = loadCount
    enter(.loading)
    let outcome: State
    do throws(ServiceError) {
      outcome = .loaded(try await ask(service))
    } catch {
      outcome = error.isCancellation ? settled : .failed(error.message)
    }
    guard number == loadCount else { return }
    settled = outcome
    enter(outcome)
  }

  private func enter(_ state: State) {
    self.state = state
    stream.send(state)
  }
}
