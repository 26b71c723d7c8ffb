import Synchronization

/// Gives every state of a model, in order, to everyone who listens: observation alone skips those
/// between two looks.
///
/// Its model sends from one actor, which keeps the order. It lives as long as its model, whose end
/// is the end of every stream.
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

  /// The last state first, then whatever is sent.
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

  /// Nothing is sent for what is as it was.
  func send(_ state: State) {
    let continuations = listeners.withLock { listeners in
      guard state != listeners.last else { return [AsyncStream<State>.Continuation]() }
      listeners.last = state
      return Array(listeners.continuations.values)
    }
    for continuation in continuations { continuation.yield(state) }
  }
}
