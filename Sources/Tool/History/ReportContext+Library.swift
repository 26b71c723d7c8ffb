import UnderstudyContractModel
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyReports

extension ReportContext {
  /// - Parameter history: of all runs, including this one if it is to be shown.
  init(_ library: ContractLibrary, _ history: History) {
    var texts: [String: String] = [:]
    for contract in library.contracts {
      texts[contract.file] = String(decoding: contract.source.document.bytes, as: UTF8.self)
    }
    self.init(history: history, contractTexts: texts)
  }
}
