import Observation
package import UnderstudyServices

/// One joke after the other. While one is on its way, asking for another is ignored.
///
/// A failure takes the joke's place, and the next joke the failure's. Being cancelled brings back what
/// was shown before.
@MainActor @Observable
package final class JokeModel: StatefulModel {
  package enum State: Hashable, Sendable {
    case idle
    case loading
    case loaded(Joke)
    case failed(String)
  }

  package static let buttonTitle = "Tell me another!"

  package private(set) var state: State
  private let service: any JokeService
  private let stream: StateStream<State>

  package init(service: any JokeService, state: State = .idle) {
    self.service = service
    self.state = state
    stream = StateStream(state)
  }

  package var states: AsyncStream<State> { stream.listen() }

  /// What the button does, also after a failure.
  package func tellAnother() async {
    guard state != .loading else { return }
    let before = state
    enter(.loading)
    do throws(ServiceError) {
      enter(.loaded(try await service.randomJoke()))
    } catch {
      enter(error.isCancellation ? before : .failed(error.message))
    }
  }

  private func enter(_ state: State) {
    self.state = state
    stream.send(state)
  }
}
