public import Observation
public import UnderstudyServices

/// One joke after the other. While one is on its way, asking for another is ignored.
///
/// A failure takes the joke's place, and the next joke the failure's. Being cancelled brings back what
/// was shown before.
@MainActor @Observable
public final class JokeModel: StatefulModel {
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
