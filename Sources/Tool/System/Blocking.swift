import Glibc
import Synchronization
import UnderstudyCLinux
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

/// Something that happens once, to be waited for like a file.
final class Latch: Sendable {
  let descriptor: Int32

  init() throws(SystemError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .last("make a latch") }
  }

  deinit { close(descriptor) }

  func open() { eventfd_write(descriptor, 1) }

  var isOpen: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }
}

/// Waits on this thread for what only others can do.
enum Blocking {
  static func run<Value: Sendable>(
    _ job: @escaping @Sendable () async throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    let answer = Answer<Result<Value, SystemError>>(latch: try Latch())
    Task.detached {
      do throws(SystemError) {
        answer.give(.success(try await job()))
      } catch {
        answer.give(.failure(error))
      }
    }
    while true {
      if let value = answer.value { return try value.get() }
      var latch = pollfd(fd: answer.latch.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&latch, 1, -1)
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

  /// A signal cancels the job, and is answered with what the job makes of that; a second one ends
  /// this process.
  static func run<Value: Sendable>(
    cancelledBy signals: borrowing SignalWatch, _ job: @escaping @Sendable () async -> Value
  ) throws(SystemError) -> (value: Value, signal: Int32?) {
    let answer = Answer<Value>(latch: try Latch())
    let task = Task.detached { answer.give(await job()) }
    var signal: Int32?
    while true {
      if let value = answer.value {
        signals.letThrough()
        return (value, signal)
      }
      var watched = [answer.latch.descriptor, signals.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = poll(&watched, signal == nil ? 2 : 1, -1)
      if signal == nil, let next = signals.next() {
        signal = next.number
        task.cancel()
        signals.letThrough()
      }
    }
  }

  /// A server that listens.
  static func start(
    _ library: ContractLibrary, _ configuration: ServerConfiguration, on pool: LoopPool
  ) throws(SystemError) -> FakeUpstream {
    try run { () async throws(SystemError) in
      try await FakeUpstream.start(library, configuration: configuration, on: pool)
    }
  }

  private final class Answer<Value: Sendable>: Sendable {
    let latch: Latch
    private let state = Mutex<Value?>(nil)

    init(latch: Latch) { self.latch = latch }

    var value: Value? { state.withLock { $0 } }

    func give(_ value: Value) {
      state.withLock { $0 = value }
      latch.open()
    }
  }
}
