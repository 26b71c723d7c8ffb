import UnderstudyJSON

/// Why reports could not be read or joined, and how to mend it.
package struct FindingsError: Error, Hashable, Sendable {
  /// One sentence without a full stop, naming the file.
  package let message: String
  /// What to do about it, as an instruction.
  package let fix: String?

  static func notJSON(_ error: JSONError, file: String) -> Self {
    Self(
      message: "\(file):\(error.position): \(error.message)",
      fix: "take the whole file that --report json=PATH wrote")
  }

  static func noReport(file: String) -> Self {
    Self(
      message: "\(file): found no \"schemaVersion\", expected a report of understudy",
      fix: "name the files that --report json=PATH wrote")
  }

  static func otherVersion(_ version: Int, file: String) -> Self {
    Self(
      message: "\(file): found a report of version \(version), expected \(Report.schemaVersion)",
      fix: "read it with the version of understudy that wrote it")
  }

  static func broken(_ error: JSONDecodingError, file: String) -> Self {
    Self(
      message: "\(file):\(error.position): \(error.pointer): \(error.message)",
      fix: "take the file as --report json=PATH wrote it")
  }

  // MARK: - Joining

  static let nothingToJoin = Self(
    message: "found no report to join", fix: "name the reports of all shards")

  static func noShard(file: String) -> Self {
    Self(
      message: "\(file): found the report of a whole run, expected that of a shard",
      fix: "run with --shard, or use this report as it is")
  }

  /// Two reports that differ in what all shards of a run have in common.
  static func otherRun(
    _ what: String, _ first: (file: String, text: String), _ second: (file: String, text: String)
  ) -> Self {
    Self(
      message: "found \(what) \(first.text) in \(first.file) and \(second.text) in"
        + " \(second.file), expected shards of one run",
      fix: "join only reports that were made together")
  }
}

extension FindingsError: CustomStringConvertible {
  package var description: String { fix.map { "\(message)\n  fix: \($0)" } ?? message }
}
