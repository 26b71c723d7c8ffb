import UnderstudyContractModel

extension Case {
  /// A body that is a file of its own, by its path beneath the upstream.
  var bodyFile: (path: String, bytes: [UInt8])? {
    guard case .file(let path)? = response?.body else { return nil }
    return (path, response?.bodyBytes ?? [])
  }
}
