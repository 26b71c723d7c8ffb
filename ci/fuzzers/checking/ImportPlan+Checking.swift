import UnderstudyContractModel
import UnderstudyInterchange
import UnderstudyJSON

extension ImportPlan {
  /// The contracts that it would write. Ends the process if a file is not beneath the folder, or if
  /// a contract is not JSON.
  ///
  /// - Parameter folder: begins with the folder of contracts, which is one word.
  package func checkedLibrary(below folder: String) -> ContractLibrary {
    var files: [String: [UInt8]] = [:]
    for case .write(let file) in changes {
      precondition(file.path.hasPrefix("\(folder)/"), "\(file.path) is elsewhere")
      let names = file.path.split(separator: "/", omittingEmptySubsequences: false)
      precondition(!names.contains("..") && !names.contains(""), "\(file.path) is elsewhere")
      files[names.dropFirst().joined(separator: "/")] = file.bytes
      guard file.path.hasSuffix(".json"), !file.path.contains("/files/") else { continue }
      precondition(JSONDocument(valid: file.bytes) != nil, "\(file.path) is not JSON")
    }
    return ContractLibrary(readingBytes: files)
  }
}
