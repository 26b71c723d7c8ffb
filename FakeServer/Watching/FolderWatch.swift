import UnderstudyContractModel
import UnderstudyCore
import UnderstudySystem

/// Watches folders and all folders below them for changes.
///
/// Owned by the code that polls its descriptor. A folder that is removed and recreated, as by
/// switching branches, is found again.
struct FolderWatch: ~Copyable {
  /// Which names in a watched folder matter.
  private enum Interest {
    case all
    /// This folder only contains watched ones.
    case only(Set<String>)
  }

  private let events: FolderEvents
  /// Without symbolic links, so that parent and name are real.
  private let roots: [String]
  private var interests: [Int32: Interest] = [:]

  init(_ folders: [String]) throws(SystemError) {
    events = try FolderEvents()
    roots = folders.map { Descriptor.realPath($0) ?? $0 }
    update()
  }

  /// Readable when there are events.
  var descriptor: Int32 { events.descriptor }

  /// Watches new folders; those already watched cost one call each.
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
    guard let watch = events.watch(folder, only: name) else { return }
    switch interests[watch] {
    case .all: break
    case .only(let names): interests[watch] = .only(names.union([name]))
    case nil: interests[watch] = .only([name])
    }
  }

  private mutating func watchTree(_ root: String) {
    let files = FileRoot(root)
    // Limited in depth, since links can form cycles.
    var pending = [(folder: root, depth: 0)]
    while let (folder, depth) = pending.popLast() {
      guard let watch = events.watch(folder) else { continue }
      interests[watch] = .all
      guard depth < 8, let names = try? files.folders(in: folder) else { continue }
      for name in names { pending.append(("\(folder)/\(name)", depth + 1)) }
    }
  }

  /// Takes the pending events; returns whether one of them matters.
  mutating func takeEvents() -> Bool {
    events.take().map { note($0) }.contains(true)
  }

  private mutating func note(_ event: FolderEvents.Event) -> Bool {
    if event.isOverflow { return true }
    let interest = interests[event.folder]
    if event.isLast { interests[event.folder] = nil }
    switch interest {
    // Editors create their own files here, under names that loading ignores, too.
    case .all: return !event.name.hasPrefix(".")
    case .only(let names): return names.contains(event.name)
    case nil: return false
    }
  }
}
