import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// The checks that did not pass when they were last run, kept beside the contracts' folder for
/// `--failed`.
enum LastRun {
  private static let path = ".understudy/last-test.json"

  /// Forgets nothing that the run did not come to: neither what it was not about, nor what was still
  /// to be checked when it ended.
  ///
  /// - Parameters:
  ///   - planned: what it was to check.
  ///   - isWhole: whether it was about all there is; what is not in it is there no more.
  static func keep(
    _ report: Report, planned: some Sequence<Check.Identity>, isWhole: Bool
  ) throws(Failure) {
    let planned = Set(planned)
    let reached = Set(
      report.checks.filter { $0.verdict != .notExercised || !planned.contains($0.identity) }
        .map(\.identity))
    // Of a file that cannot be read any more there is nothing to keep.
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

  /// The checks that failed or could not be judged.
  static func open() throws(Failure) -> Set<Check.Identity> {
    guard (try? FileRoot(around: path).kind(of: path)) != nil else {
      throw Failure(
        message: "found no last run in \(path)", fix: "run without --failed first")
    }
    guard let open = read() else {
      throw Failure(
        message: "cannot read what did not pass from \(path)", fix: "run without --failed")
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
    message: "found nothing in \(path) that failed, so there is nothing to run again",
    fix: "run without --failed")
}
