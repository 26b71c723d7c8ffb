import ContractModel
import Drift
import Findings

/// The history that a run of `understudy drift` adds to and looks back on.
struct DriftPast {
  /// Named on the command line; `nil` for the usual place.
  let path: String?
  private let outageNightCount: Int
  /// Upstreams that were asked elsewhere: what those say is nothing their live APIs have shown.
  private let asked: Set<String>
  private let isReplay: Bool

  init(
    _ arguments: ParsedArguments, asked: some Sequence<String>, isReplay: Bool
  ) throws(CommandLineError) {
    path = try arguments.value(of: DriftOptions.history)?.argument
    outageNightCount = try arguments.value(of: DriftOptions.outageNights).value
    self.asked = path == nil ? Set(asked) : []
    self.isReplay = isReplay
  }

  /// Adds the checks of a run, and says which upstreams have been away for too long. A history that
  /// cannot be written is no reason to lose a run; one that cannot be read is.
  func remember(
    _ checks: [Check], at: Int, _ owners: [String: String], _ terminal: inout Terminal
  ) throws(CommandLineError) -> [Finding] {
    guard !isReplay else { return [] }
    let records = HistoryRecord.records(
      of: checks.filter { !asked.contains($0.identity.upstream) }, at: at)
    guard !records.isEmpty else { return [] }
    do throws(FileError) {
      try HistoryFile(path: path ?? HistoryFile.standardPath).append(records)
    } catch {
      terminal.writeError(CommandLineError(message: error.message, fix: error.fix))
      return []
    }
    let upstreams = Set(records.map(\.identity.upstream))
    return try HistoryCommand.read(path).history
      .outages(nightCount: outageNightCount, of: upstreams, owners: owners)
  }
}
