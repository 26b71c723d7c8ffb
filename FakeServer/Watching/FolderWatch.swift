import UnderstudyContractModel
import UnderstudyCore
import UnderstudySystem

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

  private let events: FolderEvents
  /// Without symbolic links, so that parent and name are what they seem.
  private let roots: [String]
  private var interests: [Int32: Interest] = [:]

  init(_ folders: [String]) throws(SystemError) {
    events = try FolderEvents()
    roots = folders.map { Descriptor.realPath($0) ?? $0 }
    update()
  }

  /// Readable when there are events.
  var descriptor: Int32 { events.descriptor }

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
    guard let watch = events.watch(folder) else { return }
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
      guard let watch = events.watch(folder) else { continue }
      interests[watch] = .all
      guard depth < 8, let names = try? files.names(in: folder) else { continue }
      for name in names where (try? files.kind(of: "\(folder)/\(name)")) == .folder {
        pending.append(("\(folder)/\(name)", depth + 1))
      }
    }
  }

  /// Takes the events that have come, and says whether one of them matters.
  mutating func takeEvents() -> Bool {
    events.take().map { note($0) }.contains(true)
  }

  private mutating func note(_ event: FolderEvents.Event) -> Bool {
    if event.isOverflow { return true }
    let interest = interests[event.folder]
    if event.isLast { interests[event.folder] = nil }
    switch interest {
    // Editors keep their own files beside ours, under names that loading does not see either.
    case .all: return !event.name.hasPrefix(".")
    case .only(let names): return names.contains(event.name)
    case nil: return false
    }
  }
}
