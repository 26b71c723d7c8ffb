public import Observation
public import UnderstudyServices

/// One joke after the other. While one is loading, further requests are ignored.
///
/// A failure replaces the joke, and the next joke the failure. A cancelled load restores the
/// previous state.
@MainActor @Observable
public final class JokeModel: StatefulModel {
  /// All that the screen shows.
  public enum State: Hashable, Sendable {
    case idle
    case loading
    case loaded(Joke)
    case failed(String)
  }

  public static let buttonTitle = "Tell me another!"

  public private(set) var state: State
  private let service: any JokeService
  private let stream: StateStream<State>

  public init(service: any JokeService, state: State = .idle) {
    self.service = service
    self.state = state
    stream = StateStream(state)
  }

  public var states: AsyncStream<State> { stream.listen() }

  /// What the button does, also after a failure.
  public func tellAnother() async {
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
