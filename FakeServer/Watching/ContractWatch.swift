package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyFindings
package import UnderstudySystem
/// Reloads contracts when their files have changed.
///
/// Owned by the code that polls its descriptor: call `takeEvents` when that is readable, and
/// `reload` when `millisecondsLeft` is 0. It watches before the contracts are first read, so no
/// change is missed and nothing need be read twice.
///
/// `FolderWatch` has the descriptors and finds folders that come and go, `ChangeBurst` waits until
/// a burst of changes is over, and `LibraryChange` says what differs. A set with errors never
/// replaces one without. When descriptors or memory were missing while files were read, the result
/// is not trusted, and reading is tried again.
package struct ContractWatch: ~Copyable {
  /// The result of a change of files.
  package enum Outcome: Sendable {
    /// A new set to serve.
    case changed(ContractLibrary, LibraryChange)
    /// After a broken set, the files are again what is served.
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
  /// When the last reading began, in monotonic nanoseconds: what was written before is in it.
  package private(set) var readAt: Int64 = 0

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

  /// Reloads after a while, longer each time, although no file changes meanwhile: descriptors or
  /// memory were missing.
  package mutating func tryAgain() {
    isBroken = true
    burst.tryAgain(at: SystemClock.monotonic)
  }

  /// `nil` when the files' contents are unchanged, or cannot be read for the same lack as before.
  package mutating func reload() -> Outcome? {
    let wasTrying = burst.isTryingAgain
    burst.end()
    readAt = SystemClock.monotonic
    // New folders first: later writes to them are reported, earlier ones are read now.
    folders.update()
    let (result, shortage) = Shortage.noticing(during: read)
    // Whatever was read may lack files then.
    if let shortage {
      tryAgain()
      let failure = Failure(message: "\(shortage); trying again until it works")
      return wasTrying ? nil : .unreadable(failure)
    }
    burst.stopTrying()
    let found: ContractLibrary
    do throws(Failure) {
      found = try result.get()
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

  static let pauseMin: Int64 = 100_000_000
  static let pauseMax: Int64 = 10_000_000_000

  private var first: Int64?
  private var last: Int64 = 0
  /// When to try again, and the pause after that.
  private var nextTry: Int64?
  private var pause = ChangeBurst.pauseMin

  mutating func note(at now: Int64) {
    if first == nil { first = now }
    last = now
  }

  var isTryingAgain: Bool { nextTry != nil }

  /// Doubles the pause before the next time.
  mutating func tryAgain(at now: Int64) {
    nextTry = now + pause
    pause = min(2 * pause, Self.pauseMax)
  }

  mutating func stopTrying() { pause = Self.pauseMin }

  /// When the burst counts as over, or it is time to try again; `nil` without a reason.
  var due: Int64? {
    let over = first.map { min(last + Self.quiet, $0 + Self.lengthMax) }
    return [over, nextTry].compactMap(\.self).min()
  }

  mutating func end() { (first, nextTry) = (nil, nil) }
}
