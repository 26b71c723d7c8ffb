import Synchronization
import UnderstudySystem

/// A thread that serves connections, as seen by other threads: a mailbox for jobs.
final class EventLoop: Sendable {
  let mailbox: Mailbox
  let clock: LoopClock
  private let thread = Mutex<SystemThread?>(nil)

  /// Starts the thread.
  init(clock: LoopClock = .system) throws(SystemError) {
    mailbox = try Mailbox()
    self.clock = clock
    let loop = try Loop(handle: self)
    let box = LoopBox(loop)
    let thread = try SystemThread { box.run() }
    self.thread.withLock { $0 = thread }
  }

  /// Runs a job on the loop's thread; the job is dropped when the loop has ended.
  func post(_ job: @escaping Mailbox.Job) {
    _ = mailbox.post(job)
  }

  /// Runs a job on the loop's thread and waits for its result; `nil` when the loop has ended.
  func ask<Response: Sendable>(_ job: @escaping @Sendable (inout Loop) -> Response) async
    -> Response?
  {
    await withCheckedContinuation { continuation in
      let isPosted = mailbox.post { loop in continuation.resume(returning: job(&loop)) }
      if !isPosted { continuation.resume(returning: nil) }
    }
  }

  /// Ends the loop after all posted jobs, and waits for its thread.
  func stop() {
    post { $0.isEnding = true }
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }
}

extension EventLoop {
  private static let background = try? EventLoop()

  /// Runs work that would keep a loop from its clients, in order, on a thread that has none.
  static func inBackground(_ work: @escaping @Sendable () -> Void) {
    guard let background, background.mailbox.post({ _ in work() }) else { return work() }
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
