package import UnderstudyCore
import UnderstudySystem

extension CommandConsumer {
  private static let fileCountMax = 10_000
  private static let byteCountMax = 256 << 20

  /// A fingerprint of what decides how it behaves: its words, the files beneath its folder that
  /// they name, and its sources. Where there are none of these, the program itself counts, which
  /// another machine may have in another build.
  package func fingerprint() throws(Failure) -> String {
    let root = FileRoot(folder)
    var files = Files(root: root, name: name)
    for word in words { files.print.add(Array(word.utf8) + [0]) }
    for (number, word) in words.enumerated() where Self.isOwn(word, isProgram: number == 0) {
      let path = "\(folder)/\(word)"
      if (try? root.kind(of: path)) == .file { try files.add(path) }
    }
    for source in sources {
      let path = "\(folder)/\(source)"
      guard try root.kind(of: path) != nil else {
        throw Failure(
          message: "no \(path), which \"sources\" of \(name) in consumers.json names",
          fix: "correct the name, or remove it")
      }
      try files.add(path)
    }
    if files.count == 0, sources.isEmpty, let program = ChildProcess.path(of: words[0], in: folder)
    {
      try? files.add(program, of: .anywhere)
    }
    return files.print.hex
  }

  /// Whether a word may name a file of the project.
  private static func isOwn(_ word: String, isProgram: Bool) -> Bool {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    return !word.isEmpty && !word.hasPrefix("/") && !parts.contains("..")
      && !word.utf8.contains(0) && (!isProgram || parts.count > 1)
  }

  private struct Files {
    let root: FileRoot
    let name: String
    var print = Fingerprint()
    private(set) var count = 0
    private var byteCount = 0

    init(root: FileRoot, name: String) { (self.root, self.name) = (root, name) }

    /// Adds a file, or all files in a folder but hidden ones and those that Python makes when it
    /// runs.
    mutating func add(_ path: String, of other: FileRoot? = nil) throws(Failure) {
      let root = other ?? root
      guard try root.kind(of: path) == .folder else {
        let bytes = try root.read(path)
        (count, byteCount) = (count + 1, byteCount + bytes.count)
        guard count <= CommandConsumer.fileCountMax, byteCount <= CommandConsumer.byteCountMax
        else {
          throw Failure(
            message: "more than \(CommandConsumer.fileCountMax) files or"
              + " \(CommandConsumer.byteCountMax >> 20) MiB in \"sources\" of \(name) in consumers.json",
            fix: "name only what the command's behaviour depends on")
        }
        // Equal files have equal prints, wherever the folder is.
        let start = "\(self.root.path)/"
        let known = path.hasPrefix(start) ? path.dropFirst(start.count) : path[...]
        print.add(Array("\(known) \(bytes.count)".utf8) + [0])
        print.add(bytes)
        return
      }
      for name in try root.names(in: path) where name != "__pycache__" {
        try add("\(path)/\(name)", of: other)
      }
    }
  }
}
