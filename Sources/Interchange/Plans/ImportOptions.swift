package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyDrafting

/// What to import, and where to.
package struct ImportOptions: Sendable {
  /// The folder of contracts.
  package var folder: String
  /// The upstream's name, and optionally its base URL. Default: derived from the document.
  package var upstream: (name: String, baseURL: WebURL?)?
  /// Only these hosts, with their port unless it is the scheme's. Default: all.
  package var hosts: [String] = []
  /// Whether responses that are not JSON are imported, too.
  package var takesAll = false
  /// Whether existing contracts are rewritten.
  package var replacesContracts = false
  /// Whether requests that a document forbids are served as others are.
  package var isLenient = false
  /// Paths of contracts, instead of guesses.
  package var paths: [PathTemplate] = []
  /// How drift compares responses, which decides whether a case can be live.
  package let differs: ResponseComparison

  package init(folder: String, differs: @escaping ResponseComparison) {
    self.folder = folder
    self.differs = differs
  }
}
