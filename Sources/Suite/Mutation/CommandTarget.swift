import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON

/// A good response that a command handles, ready to be mutated.
struct CommandTarget {
  /// The time limit for one mutated response.
  static let timeMax = Duration.seconds(20)
  /// How many mutated responses all commands get together when the number is not given: each starts
  /// a process.
  static let countMax = 200

  /// How it ends for the good response.
  private let ending: CommandEnding
  /// Whether it printed anything for the good response.
  var isSilent: Bool { ending.stdout.byteCount == 0 }
  /// Whether it printed the same when it was run again.
  let isSteady: Bool
  /// The exit codes that contracts expect of it.
  let exitCodes: Set<Int>
  let mutants: [Mutant]
  private let response: ClientResponse
  private let body: JSONDocument

  func response(of mutant: Mutant) -> ClientResponse? { mutant.applied(to: response, body: body) }

  func exits(like other: CommandEnding) -> Bool { other.reason == ending.reason }

  /// Whether it ends and prints as for the good response. Output that differs from run to run, such
  /// as a time, is not compared.
  func isSame(_ other: CommandEnding) -> Bool {
    other.reason == ending.reason && (!isSteady || other.stdout.bytes == ending.stdout.bytes)
  }

  /// Runs it twice for the good response.
  init(
    running command: CommandConsumer, for check: PlannedCheck, on fake: SharedFake,
    session: String, in library: ContractLibrary, learned: LearnedReads = LearnedReads()
  ) async throws(MutationUnavailable) {
    guard let response = check.served.response, response.templatedParts.isEmpty,
      let body = try? JSONDocument(parsing: check.served.bodyBytes)
    else { throw MutationUnavailable(reason: "its body has templates") }
    var endings: [CommandEnding] = []
    for _ in 0..<2 {
      let outcome = await fake.runOnce(
        command, for: check, session, within: Self.timeMax
      ).outcome
      if case .ended(let ending) = outcome { endings.append(ending) }
    }
    guard let ending = endings.first, endings.count == 2,
      OutcomeComparison(.ended(ending), against: check.expectation, in: check.contract.file)
        .findings
        .isEmpty
    else {
      throw MutationUnavailable(
        reason: "the original response does not give the expected exit code and output")
    }
    self.ending = ending
    isSteady = endings[0].stdout.bytes == endings[1].stdout.bytes
    self.body = body
    self.response = ClientResponse(
      status: response.status,
      headers: HTTPHeaders(response.headers.map { HTTPHeaders.Field($0.name, $0.value) }),
      body: check.served.bodyBytes)
    exitCodes = Set(
      library.contracts.flatMap(\.cases).flatMap(\.expectations).compactMap { expectation in
        guard expectation.consumer == command.name, case .exit(let code, _, _) = expectation.outcome
        else { return nil }
        return code
      })
    let reads = learned.entry(of: command.name, in: check.served, of: check.contract)
    // It may ignore mutation to what it reads, or all of it where that is unknown.
    mutants = MutantPlan(
      of: body, reads: reads?.readPaths(in: check.served), tolerances: check.expectation.tolerances
    ).mutants
      .map { mutant in
        guard mutant.demand == .error else { return mutant }
        return Mutant(mutant.change, at: mutant.pointer, .errorOrSameValue)
      }
  }
}

extension MutantComparison {
  /// The finding on how a command ended for a mutant; `nil` when it is permitted.
  init?(_ outcome: ConsumerOutcome?, of mutant: Mutant, _ target: CommandTarget) {
    let codes = target.exitCodes.sorted().map(String.init).joined(separator: ", ")
    switch outcome {
    case .ended(let ending):
      guard case .exited(let code) = ending.reason, target.exitCodes.contains(code) else {
        let reason = ending.stderr.errorLine.map { ": \($0.quotedAndCut)" } ?? ""
        self.init(
          .outcome,
          "the command \(ending.words)\(reason), expected an exit code that contracts expect of it:"
            + " \(codes)")
        return
      }
      let isUsual = target.exits(like: ending)
      if isUsual, !target.isSame(ending), mutant.demand != .any {
        self.init(
          .mutantSurvived,
          "found other output with exit code \(code), expected the same or another exit code")
      } else if !isUsual, mutant.demand == .sameValue {
        self.init(.outcome, "found exit code \(code), expected the same output")
      } else {
        return nil
      }
    case .notStarted(let reason): self.init(.outcome, "could not run the command: \(reason)")
    default: self.init(.hang, "no outcome within \(CommandTarget.timeMax.words)")
    }
  }
}
