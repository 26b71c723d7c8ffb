import Observation
package import Services

/// The repositories of one organisation or several.
///
/// Whoever asks again means what was asked last: an earlier answer that comes later is dropped.
@MainActor @Observable
package final class RepositoriesModel: StatefulModel {
  package enum State: Hashable, Sendable {
    case idle
    case loading
    case loaded([Repository])
    case failed(String)
  }

  package private(set) var state = State.idle
  @ObservationIgnored private var loadCount = 0
  private let service: any RepositoryService
  private let stream = StateStream(State.idle)

  package init(service: any RepositoryService) {
    self.service = service
  }

  package var states: AsyncStream<State> { stream.listen() }

  package func load(from url: String) async {
    await load { service throws(ServiceError) in try await service.repositories(from: url) }
  }

  /// Those of the first organisation come first.
  package func load(organisations: [String]) async {
    await load { service throws(ServiceError) in
      try await service.repositories(ofEach: organisations).flatMap(\.self)
    }
  }

  private func load(
    _ ask: (any RepositoryService) async throws(ServiceError) -> [Repository]
  ) async {
    loadCount += 1
    let number = loadCount
    let before = state == .loading ? .idle : state
    enter(.loading)
    let outcome: State
    do throws(ServiceError) {
      outcome = .loaded(try await ask(service))
    } catch {
      outcome = error.isCancellation ? before : .failed(error.message)
    }
    if number == loadCount { enter(outcome) }
  }

  private func enter(_ state: State) {
    self.state = state
    stream.send(state)
  }
}
