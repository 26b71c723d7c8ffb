import Consumers
import ContractModel
import Diagnostics
import Drift
import FakeServer
import Findings
import Suite

/// Plays the contracts that an update changes, as `understudy test` does, so that what they expect of
/// services is what these make of them.
///
/// A value that a service gave as expected until then is rewritten to the one it gives now, and of a
/// case that is new to whatever it makes of that; what else held and no longer does is for people to
/// look at.
struct UpdateTrial {
  private let registry: ConsumerRegistry
  private let roots: [String]
  private let paths: Set<String>
  private(set) var update: ContractUpdate
  /// Checks that passed before, or are new, and do not hold.
  private(set) var broken: [Check] = []

  init(
    of update: ContractUpdate, _ registry: ConsumerRegistry
  ) throws(CommandLineError) {
    self.update = update
    self.registry = registry
    paths = Set(update.files.map(\.path))
    do throws(LoadError) {
      roots = Set(try ContractLibrary.roots(of: update.files.map(\.path))).sorted()
    } catch {
      throw CommandLineError(message: error.message, fix: error.fix)
    }
    var failed = try failures(with: update.files)
    guard !failed.isEmpty else { return }
    let before = Set(try failures(with: []).map(\.check.identity))
    failed.removeAll { before.contains($0.check.identity) }
    for play in failed { mend(play) }
    let known = Set(failed.map(\.check.identity))
    if !known.isEmpty {
      broken = try failures(with: self.update.files).map(\.check).filter {
        known.contains($0.identity)
      }
    }
  }

  private mutating func mend(_ play: SuiteRun.Play) {
    guard case .value(let expected) = play.planned.expectation.outcome else { return }
    let file = play.planned.contract.file
    let isNew = update.addedCaseIDs.contains(play.check.identity.caseID)
    switch play.outcome {
    case .value(let value)?: update.expect(value, insteadOf: expected, in: file)
    case .error(let error)? where isNew: update.expect(error, insteadOf: expected, in: file)
    case _ where isNew:
      update.expectNothing(insteadOf: expected, in: file)
    default: break
    }
  }

  /// What fails of the contracts with these texts.
  private func failures(
    with files: [ContractUpdate.File]
  ) throws(CommandLineError) -> [SuiteRun.Play] {
    let bytes = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    let libraries: [ContractLibrary]
    do throws(LoadError) {
      libraries = try roots.map { root throws(LoadError) in
        try ContractLibrary.load(root, with: bytes)
      }
    } catch {
      throw CommandLineError(message: error.message, fix: error.fix)
    }
    var failures: [SuiteRun.Play] = []
    for library in libraries {
      failures += try plays(of: library).filter { $0.check.verdict == .fail }
    }
    return failures
  }

  private func plays(of library: ContractLibrary) throws(CommandLineError) -> [SuiteRun.Play] {
    let plan = SuitePlan(library, registry) { contract, _, _ in paths.contains(contract.file) }
    var configuration = SuiteConfiguration()
    configuration.timeScale = 0
    let run = SuiteRun(library, configuration)
    do throws(SystemError) {
      return try Blocking.run { () async -> Result<[SuiteRun.Play], SystemError> in
        do throws(SystemError) {
          return .success(try await run.plays(of: plan.checks))
        } catch {
          return .failure(error)
        }
      }.get()
    } catch {
      throw CommandLineError(message: "cannot play the contracts: \(error)")
    }
  }
}
