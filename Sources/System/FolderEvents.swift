import Glibc

/// The kernel's events for changes in folders.
package struct FolderEvents: ~Copyable {
  package struct Event {
    /// The folder concerned, as numbered by `watch`.
    package let folder: Int32
    /// The name that was created, changed or removed in it; empty for the folder itself.
    package let name: String
    /// More events occurred than the kernel keeps.
    package let isOverflow: Bool
    /// The folder is no longer watched.
    package let isLast: Bool
  }

  private static let mask = UInt32(
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR)
  private static let bufferByteCount = 32 << 10

  /// Readable when there are events.
  package let descriptor: Int32

  package init() throws(SystemError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw .last("watch folders") }
  }

  deinit { close(descriptor) }

  /// The folder's number, the same as before if it is already watched; `nil` if it cannot be.
  package borrowing func watch(_ folder: String) -> Int32? {
    let number = inotify_add_watch(descriptor, folder, Self.mask)
    return number < 0 ? nil : number
  }

  /// The pending events.
  package borrowing func take() -> [Event] {
    var events: [Event] = []
    var buffer = [UInt8](repeating: 0, count: Self.bufferByteCount)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return events }
      // SAFETY: the kernel wrote `count` bytes of whole events; each is read only as far as the
      // event and its name, whose length it states, lie within them, and without assuming
      // alignment.
      buffer.withUnsafeBytes { bytes in
        let headByteCount = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + headByteCount <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + headByteCount
          let end = min(start + Int(event.len), count)
          events.append(
            Event(
              folder: event.wd,
              name: String(decoding: bytes[start..<end].prefix { $0 != 0 }, as: UTF8.self),
              isOverflow: event.mask & UInt32(IN_Q_OVERFLOW) != 0,
              isLast: event.mask & UInt32(IN_IGNORED) != 0))
          offset = end
        }
      }
    }
  }
}
