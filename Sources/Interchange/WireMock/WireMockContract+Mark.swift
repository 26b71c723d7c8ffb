import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

extension WireMockContract {
  /// What another import may do with a contract that exists.
  enum Fate {
    /// No import made it.
    case own
    /// It is as an import made it, and may be replaced.
    case imported
    /// It, or a file with a body, was changed since.
    case changed
  }

  static func fate(of contract: Contract) -> Fate {
    guard let found = contract.source[originKey]?.string, found.hasPrefix(origin) else {
      return .own
    }
    return found == mark(of: contract.source, contract.bodyFiles) ? .imported : .changed
  }

  /// Changes with the contract and its files, but not with their layout. What a contract waives is
  /// kept by another import, so it does not count.
  fileprivate static func mark(
    of source: JSONValue?, _ files: [(path: String, bytes: [UInt8])]
  ) -> String {
    let members = JSONObject(of: source).all.filter { ![originKey, "waive"].contains($0.key) }
    var print = Fingerprint()
    print.add(
      ContractOrigin.digest(of: [JSONText.object(members.map { ($0.key, $0.value) }).root]).utf8)
    for file in files.sorted(by: { $0.path < $1.path }) {
      print.add(file.path.utf8)
      print.add(file.bytes)
    }
    return "\(origin) \(print.hex)"
  }
}

extension ContractDraft {
  /// Says of a contract made of stubs that it is as it was imported.
  mutating func markAsImported() {
    // One that comes back from an export has the mark of its import.
    guard self[WireMockContract.originKey]?.root?.string == WireMockContract.origin else { return }
    self[WireMockContract.originKey] = .string(WireMockContract.mark(of: text.root, files))
  }
}
