import Glibc
import Synchronization

/// A thread that serves connections, as others see it: a mailbox to leave work in.
final class EventLoop: Sendable {
  let mailbox: Mailbox
  let clock: Clock
  private let thread = Mutex<pthread_t?>(nil)

  /// Starts the thread.
  init(clock: Clock = .system) throws(SystemError) {
    mailbox = try Mailbox()
    self.clock = clock
    let loop = try Loop(handle: self)
    let box = LoopBox(loop)
    var id = pthread_t()
    let argument = Unmanaged.passRetained(box)
    let code = pthread_create(
      &id, nil,
      { argument in
        guard let argument else { return nil }
        // SAFETY: retained for this thread alone, by the call that started it.
        Unmanaged<LoopBox>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw SystemError(code: code, attempt: "start a thread")
    }
    thread.withLock { $0 = id }
  }

  /// Runs a job on the loop's thread; it is dropped when the loop has ended.
  func post(_ job: @escaping Mailbox.Job) {
    _ = mailbox.post(job)
  }

  /// Runs a job on the loop's thread and waits for its answer; `nil` when the loop has ended.
  func ask<Answer: Sendable>(_ job: @escaping @Sendable (inout Loop) -> Answer) async -> Answer? {
    await withCheckedContinuation { continuation in
      let isPosted = mailbox.post { loop in continuation.resume(returning: job(&loop)) }
      if !isPosted { continuation.resume(returning: nil) }
    }
  }

  /// Ends the loop once what was posted before is done, and waits for its thread.
  func stop() {
    post { $0.isEnding = true }
    let id = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let id { pthread_join(id, nil) }
  }
}

/// Carries a loop to its thread.
private final class LoopBox {
  private var loop: Loop

  init(_ loop: consuming Loop) {
    self.loop = loop
  }

  func run() {
    loop.run()
  }
}
