import Synchronization

/// Gives every state of a model, in order, to everyone who listens: observation alone skips those
/// between two looks.
///
/// Lives as long as its model, whose end is the end of every stream.
final class StateStream<State: Sendable>: Sendable {
  private struct Listeners {
    var continuations: [Int: AsyncStream<State>.Continuation] = [:]
    var count = 0
  }

  private let listeners = Mutex(Listeners())

  deinit {
    for continuation in listeners.withLock({ $0.continuations.values }) { continuation.finish() }
  }

  /// `current` first, then whatever is sent.
  func listen(from current: State) -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream.makeStream(of: State.self)
    continuation.yield(current)
    let number = listeners.withLock { listeners in
      listeners.count += 1
      listeners.continuations[listeners.count] = continuation
      return listeners.count
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { $0.continuations[number] = nil }
    }
    return stream
  }

  func send(_ state: State) {
    for continuation in listeners.withLock({ $0.continuations.values }) {
      continuation.yield(state)
    }
  }
}
