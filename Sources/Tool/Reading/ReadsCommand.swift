import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySuite
import UnderstudySystem

/// `understudy reads` finds and shows which parts of the responses commands read.
///
/// `ReadsLearning` in the target `Suite` finds out, and `ReadsFile` keeps the result. Without
/// `--learn` nothing is started: what was not learned, or is outdated, is shown as unknown.
/// Services in Swift are not asked, since their decoders record what they read.
enum ReadsCommand {
  private static let learn = Parameter.flag(
    "learn", "Run the commands to find out, and keep what they read.")

  static let command = Command(
    name: "understudy reads",
    summary: "Shows which parts of the responses commands read",
    discussion: """
      A change of an API matters if a consumer reads what has changed. Services in Swift show that \
      by their decoders. For a command it is learned: with --learn it runs for each case with a \
      good JSON response while one part of the response is left out, and reads that part if it \
      then exits or prints differently. Parts within a part that it does not read are not tried.

      The results are kept in .understudy/reads.json, which CI can get from the repository. They \
      hold until the contract or the command changes: its words, the files that these name, and \
      what consumers.json lists as "sources". "understudy drift" then learns them anew, for a \
      minute at most. It takes the severity of a change from them, and "understudy test --mutate" \
      which mutation must not matter.

      Members of a map are learned as one: the schema has "additionalProperties", or good \
      responses have no key in common there. What a command that prints nothing reads stays \
      unknown.
      """,
    parameters: [
      Selection.words.declaration, Selection.folder.declaration,
      TestOptions.consumers.declaration, learn.declaration, OutputFormat.option.declaration,
    ],
    jsonOutput: """
      An object with reads, an array of objects with contract, case, consumer and paths, an array \
      of JSON pointers with * for any element of an array or member of a map; null where they are \
      unknown.
      """,
    examples: [
      "understudy reads": "Show what is known.",
      "understudy reads --learn joke": "Learn it for the cases of an upstream.",
    ],
    starts: .ofContracts,
    exitCodes: [
      .pass: "The reads are shown, or learned.",
      .couldNotRun:
        "Could not run: wrong usage, contracts with errors, or no command that reads JSON.",
      .couldNotCheck: "The reads of some cases could not be learned.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let (library, globs) = try Selection(arguments).loadAll(for: .running, &terminal)
      let consumers = try arguments.value(of: TestOptions.consumers)
      let names = library.consumers.filter(\.isCommand).map(\.name)
      for name in consumers where !names.contains(name) {
        throw .unknownName(name, "command", of: "--consumer", known: names)
      }
      let plan = SuitePlan(library, ConsumerRegistry([])) { contract, served, name in
        globs.selects(contract, served)
          && (consumers.isEmpty || name.map(consumers.contains) ?? false)
      }
      let checks = plan.checks.filter(ReadsLearning.canLearn)
      guard !checks.isEmpty else { throw .nothingToLearn() }
      var reads = try ReadsFile.read(for: library)
      var hasFailed = false
      var unknown: [Check.Identity: String] = [:]
      if try arguments.value(of: learn) {
        try TestCommand.refuseMissingPrograms(of: plan)
        let signal: Int32?
        (signal, unknown) = try ReadsFile.learn(checks, library, &reads, &terminal)
        if let signal { terminal.writeEndedEarly(by: signal) }
        hasFailed = !unknown.isEmpty || signal != nil
      }
      switch format {
      case .text: write(checks, reads, unknown, to: &terminal.output)
      case .json: writeJSON(checks, reads, to: &terminal.output)
      }
      return hasFailed ? .couldNotCheck : .pass
    })

  /// - Parameter unknown: why some could not be learned just now.
  private static func write(
    _ checks: [PlannedCheck], _ reads: LearnedReads, _ unknown: [Check.Identity: String],
    to stream: inout TextStream
  ) {
    for check in checks {
      stream.write(line: "\(check.identity)")
      guard let entry = reads.entry(of: check) else {
        stream.write(
          line: "  unknown: \(unknown[check.identity] ?? "run \"understudy reads --learn\"")")
        continue
      }
      if entry.paths.isEmpty { stream.write(line: "  nothing of the body") }
      for path in entry.paths { stream.write(line: "  \(path)") }
    }
  }

  private static func writeJSON(
    _ checks: [PlannedCheck], _ reads: LearnedReads, to stream: inout TextStream
  ) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.list("reads", checks) { writer, check in
        writer.object { writer in
          check.identity.writeMembers(to: &writer)
          if let entry = reads.entry(of: check) {
            writer.list("paths", entry.paths) { writer, path in writer.string(path) }
          } else {
            writer.key("paths")
            writer.null()
          }
        }
      }
    }
    stream.write(json: writer.bytes)
  }
}

extension LearnedReads {
  fileprivate func entry(of check: PlannedCheck) -> Entry? {
    entry(of: check.expectation.consumer, in: check.served, of: check.contract)
  }
}

extension Failure {
  fileprivate static func nothingToLearn() -> Self {
    Self(
      message: "no command that a case with a good JSON response expects something of",
      fix:
        "declare one in consumers.json with \"command\": [\"python3\", \"client.py\"]; services in"
        + " Swift show what they read by themselves")
  }
}
