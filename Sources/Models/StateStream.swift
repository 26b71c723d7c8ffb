import Synchronization

/// Sends every state of a model, in order, to all listeners; observation alone may skip states.
///
/// Its model sends from one actor, which keeps the order. All streams end when the model is
/// released.
final class StateStream<State: Equatable & Sendable>: Sendable {
  private struct Listeners {
    var continuations: [Int: AsyncStream<State>.Continuation] = [:]
    var count = 0
    var last: State
  }

  private let listeners: Mutex<Listeners>

  init(_ first: State) {
    listeners = Mutex(Listeners(last: first))
  }

  deinit {
    for continuation in listeners.withLock({ $0.continuations.values }) { continuation.finish() }
  }

  /// The current state, then each new one.
  func listen() -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream.makeStream(of: State.self)
    let number = listeners.withLock { listeners in
      continuation.yield(listeners.last)
      listeners.count += 1
      listeners.continuations[listeners.count] = continuation
      return listeners.count
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { $0.continuations[number] = nil }
    }
    return stream
  }

  /// Equal states are not sent again.
  func send(_ state: State) {
    let continuations = listeners.withLock { listeners in
      guard state != listeners.last else { return [AsyncStream<State>.Continuation]() }
      listeners.last = state
      return Array(listeners.continuations.values)
    }
    for continuation in continuations { continuation.yield(state) }
  }
}
