import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudySuite
import UnderstudySystem

/// Runs a command of the user until it ends, with its input and output passed through.
enum UserCommand {
  struct Ended {
    let ending: ChildProcess.Ending
    let interruption: Int32?
    let isOverdue: Bool
  }

  /// - Parameter network: of its own, served by the server.
  static func run(
    _ words: [String], _ environment: [String], printsToErrors: Bool,
    _ signals: borrowing SignalWatch, _ timeMax: Duration?, in network: HermeticNetwork?,
    of server: FakeServer
  ) throws(Failure) -> Ended {
    let environment = CommandGuard.marking(environment)
    let isApart = timeMax != nil
    let child =
      if let network {
        try network.start(
          words, environment: environment, printsToErrors: printsToErrors, isApart: isApart,
          serving: server)
      } else {
        try start(words, environment, printsToErrors: printsToErrors, isApart: isApart)
      }
    CommandGuard.note(child.number, isRunning: true)
    let (interruption, isOverdue) = wait(
      for: child, signals, until: timeMax.map { .now + $0 })
    CommandGuard.note(child.number, isRunning: false)
    return Ended(ending: child.ending(), interruption: interruption, isOverdue: isOverdue)
  }

  private static func start(
    _ words: [String], _ environment: [String], printsToErrors: Bool, isApart: Bool
  ) throws(Failure) -> ChildProcess {
    var streams = ChildProcess.Streams()
    streams.printsToErrors = printsToErrors
    do throws(SystemError) {
      return try ChildProcess(
        words, environment: environment, streams, isApart: isApart, inheritsFiles: true)
    } catch {
      throw .cannotRun(words.first ?? "", error)
    }
  }

  /// How long a command may go on after a signal.
  private static let graceTime = Duration.seconds(10)

  /// Waits until the command has ended, or ends it at its time limit. Forwards signals and returns
  /// the last one; a command that goes on is ended at the second one, or some time after the first.
  private static func wait(
    for child: borrowing ChildProcess, _ signals: borrowing SignalWatch,
    until end: ContinuousClock.Instant?
  ) -> (interruption: Int32?, isOverdue: Bool) {
    var interruption: Int32?
    var end = end
    let descriptors = [child.descriptor, signals.descriptor]
    while true {
      let rest = end.map { Int32(clamping: ($0 - .now).milliseconds + 1) }
      let ready = Readiness.wait(for: descriptors, milliseconds: rest ?? -1)
      while let signal = signals.next() {
        let graceEnd = interruption == nil ? .now + graceTime : ContinuousClock.now
        end = min(end ?? graceEnd, graceEnd)
        interruption = signal.number
        child.handOn(signal.number, isFromKernel: signal.isFromKernel)
      }
      if ready.contains(0) { return (interruption, false) }
      if let end, .now >= end {
        ProcessTree.kill(child.number)
        return (interruption, interruption == nil)
      }
    }
  }
}
