import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFindings
import UnderstudyHTTP
import UnderstudySystem

/// The history of live checks on disk: JSON Lines, one record a line, only ever appended to.
package struct HistoryFile: Sendable {
  package static let standardPath = ".understudy/drift/history.jsonl"
  /// More than a million records.
  private static let byteCountMax = 256 << 20

  package let path: String

  package init(path: String = standardPath) {
    self.path = path
  }

  private var root: FileRoot { FileRoot(around: path) }

  package var isThere: Bool { (try? root.kind(of: path)) != nil }

  /// A line that is no record, such as one that was being written when the machine went down.
  package struct BrokenLine: Hashable, Sendable {
    /// From 1 on.
    package let number: Int
    package let message: String
  }

  /// Adds records in one piece: who reads meanwhile sees all or none, and who else appends waits.
  package func append(_ records: [HistoryRecord]) throws(Failure) {
    guard !records.isEmpty else { return }
    do throws(Failure) {
      let file = try root.open(path, to: "write", [.readsAndWrites, .appends, .creates])
      _ = try file.lock(.exclusive)
      var bytes = Self.endsInsideLine(file) ? [Self.newline] : []
      for record in records {
        bytes += record.line
        bytes.append(Self.newline)
      }
      try file.write(bytes)
      try file.sync()
    } catch {
      throw error.fixed(by: "let the history be written there, or name another file")
    }
  }

  /// Whether whoever wrote last was stopped before the end of a line.
  private static func endsInsideLine(_ file: OpenFile) -> Bool {
    guard let count = file.byteCount, count > 0 else { return false }
    return file.read(byteCountMax: 1, at: count - 1).last != newline
  }

  /// Every record, and the lines that are none. A file that is not there has none of either; one of
  /// other lines alone is refused.
  ///
  /// A record from later than a day on, as a machine with a
  ///   wrong clock leaves it, would be the last for years, and counts as none.
  package func read(
    now: Moment = .now
  ) throws(Failure) -> (history: History, brokenLines: [BrokenLine]) {
    guard try root.kind(of: path) != nil else { return (History(), []) }
    let file = try root.open(path, to: "read", .doesNotWait)
    _ = try file.lock(.shared)
    let bytes = try file.read(byteCountMax: Self.byteCountMax)
    var records: [HistoryRecord] = []
    var futureCount = 0
    var brokenLines: [BrokenLine] = []
    let lines = bytes.split(separator: Self.newline, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      do throws(Failure) {
        let record = try HistoryRecord(parsing: Array(line))
        if record.at - now > .seconds(86_400) {
          futureCount += 1
          let day = record.at.date
          brokenLines.append(
            BrokenLine(number: index + 1, message: "found a time yet to come, on \(day)"))
        } else {
          records.append(record)
        }
      } catch {
        brokenLines.append(BrokenLine(number: index + 1, message: error.message))
      }
    }
    // The last line may have been cut short; a file with others, and no record, is somebody else's.
    if records.isEmpty, futureCount == 0, let first = brokenLines.first,
      first.number < lines.count
    {
      throw Failure(
        message: "found no history in \(path): none of its lines is a record of understudy drift",
        fix: "name a file that understudy drift has written to")
    }
    return (History(records), brokenLines)
  }

  private static let newline = UInt8(ascii: "\n")
}
