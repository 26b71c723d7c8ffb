package import UnderstudyFindings

/// What a report can tell more with than the run itself.
package struct ReportContext: Sendable {
  /// Of the nights before, with this one.
  package let history: History
  /// The text of each contract, by the file as findings name it.
  package let contractTexts: [String: String]

  package init(history: History = History(), contractTexts: [String: String] = [:]) {
    self.history = history
    self.contractTexts = contractTexts
  }
}
