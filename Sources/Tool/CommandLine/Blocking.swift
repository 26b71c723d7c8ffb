import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

/// Blocks this thread until an asynchronous job has ended.
enum Blocking {
  static func run<Value: Sendable>(
    _ job: @escaping @Sendable () async throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    let outcome = Outcome<Result<Value, SystemError>>(wakeup: try Wakeup())
    Task.detached {
      do throws(SystemError) {
        outcome.give(.success(try await job()))
      } catch {
        outcome.give(.failure(error))
      }
    }
    while true {
      if let value = outcome.value { return try value.get() }
      _ = Readiness.wait(for: [outcome.wakeup.descriptor])
    }
  }

  static func value<Value: Sendable>(
    of job: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result: Result<Value, Failure>
    do throws(SystemError) {
      result = try run { () async throws(SystemError) in
        do throws(Failure) {
          return .success(try await job())
        } catch {
          return .failure(error)
        }
      }
    } catch {
      throw Failure(message: error.description)
    }
    return try result.get()
  }

  /// A signal cancels the job, and its result is still returned. A second one ends this process.
  static func run<Value: Sendable>(
    cancelledBy signals: borrowing SignalWatch, _ job: @escaping @Sendable () async -> Value
  ) throws(SystemError) -> (value: Value, signal: Int32?) {
    let outcome = Outcome<Value>(wakeup: try Wakeup())
    let task = Task.detached { outcome.give(await job()) }
    var signal: Int32?
    while true {
      if let value = outcome.value {
        signals.letThrough()
        return (value, signal)
      }
      _ = Readiness.wait(
        for: [outcome.wakeup.descriptor] + (signal == nil ? [signals.descriptor] : []))
      if signal == nil, let next = signals.next() {
        signal = next.number
        task.cancel()
        signals.letThrough()
      }
    }
  }

  /// Returns a listening server.
  static func start(
    _ library: ContractLibrary, _ configuration: ServerConfiguration, on pool: LoopPool
  ) throws(SystemError) -> FakeServer {
    try run { () async throws(SystemError) in
      try await FakeServer.start(library, configuration: configuration, on: pool)
    }
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let wakeup: Wakeup
    private let state = Mutex<Value?>(nil)

    init(wakeup: Wakeup) { self.wakeup = wakeup }

    var value: Value? { state.withLock { $0 } }

    func give(_ value: Value) {
      state.withLock { $0 = value }
      wakeup.wake()
    }
  }
}

extension SignalWatch {
  static func orError() throws(Failure) -> SignalWatch {
    do throws(SystemError) {
      return try SignalWatch()
    } catch {
      throw .cannotServe(error)
    }
  }
}
