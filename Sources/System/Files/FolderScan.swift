import Synchronization

/// Changes in folders, found by a thread that looks at them a few times a second.
///
/// A file that is replaced by one of the same size within a tick of the file system's clock looks
/// unchanged.
struct FolderScan: ~Copyable {
  private let scanner: Scanner
  private let thread: SystemThread

  init() throws(SystemError) {
    let scanner = try Scanner()
    let thread = try SystemThread { scanner.run() }
    (self.scanner, self.thread) = (scanner, thread)
  }

  deinit {
    scanner.stop.wake()
    thread.join()
  }

  var descriptor: Int32 { scanner.changed.descriptor }

  borrowing func watch(_ path: String, only name: String?) -> Int32? {
    scanner.state.withLock { $0.watch(path, only: name) }
  }

  borrowing func take() -> [FolderEvents.Event] {
    scanner.changed.reset()
    return scanner.state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  private final class Scanner: Sendable {
    private static let pause: Int64 = 100_000_000
    /// It takes at most one part in this many of a processor's time.
    private static let share: Int64 = 20

    let changed: Wakeup
    let stop: Wakeup
    let state = Mutex(State())

    init() throws(SystemError) {
      changed = try Wakeup(.portable)
      stop = try Wakeup(.portable)
    }

    func run() {
      var pause = Self.pause
      while !stop.hasWoken {
        _ = Readiness.wait(
          for: [stop.descriptor], milliseconds: Int32(clamping: pause / 1_000_000))
        let start = SystemClock.monotonic
        if state.withLock({ $0.scan() }) { changed.wake() }
        pause = max(Self.pause, Self.share * (SystemClock.monotonic - start))
      }
    }
  }

  private struct State {
    var events: [FolderEvents.Event] = []
    private var folders: [Int32: WatchedFolder] = [:]
    private var numbers: [FileIdentity: Int32] = [:]
    private var next: Int32 = 1

    mutating func watch(_ path: String, only name: String?) -> Int32? {
      guard let folder = WatchedFolder(path, only: name) else { return nil }
      guard let number = numbers[folder.identity] else {
        defer { next += 1 }
        numbers[folder.identity] = next
        folders[next] = folder
        return next
      }
      folders[number]?.add(folder)
      return number
    }

    /// Whether there are new events.
    mutating func scan() -> Bool {
      let count = events.count
      for number in folders.keys.sorted() {
        guard let folder = folders[number] else { continue }
        let now = folder.now
        if now == nil { note(number, "", isLast: true) }
        for name in now?.changes(since: folder) ?? [] { note(number, name) }
        folders[number] = now
        if now == nil { numbers[folder.identity] = nil }
      }
      return events.count > count
    }

    private mutating func note(_ folder: Int32, _ name: String, isLast: Bool = false) {
      events.append(
        FolderEvents.Event(folder: folder, name: name, isOverflow: false, isLast: isLast))
    }
  }
}

/// What a scan found in a folder.
private struct WatchedFolder {
  private struct Entry: Equatable {
    let identity: FileIdentity
    let byteCount: Int
    let modifiedAt: Int64
    let mode: UInt32

    init(_ status: Descriptor.Status) {
      // What happens in a folder is another's event.
      let isFolder = status.kind == .folder
      identity = status.identity
      byteCount = isFolder ? 0 : status.byteCount
      modifiedAt = isFolder ? 0 : status.modifiedAt
      mode = status.mode
    }
  }

  let identity: FileIdentity
  private let path: String
  /// The only names that matter; `nil` for all.
  private var names: Set<String>?
  private var entries: [String: Entry] = [:]

  init?(_ path: String, only name: String?) { self.init(path, name.map { [$0] }) }

  private init?(_ path: String, _ names: Set<String>?) {
    guard let folder = try? Descriptor(path, .onlyFolder), let status = try? folder.status(),
      let found = try? names ?? Set(folder.names(in: "."))
    else { return nil }
    (self.path, self.names, identity) = (path, names, status.identity)
    for name in found {
      if let status = try? folder.status(of: name) { entries[name] = Entry(status) }
    }
  }

  /// This folder as it is now; `nil` when it is not there any more.
  var now: WatchedFolder? {
    let now = WatchedFolder(path, names)
    return now?.identity == identity ? now : nil
  }

  /// The names that are new, changed or gone.
  func changes(since before: WatchedFolder) -> [String] {
    let gone = before.entries.keys.filter { entries[$0] == nil }
    return (gone + entries.filter { before.entries[$0.key] != $0.value }.keys).sorted()
  }

  /// Also watches what another watch of the same folder does; earlier changes are still to be
  /// found.
  mutating func add(_ other: WatchedFolder) {
    names = names.flatMap { names in other.names.map(names.union) }
    entries.merge(other.entries) { earlier, _ in earlier }
  }
}
