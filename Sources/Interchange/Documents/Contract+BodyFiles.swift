import UnderstudyContractModel
import UnderstudyJSON

extension Contract {
  /// Bodies of responses and callbacks that are files of their own, each once, by their paths
  /// beneath the upstream.
  var bodyFiles: [(path: String, bytes: [UInt8])] {
    var seen: Set<String> = []
    return cases.flatMap { served -> [(path: String, bytes: [UInt8])] in
      var files = served.callbacks.compactMap { callback in
        callback.source["file"]?.string.map { (path: $0, bytes: callback.bodyBytes) }
      }
      if case .file(let path)? = served.response?.body {
        files.insert((path, served.response?.bodyBytes ?? []), at: 0)
      }
      return files
    }.filter { seen.insert($0.path).inserted }
  }
}
