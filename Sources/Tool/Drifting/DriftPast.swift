import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings

/// The history that a run of `understudy drift` adds to and looks back on.
struct DriftPast {
  /// With this run, once it is remembered.
  private(set) var history: History
  private let file: HistoryFile
  private let outageNightCount: Int
  /// Upstreams that were asked elsewhere: what those say is nothing their live APIs have shown.
  private let asked: Set<String>
  private let isReplay: Bool

  /// Reads the history: one that cannot be read is told before anybody is asked.
  init(
    _ arguments: ParsedArguments, asked: some Sequence<String>, isReplay: Bool,
    _ terminal: inout Terminal
  ) throws(Failure) {
    let path = try arguments.value(of: DriftOptions.history)?.argument
    file = HistoryFile(path: path ?? HistoryFile.standardPath)
    outageNightCount = try arguments.value(of: DriftOptions.outageNights).value
    self.asked = path == nil ? Set(asked) : []
    self.isReplay = isReplay
    history = try HistoryCommand.read(file, &terminal).history
  }

  /// Adds the checks of a run, and says which upstreams and cases have been away for too long, and
  /// what broke on an earlier night and may come back. A history that cannot be written is no reason
  /// to lose a run.
  mutating func remember(
    _ checks: [Check], at: Int, _ library: ContractLibrary, _ terminal: inout Terminal
  ) -> [Finding] {
    guard !isReplay else { return [] }
    let records = HistoryRecord.records(
      of: checks.filter { !asked.contains($0.identity.upstream) }, at: at)
    history = history.appending(records)
    do throws(Failure) {
      try file.append(records)
    } catch {
      terminal.writeError(error)
    }
    let names = Set(records.map(\.identity.upstream))
    let caseIDs = Set(records.map(\.identity.caseID))
    return history.outages(
      nightCount: outageNightCount, of: library.upstreams.filter { names.contains($0.name) },
      caseIDs) + history.openBreaks(of: library.liveCases, caseIDs)
  }
}
