package import UnderstudySystem

/// An open file or folder, closed when the last reference to it goes.
package struct OpenFile: Sendable {
  let descriptor: Descriptor
  /// As messages show it.
  let path: String

  init(_ descriptor: Descriptor, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// All bytes from where the file is now.
  package func read(byteCountMax: Int) throws(Failure) -> [UInt8] {
    let status = try attempt("read") { () throws(Errno) in try descriptor.status() }
    guard status.kind == .file else {
      throw Failure(message: "\(path) is not a file", fix: "name a file")
    }
    var bytes: [UInt8] = []
    while true {
      let start = bytes.count
      // The size is looked at before there is memory for it, and what was read in case it grew.
      guard max(start, status.byteCount) <= byteCountMax else {
        throw Failure(message: "\(path) is larger than \(byteCountMax >> 20) MiB", fix: nil)
      }
      let count = try attempt("read") { () throws(Errno) in
        try descriptor.read(
          onto: &bytes, byteCountMax: max(4096, status.byteCount - start + 1))
      }
      if count == 0 { return bytes }
    }
  }

  /// So many bytes that stand somewhere in the file, as far as it has them.
  package func read(byteCountMax: Int, at offset: Int) -> [UInt8] {
    descriptor.read(byteCountMax: byteCountMax, at: offset)
  }

  package var byteCount: Int? { try? descriptor.status().byteCount }

  package func write(_ bytes: [UInt8]) throws(Failure) {
    try attempt("write") { () throws(Errno) in try descriptor.write(bytes) }
  }

  package func empty() { descriptor.empty() }

  /// Waits until the disk has what was written. A pipe and some file systems cannot be asked.
  package func sync() throws(Failure) {
    try attempt("write") { () throws(Errno) in try descriptor.sync() }
  }

  /// Locks the file until it is closed. False when somebody else has it.
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
  /// Of a name in this folder.
  func path(of name: String) -> String {
    path == "." ? name : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }
}
