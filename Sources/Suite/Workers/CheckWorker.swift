package import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
package import UnderstudySystem

/// Runs checks in a process that may crash.
package struct CheckWorker: Sendable {
  private let library: ContractLibrary
  private let checks: [PlannedCheck]
  private let configuration: SuiteConfiguration

  /// - Parameter checks: of the whole plan.
  package init(
    _ library: ContractLibrary, _ checks: [PlannedCheck], _ configuration: SuiteConfiguration
  ) {
    (self.library, self.checks, self.configuration) = (library, checks, configuration)
  }

  package func run(
    _ numbers: [Int], areAlone: Bool, guardTime: Duration
  ) async throws(SystemError) {
    // The contracts may have changed since the parent process read them; it will notice.
    let numbers = numbers.filter(checks.indices.contains)
    var configuration = configuration
    configuration.isAlone = areAlone
    configuration.leavesHangs = !areAlone
    configuration.guardTime = guardTime
    configuration.noteCommand = { WorkerPipe.note(command: $0, isRunning: $1) }
    configuration.makeAuthority = { () throws(Failure) in
      try RunAuthority(trustFile: Environment[WorkerProgram.trustFileVariable])
    }
    _ = try await SuiteRun(library, configuration).trials(of: numbers.map { checks[$0] }) { event in
      switch event {
      case .begun(let place): WorkerPipe.tell(.begun(check: numbers[place]))
      case .attempted(let place): WorkerPipe.tell(.attempted(check: numbers[place]))
      case .checked(let place, let check):
        WorkerPipe.tell(.checked(check: numbers[place], check))
      }
    }
    WorkerPipe.finish()
  }
}
