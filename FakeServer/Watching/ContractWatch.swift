package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyFindings
package import UnderstudySystem
/// Reloads contracts when their files have changed.
///
/// Owned by the code that polls its descriptor: call `takeEvents` when that is readable, and
/// `reload` when `due` is reached. It watches before the contracts are first read, so no change is
/// missed and nothing need be read twice.
package struct ContractWatch: ~Copyable {
  /// The result of a change of files.
  package enum Outcome: Sendable {
    /// A new set to play.
    case changed(ContractLibrary, LibraryChange)
    /// The same set as before, after a broken one.
    case mended(ContractLibrary)
    /// Errors, so the old set stays.
    case broken(ContractLibrary)
    case unreadable(Failure)
  }

  private let read: () throws(Failure) -> ContractLibrary
  private var folders: FolderWatch
  private var burst = ChangeBurst()
  /// The last set read without errors.
  package private(set) var library: ContractLibrary
  private var isBroken = false

  /// Watches what will be read from these paths.
  package init(_ paths: [String], for purpose: ContractLibrary.Purpose) throws(SystemError) {
    try self.init(folders: (try? ContractLibrary.roots(of: paths)) ?? paths) {
      () throws(Failure) in try ContractLibrary.load(paths, for: purpose)
    }
  }

  /// Watches folders from which something else makes the contracts.
  package init(
    folders: [String], reading read: @escaping () throws(Failure) -> ContractLibrary
  ) throws(SystemError) {
    self.read = read
    library = ContractLibrary(reading: [:])
    self.folders = try FolderWatch(folders)
  }

  /// Starts with contracts that were read from the paths since, or before that.
  package mutating func start(with library: ContractLibrary, mayHaveChanged: Bool = false) {
    self.library = library
    if mayHaveChanged { burst.note(at: SystemClock.monotonic) }
  }

  package var descriptor: Int32 { folders.descriptor }

  package mutating func takeEvents() {
    if folders.takeEvents() { burst.note(at: SystemClock.monotonic) }
  }

  /// The milliseconds until it is time to reload, rounded up; `nil` when nothing has changed.
  package var millisecondsLeft: Int32? {
    burst.due.map {
      Int32(clamping: max(0, $0 - SystemClock.monotonic + 999_999) / 1_000_000)
    }
  }

  /// `nil` when the files' contents are unchanged.
  package mutating func reload() -> Outcome? {
    burst.end()
    // New folders first: later writes to them are reported, earlier ones are read now.
    folders.update()
    let found: ContractLibrary
    do throws(Failure) {
      found = try read()
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

/// Groups events that come close together: changing many files is one change.
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

  /// When the burst counts as over; `nil` without events.
  var due: Int64? {
    first.map { min(last + Self.quiet, $0 + Self.lengthMax) }
  }

  mutating func end() { first = nil }
}
