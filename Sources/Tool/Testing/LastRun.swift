import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// The checks that did not pass in their last run, stored next to the contracts' folder for
/// `--failed`.
enum LastRun {
  private static let path = ".understudy/last-test.json"

  /// Keeps the entries of checks that were not selected or not reached.
  ///
  /// - Parameters:
  ///   - planned: the planned checks.
  ///   - isWhole: whether the run selected everything; entries outside it no longer exist.
  static func keep(
    _ report: Report, planned: some Sequence<Check.Identity>, isWhole: Bool
  ) throws(Failure) {
    let planned = Set(planned)
    let reached = Set(
      report.checks.filter { $0.result != .notExercised || !planned.contains($0.identity) }
        .map(\.identity))
    // An unreadable file has nothing to keep.
    let kept = (read() ?? []).filter {
      !reached.contains($0) && (!isWhole || planned.contains($0))
    }
    let open = report.checks(.fail) + report.checks(.couldNotCheck)
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.list("notPassed", kept + open.map(\.identity)) { writer, identity in
        writer.object { writer in identity.writeMembers(to: &writer) }
      }
    }
    try FileRoot(around: path).write(writer.bytes + [UInt8(ascii: "\n")], to: path)
  }

  /// The checks that failed or could not be checked.
  static func open() throws(Failure) -> Set<Check.Identity> {
    guard (try? FileRoot(around: path).kind(of: path)) != nil else {
      throw Failure(
        message: "no results of a last run in \(path)", fix: "run without --failed first")
    }
    guard let open = read() else {
      throw Failure(
        message: "cannot read the results of the last run in \(path)", fix: "run without --failed")
    }
    guard !open.isEmpty else { throw nothingFailed }
    return Set(open)
  }

  private static func read() -> [Check.Identity]? {
    guard let bytes = try? FileRoot(around: path).read(path),
      let root = try? JSONDocument(parsing: bytes).root, let list = root["notPassed"]
    else { return nil }
    return list.elements.compactMap(Check.Identity.init)
  }

  static let nothingFailed = Failure(
    message: "no failed checks in \(path) to run again",
    fix: "run without --failed")
}
