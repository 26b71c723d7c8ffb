package import ContractModel
package import Findings
import Glibc
import HTTP

/// The history of live checks on disk: JSON Lines, one record a line, only ever appended to.
package struct HistoryFile: Sendable {
  package static let standardPath = ".understudy/drift/history.jsonl"
  /// More than a million records.
  private static let byteCountMax = 256 << 20

  package let path: String

  package init(path: String = standardPath) {
    self.path = path
  }

  /// A line that is no record, such as one that was being written when the machine went down.
  package struct BrokenLine: Hashable, Sendable {
    /// From 1 on.
    package let number: Int
    package let message: String
  }

  /// Adds records in one piece: who reads meanwhile sees all or none, and who else appends waits.
  package func append(_ records: [HistoryRecord]) throws(FileError) {
    guard !records.isEmpty else { return }
    FileSystem.makeFolders(around: path)
    let file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw error("write", errno) }
    defer { close(file) }
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else { throw error("lock", errno) }
    }
    var bytes: [UInt8] = try endsInsideLine(file) ? [Self.newline] : []
    for record in records {
      bytes += record.line
      bytes.append(Self.newline)
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(file, Array(rest), rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        throw error("write", count == 0 ? ENOSPC : errno)
      }
    }
  }

  /// Whether whoever wrote last was stopped before the end of a line.
  private func endsInsideLine(_ file: Int32) throws(FileError) -> Bool {
    let byteCount = lseek(file, 0, SEEK_END)
    guard byteCount >= 0 else { throw error("write", errno) }
    guard byteCount > 0 else { return false }
    var last: UInt8 = 0
    guard pread(file, &last, 1, byteCount - 1) == 1 else { throw error("read", errno) }
    return last != Self.newline
  }

  /// Every record, and the lines that are none. A file that is not there has none of either.
  ///
  /// - Parameter now: in seconds since 1970. A record from later than a day on, as a machine with a
  ///   wrong clock leaves it, would be the last for years, and counts as none.
  package func read(
    now: Int = time(nil)
  ) throws(FileError) -> (history: History, brokenLines: [BrokenLine]) {
    guard FileSystem.kind(of: path) != nil else { return (History(), []) }
    let bytes = try FileSystem.read(path, byteCountMax: Self.byteCountMax).get()
    var records: [HistoryRecord] = []
    var brokenLines: [BrokenLine] = []
    let lines = bytes.split(separator: Self.newline, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      do throws(FindingsError) {
        let record = try HistoryRecord(parsing: Array(line))
        if record.at > now + 86_400 {
          let day = CivilTime(unixSeconds: record.at).date
          brokenLines.append(
            BrokenLine(number: index + 1, message: "found a time yet to come, on \(day)"))
        } else {
          records.append(record)
        }
      } catch {
        brokenLines.append(BrokenLine(number: index + 1, message: error.message))
      }
    }
    return (History(records), brokenLines)
  }

  private static let newline = UInt8(ascii: "\n")

  private func error(_ verb: String, _ code: Int32) -> FileError {
    FileError(
      message: "cannot \(verb) \(path): \(String(cString: strerror(code)).lowercased())",
      fix: "let the history be written there, or name another file")
  }
}
