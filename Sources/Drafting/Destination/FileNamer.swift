import UnderstudyContractModel
import UnderstudyCore

/// Gives the files of one recording names that nothing else has: neither another of them nor a file
/// that is there.
final class FileNamer {
  private static let stemBytesMax = 80

  private let root: FileRoot
  private let folder: String
  private var own: Set<String>
  private var taken: Set<String> = []

  /// `own` are files that may be written over.
  init(_ target: RecordingTarget, own: Set<String>) {
    root = target.root
    folder = target.upstreamFolder
    self.own = own
    // What `upstream.json` is called by.
    taken.insert("\(folder)/upstream.json")
  }

  /// Lets files be written over.
  func giveUp(_ paths: Set<String>) { own.formUnion(paths) }

  /// `users-id`; with a number if that is taken.
  func contractName(_ stem: String) -> String {
    let stem = String(decoding: stem.utf8.prefix(Self.stemBytesMax), as: UTF8.self).slug
    let name = Self.numbered(stem) { isFree("\(folder)/\($0).json") }
    taken.insert("\(folder)/\(name).json")
    return name
  }

  /// Where a body goes, relative to the upstream's folder.
  func bodyFile(_ stem: String, suffix: String, holding bytes: [UInt8]) -> String {
    let name = Self.numbered(stem) { name in
      let path = "\(folder)/files/\(name).\(suffix)"
      return isFree(path)
        || own.contains(path) && !taken.contains(path)
        || !taken.contains(path) && (try? root.read(path)) == bytes
    }
    taken.insert("\(folder)/files/\(name).\(suffix)")
    return "files/\(name).\(suffix)"
  }

  /// Where nothing can be is nothing; whoever writes there is told why that cannot be.
  private func isFree(_ path: String) -> Bool {
    !taken.contains(path) && (try? root.kind(of: path)) == nil
  }

  private static func numbered(_ stem: String, isFree: (String) -> Bool) -> String {
    var name = stem
    var number = 2
    while !isFree(name) {
      name = "\(stem)-\(number)"
      number += 1
    }
    return name
  }
}
