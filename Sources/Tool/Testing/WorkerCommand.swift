import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySuite
import UnderstudySystem

/// The command `understudy test` starts itself with, to call services in a process that may crash.
enum WorkerCommand {
  private static let verb = "worker"

  /// The command-line words that start a worker of this program.
  static var words: [String] {
    let own = CommandLine.arguments
    return Array(own.prefix(1)) + [verb] + own.dropFirst(2)
  }

  /// The environment variables that a worker reads.
  static let variables =
    ShardFromEnvironment.variables
    + (TestOptions.declarations + TestOptions.groups.flatMap(\.options))
    .compactMap(\.environmentVariable)

  static func command(_ registry: ConsumerRegistry) -> Command {
    Command(
      name: "understudy \(verb)",
      summary: "Calls services for understudy test, which starts it and tells it what to do",
      parameters: TestOptions.declarations,
      optionGroups: TestOptions.groups,
      variables: ShardFromEnvironment.variables,
      starts: .byWorker,
      run: { arguments, terminal throws(Failure) in
        guard let order = WorkerPipe.open() else { throw .noOrder() }
        let (library, globs) = try Selection(arguments).loadAll(for: .running, &terminal)
        let whole = SuitePlan(
          library, registry, where: try RunSelection(arguments, globs, in: library).contains)
        // The shard was printed before.
        var nobody = Terminal()
        let plan = try Share(arguments, of: whole, &nobody)?.plan ?? whole
        let configuration = try TestOptions.configuration(arguments)
        let choice = try TestOptions.mutation(arguments) ?? MutationChoice()
        do throws(SystemError) {
          switch order {
          case .checks(let numbers, let areAlone, let guardTime):
            let worker = CheckWorker(library, plan.checks, configuration)
            try Blocking.run { () async throws(SystemError) in
              try await worker.run(numbers, areAlone: areAlone, guardTime: guardTime)
            }
          case .mutants(let first):
            // The parent process has reported a broken file.
            let worker = MutationWorker(
              library, plan.checks(for: choice), choice,
              learned: (try? ReadsFile.read(for: library)) ?? LearnedReads())
            try Blocking.run { () async throws(SystemError) in try await worker.run(from: first) }
          }
        } catch {
          throw .cannotServe(error)
        }
        return .pass
      })
  }
}

extension Failure {
  fileprivate static func noOrder() -> Self {
    Self(
      message: "no instructions, expected some from understudy test",
      fix: "run understudy test, which starts its own workers")
  }
}
