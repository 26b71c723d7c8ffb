import Consumers
import FakeServer
import Suite

/// What `understudy test --mutate` starts itself as: the same words, and which mutant comes first.
enum MutationWorkerCommand {
  private static let verb = "mutation-worker"

  private static let first = Parameter<Seed>.argument("FIRST", "The number of the first mutant.")

  /// The words that start one, for the command line of this process.
  static func words(first: Int) -> [String] {
    let own = CommandLine.arguments
    return Array(own.prefix(1)) + [verb, String(first)] + own.dropFirst(2)
  }

  static func command(_ registry: ConsumerRegistry) -> Command {
    Command(
      name: "understudy \(verb)",
      summary: "Feeds damaged answers to services, for understudy test --mutate",
      parameters: [first.declaration] + TestOptions.declarations,
      run: { arguments, terminal throws(CommandLineError) in
        let first = Int(clamping: try arguments.value(of: first).value)
        let library = try TestCommand.library(arguments)
        let plan = SuitePlan(
          library, registry, where: try Selection(arguments, library).contains)
        guard let choice = try TestOptions.mutation(arguments) else { return .pass }
        let worker = MutationWorker(library, plan.checks(for: choice), choice)
        do throws(SystemError) {
          try Blocking.run { () async throws(SystemError) in try await worker.run(from: first) }
        } catch {
          throw .cannotServe(error)
        }
        return .pass
      })
  }
}
