import UnderstudyContractModel
import UnderstudyCore

/// Assigns unique names to the files of one recording, also distinct from existing files.
final class FileNamer {
  private static let stemBytesMax = 80

  private let root: FileRoot
  private let folder: String
  private var own: Set<String>
  /// This name is reserved for `upstream.json`.
  private var contracts = UniqueNames(taken: ["upstream"])
  /// The names of bodies, by the suffixes of their files.
  private var bodies: [String: UniqueNames] = [:]

  /// Files in `own` may be overwritten.
  init(_ target: RecordingTarget, own: Set<String>) {
    root = target.root
    folder = target.upstreamFolder
    self.own = own
  }

  /// Allows these files to be overwritten.
  func giveUp(_ paths: Set<String>) { own.formUnion(paths) }

  /// `users-id`, or with a number if that is taken.
  func contractName(_ stem: String) -> String {
    let stem = String(decoding: stem.utf8.prefix(Self.stemBytesMax), as: UTF8.self).slug
    return contracts.name(stem) { isFree("\(folder)/\($0).json") }
  }

  /// The path of a body, relative to the upstream's folder.
  func bodyFile(_ stem: String, suffix: String, holding bytes: [UInt8]) -> String {
    let name = bodies[suffix, default: UniqueNames()].name(stem) { name in
      let path = "\(folder)/files/\(name).\(suffix)"
      return own.contains(path) || isFree(path) || (try? root.read(path)) == bytes
    }
    return "files/\(name).\(suffix)"
  }

  /// A path that cannot be read counts as free; writing to it reports the error.
  private func isFree(_ path: String) -> Bool { (try? root.kind(of: path)) == nil }
}
