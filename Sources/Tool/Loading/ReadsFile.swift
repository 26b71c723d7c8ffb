import Synchronization
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySuite
import UnderstudySystem

/// What commands read, kept in the working folder, from where it can go into the repository.
enum ReadsFile {
  static let path = ".understudy/reads.json"
  /// For learning anew before a run that needs it: the run itself should not wait for long.
  private static let renewalMax = Duration.seconds(60)

  /// Nothing is known where there is no file.
  static func read(for library: ContractLibrary) throws(Failure) -> LearnedReads {
    let folder = FileRoot(around: path)
    guard try folder.kind(of: path) != nil else { return LearnedReads() }
    let bytes = try folder.read(path)
    let programs = try programs(of: library)
    do throws(JSONError) {
      return try LearnedReads(parsing: bytes, programs: programs)
    } catch {
      throw Failure(
        at: Place(path, error.position), message: error.message,
        fix: "remove the file and run \"understudy reads --learn\" again")
    }
  }

  /// The fingerprints of commands as they are now, by name.
  static func programs(of library: ContractLibrary) throws(Failure) -> [String: String] {
    var programs: [String: String] = [:]
    for command in library.consumers.compactMap(CommandConsumer.init) {
      programs[command.name] = try command.fingerprint()
    }
    return programs
  }

  static func write(_ reads: LearnedReads) throws(Failure) {
    try FileRoot(around: path).write(reads.bytes, to: path)
  }

  /// Learns anew what was learned before the contract or the command has changed, as far as there
  /// is time. What is unknown then stays unknown.
  static func current(
    for library: ContractLibrary, of globs: [CaseGlob], _ terminal: inout Terminal
  ) throws(Failure) -> LearnedReads {
    var reads = try read(for: library)
    let plan = SuitePlan(library, ConsumerRegistry([])) { contract, served, _ in
      globs.selects(contract, served)
    }
    let stale = plan.checks.filter { ReadsLearning.canLearn($0) && reads.isStale($0) }
    guard !stale.isEmpty else { return reads }
    let (signal, _) = try learn(stale, library, within: renewalMax, &reads, &terminal)
    if let signal { throw Failure(message: Terminal.endedEarly(by: signal)) }
    let leftCount = stale.count(where: reads.isStale)
    terminal.errors.write(
      line: "learned anew what commands read in \((stale.count - leftCount).of("case")), as the"
        + " commands or the contracts have changed"
        + (leftCount > 0 ? "; of \(leftCount.of("case")) it is unknown" : ""))
    return reads
  }

  /// Returns the signal that ended it early, and why the reads of some checks stay unknown.
  static func learn(
    _ checks: [PlannedCheck], _ library: ContractLibrary, within limit: Duration? = nil,
    _ reads: inout LearnedReads, _ terminal: inout Terminal
  ) throws(Failure) -> (signal: Int32?, unknown: [Check.Identity: String]) {
    let signals = try SignalWatch.orError()
    let showsProgress = terminal.showsProgress
    let programs = try programs(of: library)
    let results: ReadsLearning.Results
    let signal: Int32?
    do throws(SystemError) {
      (results, signal) = try Blocking.run(cancelledBy: signals) {
        let line = Mutex(ProgressLine(of: "cases", isShown: showsProgress))
        defer { line.withLock { $0.clear() } }
        return await ReadsLearning(library, programs: programs).results(of: checks, within: limit) {
          count in
          line.withLock { $0.show(doneCount: count, of: checks.count, failureCount: 0) }
        }
      }
    } catch {
      throw .cannotServe(error)
    }
    reads = LearnedReads(reads.entries, programs: programs)
    reads.add(results.entries)
    try write(reads)
    for (check, reason) in results.failures {
      terminal.errors.write(line: "\(check): not learned: \(reason)")
    }
    let unknown = results.failures.map { ($0.check, $0.reason) }
    return (signal, Dictionary(unknown, uniquingKeysWith: { first, _ in first }))
  }
}
