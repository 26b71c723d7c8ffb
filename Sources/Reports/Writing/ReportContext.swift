package import UnderstudyCore
package import UnderstudyFindings

/// Input for reports beyond the run itself.
package struct ReportContext: Sendable {
  /// The history of past runs, including this one.
  package var history: History
  /// The text of a contract, by the file name that findings use.
  package var contractText: @Sendable (String) -> String?
  /// The file with the captured responses of a case, by when their run began; the path is from the
  /// working folder.
  package var captures: @Sendable (_ caseID: String, _ at: Moment) -> String?
  /// What would make the contracts match the responses, as `git apply` takes it.
  package var patch: @Sendable () -> String
  /// Where the report is to be, from the working folder, if that is known and beneath it.
  package var path: String?

  package init(
    history: History = History(),
    contractText: @escaping @Sendable (String) -> String? = { _ in nil },
    captures: @escaping @Sendable (String, Moment) -> String? = { _, _ in nil },
    patch: @escaping @Sendable () -> String = { "" }
  ) {
    self.history = history
    self.contractText = contractText
    self.captures = captures
    self.patch = patch
  }

  /// The address of another file, from the report's own folder.
  func address(of file: String) -> String? {
    guard let path, let own = Self.names(path), let other = Self.names(file) else { return nil }
    let common = zip(own.dropLast(), other).prefix { $0 == $1 }.count
    let up = [Substring](repeating: "..", count: own.count - 1 - common)
    return (up + other.dropFirst(common)).joined(separator: "/").percentEncoded
  }

  /// `nil` for a path that is not beneath the working folder.
  private static func names(_ path: String) -> [Substring]? {
    let names = path.split(separator: "/").filter { $0 != "." }
    return path.hasPrefix("/") || names.contains("..") || names.isEmpty ? nil : names
  }
}
