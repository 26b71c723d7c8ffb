import Glibc
import UnderstudyContractModel
import UnderstudyCore

/// The kernel's word on what happens in folders and all folders beneath them.
///
/// Owned by whoever polls its descriptor. A folder that is removed and made anew, as by a change of
/// branch, is found again.
struct FolderWatch: ~Copyable {
  /// Which names in a watched folder matter.
  private enum Interest {
    case all
    /// This folder only holds watched ones.
    case only(Set<String>)
  }

  private static let mask = UInt32(
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR)
  private static let bufferByteCount = 32 << 10

  /// Readable when there are events.
  let descriptor: Int32
  /// Without symbolic links, so that parent and name are what they seem.
  private let roots: [String]
  private var interests: [Int32: Interest] = [:]

  init(_ folders: [String]) throws(SystemError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw .last("watch folders") }
    roots = folders.map { folder in
      guard let real = realpath(folder, nil) else { return folder }
      defer { free(real) }
      return String(cString: real)
    }
    update()
  }

  deinit { close(descriptor) }

  /// Watches folders that have come since; those that are watched already cost a call each.
  mutating func update() {
    for root in roots {
      if let slash = root.lastIndex(of: "/"), root != "/" {
        let parent = slash == root.startIndex ? "/" : String(root[..<slash])
        watch(parent, only: String(root[root.index(after: slash)...]))
      }
      watchTree(root)
    }
  }

  private mutating func watch(_ folder: String, only name: String) {
    let watch = inotify_add_watch(descriptor, folder, Self.mask)
    guard watch >= 0 else { return }
    switch interests[watch] {
    case .all: break
    case .only(let names): interests[watch] = .only(names.union([name]))
    case nil: interests[watch] = .only([name])
    }
  }

  private mutating func watchTree(_ root: String) {
    let files = FileRoot(root)
    // Bounded in depth, since links can lead in circles.
    var pending = [(folder: root, depth: 0)]
    while let (folder, depth) = pending.popLast() {
      let watch = inotify_add_watch(descriptor, folder, Self.mask)
      guard watch >= 0 else { continue }
      interests[watch] = .all
      guard depth < 8, let names = try? files.names(in: folder) else { continue }
      for name in names where (try? files.kind(of: "\(folder)/\(name)")) == .folder {
        pending.append(("\(folder)/\(name)", depth + 1))
      }
    }
  }

  /// Takes the events that have come, and says whether one of them matters.
  mutating func takeEvents() -> Bool {
    var matters = false
    var buffer = [UInt8](repeating: 0, count: Self.bufferByteCount)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return matters }
      // SAFETY: the kernel wrote `count` bytes of whole events; each is read only as far as it and
      // its name, whose length it says, lie within them, and without assuming alignment.
      buffer.withUnsafeBytes { bytes in
        let headByteCount = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + headByteCount <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + headByteCount
          let end = min(start + Int(event.len), count)
          let name = String(decoding: bytes[start..<end].prefix { $0 != 0 }, as: UTF8.self)
          if note(event, name) { matters = true }
          offset = end
        }
      }
    }
  }

  private mutating func note(_ event: inotify_event, _ name: String) -> Bool {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    let interest = interests[event.wd]
    if event.mask & UInt32(IN_IGNORED) != 0 { interests[event.wd] = nil }
    switch interest {
    // Editors keep their own files beside ours, under names that loading does not see either.
    case .all: return !name.hasPrefix(".")
    case .only(let names): return names.contains(name)
    case nil: return false
    }
  }
}
