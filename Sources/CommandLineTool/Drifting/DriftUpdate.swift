import Diagnostics
import Drift
import Findings

/// What `understudy drift --update` does to the contracts.
struct DriftUpdate {
  let update: ContractUpdate
  /// Whether the changes are shown instead of made.
  let isDryRun: Bool

  /// A diff goes to standard output, for `git apply`; all else is about it and does not.
  func apply(to terminal: inout Terminal) throws(CommandLineError) {
    for file in update.files {
      if isDryRun {
        terminal.write(patch: file.diff)
      } else {
        try OutputFile.write(file.bytes, to: file.path)
        terminal.errors.write(line: "updated \(file.path)")
      }
    }
    if update.files.isEmpty { terminal.errors.write(line: "found nothing to update") }
    for rest in update.leftOver {
      terminal.errors.write(
        line: "left \(rest.caseID): \(rest.finding.type.rawValue): \(rest.finding.message)")
      terminal.errors.write(line: "  since \(rest.reason)")
    }
  }
}
