import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
package import UnderstudyFindings
package import UnderstudyJSON
import UnderstudySuite
import UnderstudySystem

/// Serves the contracts that an update changes, as `understudy test` does, and adapts their
/// expectations to the services' results.
///
/// An expected value that matched before is rewritten to the new result. A new case expects the
/// service's result if it then passes. Other checks that fail now are reported for review.
package struct UpdateTrial: Sendable {
  /// A value that was rewritten, since a service's result for the example changed.
  package struct Rewrite: Sendable {
    package let identity: Check.Identity
    package let changes: [JSONChange]
  }

  private let registry: ConsumerRegistry
  private let roots: [String]
  private let paths: Set<String>
  package private(set) var update: ContractUpdate
  package private(set) var rewrites: [Rewrite] = []
  /// Checks that passed before and do not now.
  package private(set) var broken: [Check] = []
  /// Checks of new cases without an expectation, since none passes with the service's result.
  package private(set) var open: [Check] = []
  /// What lint finds in the changed contracts and did not find before.
  package private(set) var lintFindings: [Finding] = []
  /// Whether there was time to serve the changes, and to serve them again.
  package private(set) var isWhole = false
  /// The edited values, by file; cases share them through `like`.
  private var edited: [String: Set<JSONPointer>] = [:]

  init(
    of update: ContractUpdate, _ registry: ConsumerRegistry, isOver: () -> Bool
  ) async throws(Failure) {
    self.update = update
    self.registry = registry
    paths = Set(update.files.map(\.path))
    roots = Set(try ContractLibrary.roots(of: update.files.map(\.path))).sorted()
    guard !isOver() else { return }
    let old = try libraries(with: [])
    let open = try await openTrials(of: libraries(with: update.files))
    guard !isOver() else { return }
    if !open.isEmpty {
      let before = Set(try await openTrials(of: old).map(\.check.identity))
      for trial in open where !before.contains(trial.check.identity) { mend(trial) }
      guard !isOver() else { return }
      for trial in try await openTrials(of: libraries(with: self.update.files))
      where !before.contains(trial.check.identity) {
        if isNew(trial.check) {
          self.update.drop(trial.planned.expectation, of: trial.planned.contract)
          self.open.append(trial.check)
        } else {
          broken.append(trial.check)
        }
      }
    }
    let known = Set(old.flatMap(\.findings).map(LintSite.init))
    lintFindings = try libraries(with: self.update.files).flatMap(\.findings).filter {
      !known.contains(LintSite($0))
    }
    isWhole = true
  }

  /// A finding of lint, on whatever line.
  private struct LintSite: Hashable {
    let file: String
    let type: FindingType
    let message: String

    init(_ finding: Finding) {
      (file, type, message) = (finding.file, finding.type, finding.message)
    }
  }

  private func isNew(_ check: Check) -> Bool {
    update.addedCaseIDs.contains(check.identity.caseID)
  }

  private mutating func mend(_ trial: SuiteRun.Trial) {
    let contract = trial.planned.contract
    guard case .value(let expected) = trial.planned.expectation.outcome,
      edited[contract.file, default: []].insert(expected.pointer).inserted
    else { return }
    switch trial.outcome {
    case .value(let value)?:
      update.expect(value, insteadOf: expected, in: contract)
      if !isNew(trial.check) {
        let changes = expected.changes(to: value)
        rewrites.append(Rewrite(identity: trial.check.identity, changes: changes))
      }
    case .error(let error)? where isNew(trial.check):
      update.expect(error, insteadOf: expected, in: contract)
    default: break
    }
  }

  /// The contracts with these texts.
  private func libraries(
    with files: [ContractUpdate.File]
  ) throws(Failure) -> [ContractLibrary] {
    let bytes = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    return try roots.map { root throws(Failure) in try ContractLibrary.load(root, with: bytes) }
  }

  /// The checks that do not pass.
  private func openTrials(of libraries: [ContractLibrary]) async throws(Failure) -> [SuiteRun
    .Trial]
  {
    var open: [SuiteRun.Trial] = []
    for library in libraries {
      open += try await trials(of: library).filter { $0.check.result != .pass }
    }
    return open
  }

  private func trials(of library: ContractLibrary) async throws(Failure) -> [SuiteRun.Trial] {
    // A service may request other endpoints, which serve their default.
    let changed = Set(
      library.contracts.filter { paths.contains($0.file) }.map(\.upstreamName))
    let readers = Set(
      library.consumers.filter { !changed.isDisjoint(with: $0.upstreamNames) }.map(\.name))
    let plan = SuitePlan(library, registry) { contract, _, name in
      paths.contains(contract.file) || name.map(readers.contains) ?? false
    }
    var configuration = SuiteConfiguration()
    configuration.timeScale = 0
    let run = SuiteRun(library, configuration)
    do throws(SystemError) {
      return try await run.trials(of: plan.checks)
    } catch {
      throw Failure(message: "cannot serve the contracts: \(error)")
    }
  }
}
