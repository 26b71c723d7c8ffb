#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder that no other user can enter, removed with its files on demand, or when the last
/// reference is released. Its lock says that somebody still uses it.
package final class ScratchFolder: Sendable {
  package let path: String
  private let lock: Descriptor?

  private static let prefix = "understudy-run-"
  /// What is younger may not be locked yet.
  private static let ageMin = Duration.seconds(60)
  private static var parent: String {
    Environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
  }

  package init() throws(SystemError) {
    let parent = Self.parent
    var name = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw .last("make a folder in \(parent)") }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    lock = try? Descriptor(path, .onlyFolder)
    // Where locks are not supported, none is ever found to be free.
    _ = try? lock?.lock(.shared)
  }

  deinit { remove() }

  package func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
    if let folder = try? Descriptor(path, .onlyFolder) {
      for name in (try? folder.names(in: ".")) ?? [] { try? folder.remove(name) }
    }
    rmdir(path)
  }

  /// Removes those that processes of this user left when they were killed.
  package static func removeAbandoned() {
    guard let folder = try? Descriptor(parent, .onlyFolder) else { return }
    for name in (try? folder.names(in: ".")) ?? [] where name.hasPrefix(prefix) {
      guard let found = try? Descriptor(name, in: folder, [.onlyFolder, .noLink]),
        let status = try? found.status(), status.isOwn,
        status.modifiedAt / 1_000 < SystemClock.wallMicroseconds - ageMin.nanoseconds / 1_000,
        (try? found.lock(.exclusiveAtOnce)) == true
      else { continue }
      remove("\(parent)/\(name)")
    }
  }
}
