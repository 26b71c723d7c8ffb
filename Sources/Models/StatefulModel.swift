/// A model whose visible state is one value.
///
/// The models are what an app shows of the services, without its views: each has a state, loads by
/// a service, and says in its comment what becomes of a load while another one runs. Read
/// `JokeModel` as the smallest. `StateStream` sends every state to those who listen, since
/// observation may skip some; `ServiceError+Message` words errors.
///
/// State changes on the main actor only. A cancelled load never shows an error.
@MainActor
public protocol StatefulModel: AnyObject {
  associatedtype State: Equatable, Sendable
  var state: State { get }
  /// The current state, then every later one in order, until the model is released.
  var states: AsyncStream<State> { get }
}
