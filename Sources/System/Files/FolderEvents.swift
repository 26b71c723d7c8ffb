/// Events for changes in folders: the kernel's, or from looking again and again.
package struct FolderEvents: ~Copyable {
  /// One change in a watched folder, or the end of watching it.
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

  enum Form: ~Copyable {
    case fast(InotifyEvents)
    case portable(FolderScan)
  }

  private let form: Form
  /// Readable when there are events.
  package let descriptor: Int32

  package init(_ calls: SystemCalls = .chosen) throws(SystemError) {
    switch calls {
    case .fast:
      let events = try InotifyEvents()
      descriptor = events.descriptor
      form = .fast(events)
    case .portable:
      let scan = try FolderScan()
      descriptor = scan.descriptor
      form = .portable(scan)
    }
  }

  /// The folder's number, the same as before if it is already watched; `nil` if it cannot be.
  ///
  /// - Parameter name: the only name that matters there; there may be events for others.
  package borrowing func watch(_ folder: String, only name: String? = nil) -> Int32? {
    switch form {
    case .fast(let events): events.watch(folder, only: name)
    case .portable(let scan): scan.watch(folder, only: name)
    }
  }

  /// The pending events.
  package borrowing func take() -> [Event] {
    switch form {
    case .fast(let events): events.take()
    case .portable(let scan): scan.take()
    }
  }
}
