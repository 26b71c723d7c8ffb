#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder that no other user can enter, removed with its files on demand, or when the last
/// reference is released.
package final class ScratchFolder: Sendable {
  package let path: String

  package init() throws(SystemError) {
    let parent = Environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var name = Array("\(parent)/understudy-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw .last("make a folder in \(parent)") }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { remove() }

  package func remove() {
    if let folder = try? Descriptor(path, .onlyFolder) {
      for name in (try? folder.names(in: ".")) ?? [] { try? folder.remove(name) }
    }
    rmdir(path)
  }
}
