import UnderstudyConsumers
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

/// How checks are run.
package struct SuiteConfiguration: Sendable {
  /// The factor for delays and expected timeouts.
  package var timeScale = 1.0
  /// The seed of the fake's random choices.
  package var seed: UInt64 = 0
  /// How many checks run at the same time.
  package var jobCountMax = 64
  /// How many of these may be commands, each of which is a process of its own.
  var commandCountMax = CommandConsumer.countMax
  /// Whether links to the live APIs lead to the fake.
  var rewritesLinks = false
  /// Makes what clients of TLS trust, for a run with cases that only they meet.
  var makeAuthority: @Sendable () throws(Failure) -> RunAuthority = { () throws(Failure) in
    try RunAuthority()
  }
  /// Receives the process number of a command when it starts, and when it has ended.
  var noteCommand: @Sendable (_ process: Int32, _ isRunning: Bool) -> Void = {
    CommandGuard.note($0, isRunning: $1)
  }
  /// How often each check is run.
  package var repeatCount = 1
  /// Whether nothing more is started once a check has failed.
  package var stopsAtFailure = false
  /// The time limit of a check, in addition to its contract's delay.
  package var guardTime: Duration = .seconds(30)
  /// Whether each check runs alone, so that its result is final.
  var isAlone = false
  /// Whether a check without an outcome is left to another process, since it may keep a thread of
  /// this one busy forever.
  var leavesHangs = false

  package init() {}
}
