package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyFindings
package import UnderstudySystem
/// Reads contracts again when their files have changed.
///
/// Owned by whoever polls its descriptor: when that is readable `takeEvents`, when `due` has come
/// `reload`.
package struct ContractWatch: ~Copyable {
  /// What a change of files came to.
  package enum Outcome: Sendable {
    /// A set to be played from now on.
    case changed(ContractLibrary, LibraryChange)
    /// As the set before, though there was a broken one between.
    case mended(ContractLibrary)
    /// Mistakes, so that the old set stays.
    case broken(ContractLibrary)
    case unreadable(Failure)
  }

  private let paths: [String]
  private var folders: FolderWatch
  private var burst = ChangeBurst()
  /// Those read last that had no mistakes.
  package private(set) var library: ContractLibrary
  private var isBroken = false

  /// Begins with contracts that were read from these paths.
  package init(_ paths: [String], _ library: ContractLibrary) throws(SystemError) {
    self.paths = paths
    self.library = library
    let roots = (try? ContractLibrary.roots(of: paths)) ?? paths
    folders = try FolderWatch(roots)
    // Whatever happened between the reading and the watching.
    burst.note(at: SystemClock.monotonic)
  }

  package var descriptor: Int32 { folders.descriptor }

  package mutating func takeEvents() {
    if folders.takeEvents() { burst.note(at: SystemClock.monotonic) }
  }

  /// How many milliseconds until it is time to reload, rounded up; `nil` when nothing has changed.
  package var millisecondsLeft: Int32? {
    burst.due.map {
      Int32(clamping: max(0, $0 - SystemClock.monotonic + 999_999) / 1_000_000)
    }
  }

  /// `nil` when the files say what they said before.
  package mutating func reload() -> Outcome? {
    burst.end()
    // New folders first: what is written to them later is told, what was before is read now.
    folders.update()
    let found: ContractLibrary
    do throws(Failure) {
      found = try ContractLibrary.load(paths)
    } catch {
      isBroken = true
      return .unreadable(error)
    }
    guard !found.findings.contains(where: { $0.severity == .error }) else {
      isBroken = true
      return .broken(found)
    }
    let wasBroken = isBroken
    isBroken = false
    let change = LibraryChange(from: library, to: found)
    guard !change.isEmpty else { return wasBroken ? .mended(found) : nil }
    library = found
    return .changed(found, change)
  }
}

/// Events that come close together, and when they are over: what changes many files is one change.
///
/// Reads no clock; times are monotonic nanoseconds.
struct ChangeBurst {
  static let quiet: Int64 = 30_000_000
  static let lengthMax: Int64 = 300_000_000

  private var first: Int64?
  private var last: Int64 = 0

  mutating func note(at now: Int64) {
    if first == nil { first = now }
    last = now
  }

  /// When it counts as over; `nil` when nothing has come.
  var due: Int64? {
    first.map { min(last + Self.quiet, $0 + Self.lengthMax) }
  }

  mutating func end() { first = nil }
}
