#if canImport(Darwin)
  typealias InotifyEvents = FolderScan
#else
  import Glibc

  /// Changes in folders, as the kernel reports them.
  struct InotifyEvents: ~Copyable {
    private static let mask = UInt32(
      IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
        | IN_MOVE_SELF | IN_ONLYDIR)
    private static let bufferByteCount = 32 << 10

    let descriptor: Int32

    init() throws(SystemError) {
      descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { throw .last("watch folders") }
    }

    deinit { close(descriptor) }

    borrowing func watch(_ folder: String, only name: String?) -> Int32? {
      guard (try? Errno.check(folder)) != nil else { return nil }
      let number = inotify_add_watch(descriptor, folder, Self.mask)
      return number < 0 ? nil : number
    }

    borrowing func take() -> [FolderEvents.Event] {
      var events: [FolderEvents.Event] = []
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
              FolderEvents.Event(
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
#endif
