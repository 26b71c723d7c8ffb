import Synchronization
package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyFindings
package import UnderstudySystem

/// A command in any language, as `consumers.json` declares it.
package struct CommandConsumer: Sendable {
  private static let chunkByteCount = 1 << 16

  /// Limits how many run at the same time, since each is a process.
  private static let slots = Slots(countMax)
  package static let countMax = 2 * ThisProcess.processorCount

  package let name: String
  package let words: [String]
  /// Where it runs.
  package let folder: String
  /// Files and folders in there on which it depends, besides those that its words name.
  package let sources: [String]
  /// The variables it gets besides those that everybody gets.
  package let variableNames: [String]

  /// Returns `nil` for a service.
  package init?(_ consumer: Consumer) {
    guard let words = consumer.command else { return nil }
    (name, folder, self.words) = (consumer.name, consumer.folder, words)
    sources = consumer.sources
    variableNames = consumer.variableNames
  }

  /// Why it cannot run, if its program is missing.
  package var missingProgram: Failure? {
    guard let program = words.first, ChildProcess.path(of: program, in: folder) == nil else {
      return nil
    }
    return program.contains("/")
      ? Failure(
        message: "cannot run \(name): no program \"\(program)\" in \(folder)",
        fix: "name one, make it executable, or run it by an interpreter: [\"python3\","
          + " \"\(program)\"]")
      : Failure(
        message: "cannot run \(name): no program \"\(program)\" on the PATH",
        fix: "install it, or correct \"command\" in consumers.json")
  }

  /// Runs it once, without input and without a shell. What it starts ends with it.
  ///
  /// When the task is cancelled, it is ended at once.
  ///
  /// - Parameters:
  ///   - note: receives its process number when it runs, and before the number may be used again.
  /// - Returns: `nil` when it was ended at its time limit.
  package func ending(
    environment: [String], within limit: Duration,
    note: @escaping @Sendable (_ process: Int32, _ isRunning: Bool) -> Void
  ) async -> Result<CommandEnding?, SystemError> {
    let running = RunningProcess()
    await Self.slots.take()
    defer { Self.slots.give() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(SystemError) {
          // A thread of its own, since waiting for a process blocks.
          try SystemThread {
            continuation.resume(
              returning: Result { () throws(SystemError) in
                try run(environment, limit, running, note)
              })
          }.detach()
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    } onCancel: {
      running.end()
    }
  }

  private func run(
    _ environment: [String], _ limit: Duration, _ running: RunningProcess,
    _ note: (Int32, Bool) -> Void
  ) throws(SystemError) -> CommandEnding? {
    // Whoever can change contracts can change the command. The thread is its own.
    CleanStart.fenceThread()
    let (output, errors) = (try Pipe(), try Pipe())
    var streams = ChildProcess.Streams()
    (streams.output, streams.errors) = (output, errors)
    let child = try ChildProcess(
      words, at: ChildProcess.path(of: words[0], in: folder), in: folder,
      environment: CommandGuard.marking(environment), streams, isApart: true)
    let number = child.number
    note(number, true)
    running.begin(number)
    var prints = [Print(output), Print(errors)]
    let end = ContinuousClock.now + limit
    var isOverdue = false
    while !isOverdue {
      let rest = Int32(clamping: (end - .now).milliseconds + 1)
      let ready = Readiness.wait(
        for: [child.descriptor] + prints.map(\.descriptor), milliseconds: rest)
      for index in prints.indices where ready.contains(index + 1) { prints[index].take() }
      if ready.contains(0) { break }
      isOverdue = .now >= end
    }
    running.finish()
    note(number, false)
    // Ends its whole group, also when it ended by itself.
    let ending = child.ending()
    for index in prints.indices { prints[index].takeRest() }
    return isOverdue
      ? nil : CommandEnding(.init(ending), stdout: prints[0].text, stderr: prints[1].text)
  }

  /// A number of permits, given in the order they are asked for.
  private final class Slots: Sendable {
    private struct State {
      var freeCount: Int
      var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(freeCount: count)) }

    func take() async {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          guard state.freeCount > 0 else {
            state.waiting.append(continuation)
            return false
          }
          state.freeCount -= 1
          return true
        }
        if isFree { continuation.resume() }
      }
    }

    func give() {
      let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard !state.waiting.isEmpty else {
          state.freeCount += 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      next?.resume()
    }
  }

  /// The process of one run, which may be ended from any thread until it is collected.
  private final class RunningProcess: Sendable {
    private enum State {
      case waiting, running(Int32), over
    }

    private let state = Mutex(State.waiting)

    func begin(_ number: Int32) {
      state.withLock { state in
        if case .over = state { ChildProcess.killGroup(number) } else { state = .running(number) }
      }
    }

    /// Its number may then be that of another process.
    func finish() { state.withLock { $0 = .over } }

    func end() {
      state.withLock { state in
        if case .running(let number) = state { ChildProcess.killGroup(number) }
        state = .over
      }
    }
  }

  /// One of its streams.
  private struct Print {
    private let pipe: Pipe
    private(set) var text = PrintedText()
    /// Negative once no other process writes there any more.
    private(set) var descriptor: Int32

    init(_ pipe: Pipe) {
      pipe.readWithoutWaiting()
      pipe.closeWriteEnd()
      (self.pipe, descriptor) = (pipe, pipe.readEnd)
    }

    /// Reads available output.
    mutating func take() {
      guard let chunk = pipe.read(byteCountMax: CommandConsumer.chunkByteCount) else { return }
      if chunk.isEmpty { descriptor = -1 }
      text.append(chunk)
    }

    /// Reads the remaining output. A process that left the group may print forever, so this reads
    /// no more than is checked.
    mutating func takeRest() {
      for _ in 0..<PrintedText.byteCountMax / CommandConsumer.chunkByteCount {
        let count = text.byteCount
        take()
        if text.byteCount == count { return }
      }
    }
  }
}

extension CommandEnding.Reason {
  fileprivate init(_ ending: ChildProcess.Ending) {
    switch ending {
    case .exited(let code): self = .exited(Int(code))
    case .killed(let signal): self = .killed(signal: SignalWatch.name(of: signal))
    }
  }
}
