import UnderstudyContractModel
import UnderstudyCore

/// Assigns unique names to the files of one recording, also distinct from existing files.
final class FileNamer {
  private static let stemBytesMax = 80

  private let root: FileRoot
  private let folder: String
  private var own: Set<String>
  private var taken: Set<String> = []

  /// Files in `own` may be overwritten.
  init(_ target: RecordingTarget, own: Set<String>) {
    root = target.root
    folder = target.upstreamFolder
    self.own = own
    // This name is reserved for `upstream.json`.
    taken.insert("\(folder)/upstream.json")
  }

  /// Allows these files to be overwritten.
  func giveUp(_ paths: Set<String>) { own.formUnion(paths) }

  /// `users-id`, or with a number if that is taken.
  func contractName(_ stem: String) -> String {
    let stem = String(decoding: stem.utf8.prefix(Self.stemBytesMax), as: UTF8.self).slug
    let name = Self.numbered(stem) { isFree("\(folder)/\($0).json") }
    taken.insert("\(folder)/\(name).json")
    return name
  }

  /// The path of a body, relative to the upstream's folder.
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

  /// A path that cannot be read counts as free; writing to it reports the error.
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
