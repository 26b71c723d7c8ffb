import Synchronization
package import UnderstudyContractModel
import UnderstudyFindings
import UnderstudyFindings
package import UnderstudySystem

/// A command in any language, as `consumers.json` declares it.
package struct CommandConsumer: Sendable {
  private static let chunkByteCount = 1 << 16

  package let name: String
  package let words: [String]
  /// Where it runs.
  package let folder: String

  /// Returns `nil` for a service.
  package init?(_ consumer: Consumer) {
    guard let words = consumer.command else { return nil }
    (name, folder, self.words) = (consumer.name, consumer.folder, words)
  }

  /// Runs it once, without input and without a shell. What it starts ends with it.
  ///
  /// When the task is cancelled, it is ended at once.
  ///
  /// - Parameters:
  ///   - begun: receives its process number.
  /// - Returns: `nil` when it was ended at its time limit.
  package func ending(
    environment: [String], within limit: Duration, begun: @escaping @Sendable (Int32) -> Void
  ) async -> Result<CommandEnding?, SystemError> {
    let running = RunningProcess()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(SystemError) {
          // A thread of its own, since waiting for a process blocks.
          try SystemThread {
            continuation.resume(
              returning: Result { () throws(SystemError) in
                try run(environment, limit, running, begun)
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
    _ begun: (Int32) -> Void
  ) throws(SystemError) -> CommandEnding? {
    let (output, errors) = (try Pipe(), try Pipe())
    var streams = ChildProcess.Streams()
    (streams.output, streams.errors) = (output, errors)
    let child = try ChildProcess(
      words, at: ChildProcess.path(of: words[0], in: folder), in: folder, environment: environment,
      streams, isApart: true)
    begun(child.number)
    running.begin(child.number)
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
    // Ends its whole group, also when it ended by itself.
    let ending = child.ending()
    for index in prints.indices { prints[index].takeRest() }
    return isOverdue
      ? nil : CommandEnding(.init(ending), stdout: prints[0].text, stderr: prints[1].text)
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
    /// no more than is judged.
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
