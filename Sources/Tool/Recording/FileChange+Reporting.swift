import UnderstudyDrafting
import UnderstudyJSON

extension FileChange {
  var wouldWords: String {
    switch self {
    case .write: "would write"
    case .remove: "would remove"
    }
  }

  var pastWords: String {
    switch self {
    case .write: "wrote"
    case .remove: "removed"
    }
  }

  /// An object for programs.
  func write(to writer: inout JSONWriter) {
    writer.object {
      switch self {
      case .write(let file):
        $0.member("file", file.path)
        $0.member("change", "write")
      case .remove(let path):
        $0.member("file", path)
        $0.member("change", "remove")
      }
    }
  }
}
