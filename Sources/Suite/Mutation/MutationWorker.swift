import UnderstudyClient
import UnderstudyConsumers
package import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON
package import UnderstudySystem

/// The selected mutants of a run.
package struct MutationChoice: Sendable {
  /// The number chosen at random by the seed; `nil` for all.
  package var countMax: Int?
  package var seed: UInt64 = 0
  /// The ids to run, if any.
  package var ids: [String] = []

  package init() {}

  /// The numbers of those chosen, in their order.
  func numbers(of ids: [String]) -> [Int] {
    let named = ids.indices.filter { self.ids.isEmpty || self.ids.contains(ids[$0]) }
    return countMax.map { drawn($0, of: named, ids) } ?? named
  }

  /// At most this many of them, in order.
  func drawn(_ countMax: Int, of numbers: [Int], _ ids: [String]) -> [Int] {
    guard numbers.count > countMax else { return numbers }
    let ranked = numbers.map { ($0, rank(of: ids[$0])) }.sorted { $0.1 < $1.1 }
    return ranked.prefix(countMax).map(\.0).sorted()
  }

  /// Mixed with the seed, so that it depends only on the id.
  private func rank(of id: String) -> UInt64 {
    var print = Fingerprint(seed: seed &* 0x9E37_79B9_7F4A_7C15)
    print.add(id.utf8)
    var hash = print.value
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    return hash ^ hash >> 27
  }
}

/// Feeds mutants to consumers in a process that may crash.
package struct MutationWorker: Sendable {
  private let library: ContractLibrary
  private let checks: [PlannedCheck]
  private let choice: MutationChoice
  private let learned: LearnedReads

  /// - Parameter learned: what commands read.
  package init(
    _ library: ContractLibrary, _ checks: [PlannedCheck], _ choice: MutationChoice,
    learned: LearnedReads = LearnedReads()
  ) {
    (self.library, self.checks, self.choice) = (library, checks, choice)
    self.learned = learned
  }

  /// - Parameter first: the number of the first mutant; those before are done.
  package func run(from first: Int) async throws(SystemError) {
    var configuration = SuiteConfiguration()
    configuration.noteCommand = { WorkerPipe.note(command: $0, isRunning: $1) }
    let fake = try await SharedFake.start(library, configuration)
    let all = await mutants(on: fake)
    await fake.close()
    let ids = all.map { checks[$0.check].id(of: $0.mutant) }
    let chosen = choice.numbers(of: ids)
    let numbers = chosen.filter { !all[$0].target.isCommand }
    let forCommands = choice.drawn(
      choice.countMax ?? CommandTarget.countMax, of: chosen.filter { all[$0].target.isCommand }, ids
    )
    let sampled = (choice.drawn(SocketSample.countMax, of: numbers, ids) + forCommands)
      .compactMap { number in
        let (target, check, mutant) = all[number]
        return target.isServable
          ? SocketSample.Item(checks[check], mutant, target.response(of: mutant), number: number)
          : nil
      }
    for index in checks.indices {
      let count = (numbers + sampled.map(\.number)).count { all[$0].check == index }
      WorkerPipe.tell(.planned(check: index, count: count))
    }
    // Before the first mutant, so that its time does not count for the last one.
    let sample = try await SocketSample.start(sampled, of: library, configuration)
    for number in numbers where number >= first {
      let (target, check, mutant) = all[number]
      WorkerPipe.tell(.mutant(number: number, check: check, id: ids[number]))
      guard case .service(let target) = target else { continue }
      tell(await target.outcome(of: mutant), of: mutant, target)
    }
    for (place, item) in sample.items.enumerated() where all.count + place >= first {
      let (target, check, mutant) = all[item.number]
      WorkerPipe.tell(.mutant(number: all.count + place, check: check, id: ids[item.number]))
      let outcome = await sample.outcome(at: place)
      switch target {
      case .service(let target): tell(outcome, of: mutant, target, "over a socket, ")
      case .command(let target): tell(MutantComparison(outcome, of: mutant, target))
      }
    }
    WorkerPipe.finish()
    await sample.close()
  }

  /// The mutants of all checks, by which they are numbered.
  private func mutants(
    on fake: SharedFake
  ) async -> [(target: Target, check: Int, mutant: Mutant)] {
    var all: [(target: Target, check: Int, mutant: Mutant)] = []
    for (index, check) in checks.enumerated() {
      // Preparing takes a while, and the parent process waits only so long for a line.
      WorkerPipe.tell(.planned(check: index, count: 0))
      do throws(MutationUnavailable) {
        let target = try await target(of: check, on: fake, session: "m-\(index)")
        all += target.mutants.map { (target, index, $0) }
      } catch {
        WorkerPipe.tell(.notChecked(check: index, reason: error.reason))
      }
    }
    return all
  }

  /// A good response that a consumer gets.
  private enum Target {
    case service(MutationTarget)
    case command(CommandTarget)

    var isCommand: Bool { if case .command = self { true } else { false } }

    var isServable: Bool { if case .service(let target) = self { target.isServable } else { true } }

    var mutants: [Mutant] {
      switch self {
      case .service(let target): target.mutants
      case .command(let target): target.mutants
      }
    }

    func response(of mutant: Mutant) -> ClientResponse? {
      switch self {
      case .service(let target): target.response(of: mutant)
      case .command(let target): target.response(of: mutant)
      }
    }
  }

  private func target(
    of check: PlannedCheck, on fake: SharedFake, session: String
  ) async throws(MutationUnavailable) -> Target {
    switch check.callee {
    case .service(let service):
      .service(
        try await MutationTarget(recording: check, of: service, on: fake, session: session))
    case .command(let command):
      .command(
        try await CommandTarget(
          running: command, for: check, on: fake, session: session, in: library,
          learned: learned))
    }
  }

  private func tell(
    _ outcome: ConsumerOutcome?, of mutant: Mutant, _ target: MutationTarget, _ prefix: String = ""
  ) {
    let consumer = library.consumers.first { $0.name == target.check.expectation.consumer }
    guard let outcome else { return }
    tell(
      MutantComparison(
        outcome, of: mutant, expected: target.expected,
        errorNames: consumer?.errors.map(\.name) ?? []),
      prefix)
  }

  private func tell(_ comparison: MutantComparison?, _ prefix: String = "") {
    guard let comparison else { return }
    WorkerPipe.tell(.found(type: comparison.type, message: prefix + comparison.message))
  }
}

extension SuitePlan {
  /// The checks whose responses are to be mutated.
  package func checks(for choice: MutationChoice) -> [PlannedCheck] {
    checks.filter { check in
      check.isMutable
        && (choice.ids.isEmpty || choice.ids.contains { $0.hasPrefix(check.mutantPrefix) })
    }
  }
}
