import Foundation
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFindings
import UnderstudyTestSupport

@testable import UnderstudySuite

/// Runs `jokes.wild`, the service in `Tests/WrongConsumers` that does what its response says, in
/// workers.
enum WildSuite {
  static let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("wrong-consumers").path

  /// - Parameters:
  ///   - setups: of the jokes.
  ///   - words: more of them for the worker.
  ///   - program: another one than the worker, which knows the checks.
  static func results(
    of setups: [String], _ words: String..., endedBy interruption: Int32 = -1,
    change: (inout SuiteConfiguration) -> Void = { _ in },
    program: ([PlannedCheck]) -> WorkerProgram? = { _ in nil },
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws -> SupervisedRun.Results {
    let contracts = try WildContracts(setups)
    let folder = "\(contracts.folder)/Contracts"
    let registry = ConsumerRegistry(
      WildContracts.consumers.map { ServiceConsumer($0) { _ in [] } })
    let plan = SuitePlan(try ContractLibrary.load([folder]), registry)
    var configuration = SuiteConfiguration()
    configuration.guardTime = .seconds(2)
    change(&configuration)
    let worker = WorkerProgram(
      [tool, "worker", "--contracts", folder] + words, at: tool, showsOutput: false)
    let run = SupervisedRun(of: plan.checks, configuration, by: program(plan.checks) ?? worker)
    let results = try await offPool { run.results(endedBy: interruption, progress: progress) }
    return withExtendedLifetime(contracts) { results }
  }
}

extension SupervisedRun.Results {
  /// Without what all of them have in common.
  var text: String {
    let own = findings.map { "\($0.severity.rawValue) \($0.type.rawValue) \($0.message)" }
    return (checks.map(\.text) + own).joined(separator: "\n")
      .replacing("joke/random#", with: "").replacing(", jokes.wild", with: "")
  }
}
