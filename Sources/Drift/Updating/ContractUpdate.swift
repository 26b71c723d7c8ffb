import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting
package import UnderstudyFindings
import UnderstudyJSON

/// The contract files, edited to match the live responses.
///
/// The folder edits contracts so that they match live responses, and leaves the rest of their files
/// as it is. Read this file; `ContractChange`, which edits one file case by case; `ContractPatch`,
/// which edits one case; then `BodyEdit` for schemas, and `ResponseText`, `FollowingText` and
/// `WrappedBody` for examples. `ContractUpdate+Adding` adds responses as new cases.
/// `ContractProblems` finds what an edit would break, and `UpdateTrial` serves the edited contracts
/// to the consumers.
///
/// The changes of a case are applied as a whole or not at all; a `Refusal` has the reason. No edit
/// makes a contract stop matching the response of another live case, and none brings a problem that
/// the contract did not have. A file that was edited since it was read is not written.
package struct ContractUpdate: Sendable {
  /// A contract file as it was and as it becomes, to be shown as a diff or written.
  package struct File: Sendable {
    package let path: String
    /// As it was read.
    package let original: [UInt8]
    package internal(set) var bytes: [UInt8]

    /// As `git apply` and `patch -p1` take it.
    package var diff: String {
      TextDiff.patch(
        of: path, String(decoding: original, as: UTF8.self), String(decoding: bytes, as: UTF8.self))
    }

    /// Leaves a file unchanged if it was edited meanwhile.
    package func write() throws(Failure) {
      let root = FileRoot(ContractLibrary.root(ofFile: path))
      guard try root.read(path) == original else {
        throw Failure(
          message: "left \(path) unchanged: it was edited since it was read",
          fix: "run the command again")
      }
      try root.write(bytes, to: path)
    }
  }

  /// What remains of a case, and the reason.
  package struct Remainder: Sendable {
    package let caseID: String
    /// The first is the one that the reason concerns, if it concerns one.
    package let findings: [Finding]
    package let reason: String
  }

  /// The files that change.
  package internal(set) var files: [File] = []
  package internal(set) var leftOver: [Remainder] = []
  /// The cases that are new, by id.
  package internal(set) var addedCaseIDs: Set<String> = []

  /// Applies the changes of each case as a whole or not at all.
  ///
  /// - Parameters:
  ///   - accepted: what is not applied.
  ///   - now: the current time, for checks of dates.
  ///   - isOver: whether the time is up; the rest then remains.
  package init(
    of results: [LiveCaseResult], except accepted: AcceptedDrift?, now: Moment,
    isOver: @escaping () -> Bool = { false }
  ) {
    func isAccepted(_ difference: Difference, of result: LiveCaseResult) -> Bool {
      accepted?.accepts(difference, of: result.liveCase.identity, now: now) ?? false
    }
    let checked = results.filter { [.pass, .fail].contains($0.checks.first?.result) }
    let changed = Set(
      checked.filter { result in result.differences.contains { !isAccepted($0, of: result) } }
        .map(\.liveCase.contract.file))
    var changes: [ContractChange] = []
    for result in checked where changed.contains(result.liveCase.contract.file) {
      guard let response = result.response else { continue }
      let contract = result.liveCase.contract
      if changes.last?.contract.file != contract.file {
        changes.append(ContractChange(of: contract, now: now, isOver: isOver))
      }
      changes[changes.count - 1].samples.append(
        ContractChange.Sample(
          name: result.liveCase.served.name, response: response,
          wanted: result.differences.filter { !isAccepted($0, of: result) },
          accepted: result.differences.filter { isAccepted($0, of: result) }))
    }
    for index in changes.indices {
      leftOver += changes[index].run()
      if let file = changes[index].file { files.append(file) }
    }
  }
}
