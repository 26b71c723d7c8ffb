package import UnderstudyFindings

/// Input for reports beyond the run itself.
package struct ReportContext: Sendable {
  /// The history of past runs, including this one.
  package let history: History
  /// The text of each contract, by the file name that findings use.
  package let contractTexts: [String: String]

  package init(history: History = History(), contractTexts: [String: String] = [:]) {
    self.history = history
    self.contractTexts = contractTexts
  }
}
