import ContractModel
import Diagnostics
import Drift
import Findings

/// What `understudy drift --update` does to the contracts.
struct DriftUpdate {
  let update: ContractUpdate
  /// Whether the changes are shown instead of made.
  let isDryRun: Bool

  /// A diff goes to standard output, for `git apply`; all else is about it and does not. Answers
  /// whether all was written that is to be.
  func apply(to terminal: inout Terminal) -> Bool {
    var isWhole = true
    for file in update.files {
      if isDryRun {
        terminal.write(patch: file.diff)
        continue
      }
      do throws(CommandLineError) {
        try write(file)
        terminal.errors.write(line: "updated \(file.path)")
      } catch {
        isWhole = false
        terminal.writeError(error)
      }
    }
    if update.files.isEmpty { terminal.errors.write(line: "found nothing to update") }
    for rest in update.leftOver {
      terminal.errors.write(
        line: "left \(rest.caseID): \(rest.finding.type.rawValue): \(rest.finding.message)")
      terminal.errors.write(line: "  since \(rest.reason)")
    }
    return isWhole
  }

  private func write(_ file: ContractUpdate.File) throws(CommandLineError) {
    switch FileSystem.read(file.path) {
    case .failure(let error): throw CommandLineError(message: error.message, fix: error.fix)
    case .success(let bytes):
      guard bytes == file.original else {
        throw CommandLineError(
          message: "left \(file.path) as it is: it has changed since it was read",
          fix: "run the command again")
      }
    }
    try OutputFile.write(file.bytes, to: file.path)
  }
}
