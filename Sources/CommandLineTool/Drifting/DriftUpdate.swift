import Consumers
import ContractModel
import Diagnostics
import Drift
import Findings

/// What `understudy drift` does to the contracts.
struct DriftUpdate {
  enum Change {
    /// They say what the live APIs answer now.
    case update
    /// What those answer is a case of its own.
    case addCases
  }

  private let update: ContractUpdate
  /// What `understudy test` says of it that it did not say before.
  private let broken: [Check]

  init(_ update: ContractUpdate, _ registry: ConsumerRegistry) throws(CommandLineError) {
    let trial = try UpdateTrial(of: update, registry)
    self.update = trial.update
    broken = trial.broken
  }

  /// A diff goes to standard output, for `git apply`; all else is about it and does not.
  func show(on terminal: inout Terminal) {
    for file in update.files { terminal.write(patch: file.diff) }
    writeRest(to: &terminal.errors)
  }

  /// Answers whether all was written that is to be.
  func apply(to terminal: inout Terminal) -> Bool {
    var isWhole = true
    for file in update.files {
      do throws(CommandLineError) {
        try write(file)
        terminal.errors.write(line: "updated \(file.path)")
      } catch {
        isWhole = false
        terminal.writeError(error)
      }
    }
    writeRest(to: &terminal.errors)
    return isWhole
  }

  private func writeRest(to stream: inout TextStream) {
    if update.files.isEmpty { stream.write(line: "found nothing to update") }
    for rest in update.leftOver {
      stream.write(
        line: "left \(rest.caseID): \(rest.finding.type.rawValue): \(rest.finding.message)")
      stream.write(line: "  since \(rest.reason)")
    }
    for check in broken {
      stream.write(line: "see to \(check.identity): understudy test passes no more")
      for finding in check.findings {
        stream.write(line: "  \(finding.type.rawValue): \(finding.message)")
      }
    }
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
