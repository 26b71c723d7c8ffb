/// A model whose visible state is one value.
@MainActor
public protocol StatefulModel: AnyObject {
  associatedtype State: Equatable, Sendable
  var state: State { get }
  /// The current state, then every later one in order, until the model is released.
  var states: AsyncStream<State> { get }
}
