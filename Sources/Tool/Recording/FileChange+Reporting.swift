import UnderstudyDrafting
import UnderstudyJSON

extension FileChange {
  /// What was done, or would be: `wrote Contracts/shop/greeting.json`.
  func words(isDone: Bool) -> String {
    switch self {
    case .write: "\(isDone ? "wrote" : "would write") \(path)"
    case .remove: "\(isDone ? "removed" : "would remove") \(path)"
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
