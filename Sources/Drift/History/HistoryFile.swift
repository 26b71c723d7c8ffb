import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFindings
import UnderstudyHTTP
import UnderstudySystem

/// The history of live checks on disk: append-only JSON Lines, one record a line.
///
/// The folder stores the results of runs and finds what only several runs can show. Read this file,
/// then the extensions of `History`: `Outages`, `OpenBreaks`, `Shrinkage` and `Staleness`.
/// `Findings` has `History` itself and the format of its lines.
///
/// The file only grows, and its writers lock it. A broken line costs no other: the next record
/// begins on a line of its own, and readers report the line and go on. Only a checked response
/// proves anything; an upstream that could not be reached has neither passed nor drifted.
package struct HistoryFile: Sendable {
  package static let standardPath = ".understudy/drift/history.jsonl"
  /// The limit for reading, enough for more than a million records.
  private static let byteCountMax = 256 << 20

  package let path: String

  package init(path: String = standardPath) {
    self.path = path
  }

  private var root: FileRoot { FileRoot(around: path) }

  package var isThere: Bool { (try? root.kind(of: path)) != nil }

  /// A line that is not a record, such as one cut short by a crash.
  package struct BrokenLine: Hashable, Sendable {
    /// From 1 on.
    package let number: Int
    package let message: String
  }

  /// Appends records atomically: concurrent readers see all or none, and other writers wait.
  package func append(
    _ records: [HistoryRecord], requests: [RequestRecord] = []
  ) throws(Failure) {
    guard !records.isEmpty || !requests.isEmpty else { return }
    do throws(Failure) {
      let file = try root.open(path, to: "write", [.readsAndWrites, .appends, .creates])
      _ = try file.lock(.exclusive)
      var bytes = Self.endsInsideLine(file) ? [Self.newline] : []
      for line in records.map(\.line) + requests.map(\.line) {
        bytes += line
        bytes.append(Self.newline)
      }
      try file.write(bytes)
      try file.sync()
    } catch {
      throw error.fixed(by: "make the file writable, or name another file")
    }
  }

  /// Whether the last write stopped before the end of a line.
  private static func endsInsideLine(_ file: OpenFile) -> Bool {
    guard let count = file.byteCount, count > 0 else { return false }
    return file.read(byteCountMax: 1, at: count - 1).last != newline
  }

  /// All records, and the lines that are not records. A missing file has neither; a file without
  /// any record is refused.
  ///
  /// A record dated more than a day ahead, as a machine with a wrong clock writes it, counts as a
  /// broken line: it would stay the latest for years.
  package func read(
    now: Moment = .now
  ) throws(Failure) -> (history: History, brokenLines: [BrokenLine]) {
    guard try root.kind(of: path) != nil else { return (History(), []) }
    let file = try root.open(path, to: "read", .doesNotWait)
    _ = try file.lock(.shared)
    let bytes = try file.read(byteCountMax: Self.byteCountMax)
    var records: [HistoryRecord] = []
    var requests: [RequestRecord] = []
    var futureCount = 0
    var brokenLines: [BrokenLine] = []
    let lines = bytes.split(separator: Self.newline, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      do throws(Failure) {
        let parsed = try HistoryLine(parsing: Array(line))
        if parsed.at - now > .seconds(86_400) {
          futureCount += 1
          let day = parsed.at.date
          brokenLines.append(
            BrokenLine(number: index + 1, message: "its time is in the future, on \(day)"))
        } else {
          switch parsed {
          case .check(let record): records.append(record)
          case .requests(let record): requests.append(record)
          }
        }
      } catch {
        brokenLines.append(BrokenLine(number: index + 1, message: error.message))
      }
    }
    // The last line may have been cut short. A file with other lines and no record is not a
    // history.
    if records.isEmpty, requests.isEmpty, futureCount == 0, let first = brokenLines.first,
      first.number < lines.count
    {
      throw Failure(
        message: "no history in \(path): none of its lines is a record of understudy drift",
        fix: "name a file written by understudy drift")
    }
    return (History(records, requests: requests), brokenLines)
  }

  private static let newline = UInt8(ascii: "\n")
}
