import UnderstudyContractModel

extension Contract {
  /// Bodies that are files of their own, each once, by their paths beneath the upstream.
  var bodyFiles: [(path: String, bytes: [UInt8])] {
    var seen: Set<String> = []
    return cases.compactMap { served in
      guard case .file(let path)? = served.response?.body, seen.insert(path).inserted else {
        return nil
      }
      return (path, served.response?.bodyBytes ?? [])
    }
  }
}
