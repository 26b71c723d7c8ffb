/// A model whose whole face is one value, which changes step by step.
@MainActor
public protocol StatefulModel: AnyObject {
  associatedtype State: Equatable, Sendable
  var state: State { get }
  /// The state of now, and then every later one in order, to the end of the model.
  var states: AsyncStream<State> { get }
}
