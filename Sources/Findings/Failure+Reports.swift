import UnderstudyCore
import UnderstudyJSON

extension Failure {
  static func noReport(file: String) -> Self {
    Self(
      at: Place(file), message: "no \"schemaVersion\", expected an understudy report",
      fix: "name the files that --report json=PATH wrote")
  }

  static func otherVersion(_ version: Int, file: String) -> Self {
    Self(
      at: Place(file),
      message: "found a report of version \(version), expected \(Report.schemaVersion)",
      fix: "read it with the version of understudy that wrote it")
  }

  static func broken(_ error: JSONDecodingError, file: String) -> Self {
    Self(
      at: Place(file, error.position), message: "\(error.pointer): \(error.message)".visible,
      fix: "use the file as --report json=PATH wrote it")
  }

  // MARK: - Joining

  static let nothingToJoin = Self(
    message: "no report to join", fix: "name the reports of all shards")

  static func noShard(file: String) -> Self {
    Self(
      at: Place(file), message: "found the report of a whole run, expected a shard's report",
      fix: "run with --shard, or use this report as it is")
  }

  /// Two reports that differ in a value all shards of a run share.
  static func otherRun(
    _ what: String, _ first: (file: String, text: String), _ second: (file: String, text: String)
  ) -> Self {
    Self(
      message: "found \(what) \(first.text) in \(first.file) and \(second.text) in"
        + " \(second.file), expected shards of one run",
      fix: "join only reports of one run")
  }
}
