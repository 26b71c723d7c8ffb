import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
package import UnderstudyFindings
package import UnderstudyJSON
import UnderstudySuite
import UnderstudySystem

/// Plays the contracts that an update changes, as `understudy test` does, and adapts their
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
  /// Checks that passed before and now fail.
  package private(set) var broken: [Check] = []
  /// Checks of new cases without an expectation, since none passes with the service's result.
  package private(set) var open: [Check] = []
  /// Whether there was time to play the changes, and to play them again.
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
    let failed = try await failures(with: update.files)
    guard !failed.isEmpty else {
      isWhole = true
      return
    }
    guard !isOver() else { return }
    let before = Set(try await failures(with: []).map(\.check.identity))
    for play in failed where !before.contains(play.check.identity) { mend(play) }
    guard !isOver() else { return }
    isWhole = true
    for play in try await failures(with: self.update.files)
    where !before.contains(play.check.identity) {
      if isNew(play.check) {
        self.update.drop(play.planned.expectation, of: play.planned.contract)
        open.append(play.check)
      } else {
        broken.append(play.check)
      }
    }
  }

  private func isNew(_ check: Check) -> Bool {
    update.addedCaseIDs.contains(check.identity.caseID)
  }

  private mutating func mend(_ play: SuiteRun.Play) {
    let contract = play.planned.contract
    guard case .value(let expected) = play.planned.expectation.outcome,
      edited[contract.file, default: []].insert(expected.pointer).inserted
    else { return }
    switch play.outcome {
    case .value(let value)?:
      update.expect(value, insteadOf: expected, in: contract)
      if !isNew(play.check) {
        let changes = expected.changes(to: value)
        rewrites.append(Rewrite(identity: play.check.identity, changes: changes))
      }
    case .error(let error)? where isNew(play.check):
      update.expect(error, insteadOf: expected, in: contract)
    default: break
    }
  }

  /// The failing checks of the contracts with these texts, and all checks of new cases that do not
  /// pass.
  private func failures(
    with files: [ContractUpdate.File]
  ) async throws(Failure) -> [SuiteRun.Play] {
    let bytes = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    let libraries = try roots.map { root throws(Failure) in
      try ContractLibrary.load(root, with: bytes)
    }
    var failures: [SuiteRun.Play] = []
    for library in libraries {
      failures += try await plays(of: library).filter {
        $0.check.verdict == .fail || $0.check.verdict != .pass && isNew($0.check)
      }
    }
    return failures
  }

  private func plays(of library: ContractLibrary) async throws(Failure) -> [SuiteRun.Play] {
    // A service may request other endpoints, which play their default.
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
      return try await run.plays(of: plan.checks)
    } catch {
      throw Failure(message: "cannot play the contracts: \(error)")
    }
  }
}
