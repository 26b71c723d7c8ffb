package import UnderstudySystem

/// An open file or folder, closed when the last reference to it is released.
package struct OpenFile: Sendable {
  let descriptor: Descriptor
  /// As shown in messages.
  let path: String

  init(_ descriptor: Descriptor, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// All bytes from the current position on.
  package func read(byteCountMax: Int) throws(Failure) -> [UInt8] {
    let status = try attempt("read") { () throws(Errno) in try descriptor.status() }
    guard status.kind == .file else {
      throw Failure(message: "\(path) is not a file", fix: "name a file")
    }
    var bytes: [UInt8] = []
    while true {
      let start = bytes.count
      // Checks the size before memory is allocated, and what was read in case the file grew.
      guard max(start, status.byteCount) <= byteCountMax else {
        throw .tooLarge(path, byteCountMax: byteCountMax)
      }
      let count = try attempt("read") { () throws(Errno) in
        try descriptor.read(
          // One more byte shows the end, so that the array need not grow for that.
          onto: &bytes,
          byteCountMax: start > status.byteCount ? 4096 : status.byteCount - start + 1)
      }
      // A read that ends where the file ended has no more to come; a file without a size, as
      // beneath /proc, is read until nothing comes.
      if count == 0 || bytes.count == status.byteCount { return bytes }
    }
  }

  /// Up to this many bytes at an offset; fewer at the end of the file.
  package func read(byteCountMax: Int, at offset: Int) -> [UInt8] {
    descriptor.read(byteCountMax: byteCountMax, at: offset)
  }

  package var byteCount: Int? { try? descriptor.status().byteCount }

  /// Whether it belongs to the user of this process.
  package var isOwn: Bool { (try? descriptor.status().isOwn) ?? false }

  /// Whether only its owner can read or write it.
  package var isPrivate: Bool { (try? descriptor.status().mode & 0o077) == 0 }

  /// Whether other users may change it.
  package var isOpenToWriting: Bool { (try? descriptor.status().mode & 0o022) != 0 }

  package func write(_ bytes: [UInt8]) throws(Failure) {
    try attempt("write") { () throws(Errno) in try descriptor.write(bytes) }
  }

  /// Replaces the contents in place, and waits until they are on the disk.
  ///
  /// What the file grows by comes first, since only that needs room: without it, the old contents
  /// are kept.
  package func overwrite(_ bytes: [UInt8]) throws(Failure) {
    let old = try attempt("write") { () throws(Errno) in try descriptor.status() }
    guard old.kind == .file else {
      try write(bytes)
      return try sync()
    }
    let keptCount = min(old.byteCount, bytes.count)
    do throws(Failure) {
      try write(bytes[keptCount...], at: keptCount)
      try sync()
    } catch {
      descriptor.cut(to: old.byteCount)
      throw error
    }
    try write(bytes[..<keptCount], at: 0)
    descriptor.cut(to: bytes.count)
    try sync()
  }

  private func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(Failure) {
    try attempt("write") { () throws(Errno) in try descriptor.write(bytes, at: offset) }
  }

  package func empty() { descriptor.cut(to: 0) }

  /// Waits until the data is on the disk. Does nothing for a pipe and file systems that cannot
  /// sync.
  package func sync() throws(Failure) {
    try attempt("write") { () throws(Errno) in try descriptor.sync() }
  }

  /// Locks the file until it is closed. False when another process holds the lock.
  package func lock(_ lock: Descriptor.Lock) throws(Failure) -> Bool {
    do throws(Errno) {
      return try descriptor.lock(lock)
    } catch {
      throw Failure.system("lock", path, error).fixed(
        by: "put it on a file system that supports locks")
    }
  }

  private func attempt<Value>(
    _ verb: String, _ call: () throws(Errno) -> Value
  ) throws(Failure) -> Value {
    do throws(Errno) {
      return try call()
    } catch {
      throw .system(verb, path, error)
    }
  }
}

extension OpenFile {
  /// The path of a name in this folder.
  func path(of name: String) -> String {
    path == "." ? name : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }
}

extension Failure {
  package static func tooLarge(
    _ path: String, byteCountMax: Int = FileRoot.byteCountMax
  ) -> Failure {
    Failure(message: "\(path) is larger than \(byteCountMax >> 20) MiB", fix: nil)
  }
}
