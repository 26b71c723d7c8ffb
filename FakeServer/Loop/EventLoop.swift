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

/// Jobs that other threads post to a loop, and the wakeup for them.
final class Mailbox: Sendable {
  typealias Job = @Sendable (inout Loop) -> Void

  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  private let wakeup: Wakeup
  private let state = Mutex(State())

  init() throws(SystemError) { wakeup = try Wakeup() }

  /// Readable when there are jobs.
  var descriptor: Int32 { wakeup.descriptor }

  /// Fails when the loop has ended.
  func post(_ job: @escaping Job) -> Bool {
    let isFirst = state.withLock { state -> Bool? in
      guard !state.isClosed else { return nil }
      state.jobs.append(job)
      return state.jobs.count == 1
    }
    guard let isFirst else { return false }
    // Later posts find the loop already woken.
    if isFirst { wakeup.wake() }
    return true
  }

  /// All posted jobs, in order. Called on the loop's thread.
  func take() -> [Job] {
    wakeup.reset()
    return state.withLock { state in
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }

  /// Takes the remaining jobs; later posts fail.
  func close() -> [Job] {
    state.withLock { state in
      state.isClosed = true
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }
}

/// Loops that servers share, started on first use.
package final class LoopPool: Sendable {
  /// For servers in tests: a few threads for any number of servers.
  package static let shared = LoopPool()

  private struct State {
    var loops: [EventLoop] = []
    var next = 0
  }

  private let loopCountMax: Int
  private let clock: LoopClock
  private let state = Mutex(State())

  package convenience init(loopCountMax: Int = 2) {
    self.init(loopCountMax: loopCountMax, clock: .system)
  }

  init(loopCountMax: Int, clock: LoopClock) {
    self.loopCountMax = max(1, loopCountMax)
    self.clock = clock
  }

  /// This many different loops, taken in turn.
  func loops(count: Int) throws(SystemError) -> [EventLoop] {
    let result = state.withLock { state -> Result<[EventLoop], SystemError> in
      do throws(SystemError) {
        while state.loops.count < max(loopCountMax, count) {
          state.loops.append(try EventLoop(clock: clock))
        }
      } catch {
        return .failure(error)
      }
      defer { state.next += count }
      return .success(
        (0..<count).map { state.loops[(state.next + $0) % state.loops.count] })
    }
    return try result.get()
  }

  /// Ends every loop and waits for their threads; the servers on them must be closed.
  package func stop() {
    let loops = state.withLock { state in
      defer { state.loops = [] }
      return state.loops
    }
    for loop in loops { loop.stop() }
  }
}
