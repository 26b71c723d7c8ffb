package import UnderstudySystem

/// Why something failed, and how to fix it. It is only reported; no code branches on it.
///
/// `Core` holds what all targets share and none owns, and builds on `System` alone. Read this file
/// first: messages everywhere have its parts, a `Place`, what was found and expected, and a fix.
/// `VisibleText` and `TextStream` make text from outside safe to print, and `Spelling` and
/// `TextDiff` help to word a message. `WebURL`, `NetworkHost` and `IPAddress` are addresses;
/// `Moment` and `CivilTime` are times, with dates and zones in `Calendar`. `Files` reads and
/// writes files, and `Compression` reads gzip and zlib.
///
/// There is no Foundation here. Texts are compared as bytes where bytes count (`ExactText`), and
/// bytes are searched by the C library (`ByteSearch`).
package struct Failure: Error, Hashable, Sendable {
  /// The file concerned, and the position in it.
  package let place: Place?
  /// One sentence without a full stop, quoting the word concerned.
  package let message: String
  /// What to do about it, as an instruction, unless the message already says so.
  package let fix: String?
  /// Whether the cause is that nothing exists at the path.
  package let isMissing: Bool

  package init(at place: Place? = nil, message: String, fix: String? = nil) {
    self.init(at: place, message, fix, isMissing: false)
  }

  private init(at place: Place?, _ message: String, _ fix: String?, isMissing: Bool) {
    self.place = place
    self.message = message
    self.fix = fix
    self.isMissing = isMissing
  }

  /// A failed system call, with the system's reason.
  package static func system(_ verb: String, _ path: String, _ code: Errno) -> Failure {
    let fix: String? =
      switch (verb, code) {
      case ("read", .notFound): "check the spelling, and the folder you are in"
      case ("read", .accessDenied):
        "allow reading it with chmod: r for the file, r and x for the folders around it"
      case (_, .accessDenied):
        "allow it with chmod: w for the file, w and x for the folder it is in"
      default: nil
      }
    let failure = Failure(
      at: nil, "cannot \(verb) \(path): \(code)", fix,
      isMissing: [.notFound, .notFolder].contains(code))
    Shortage.note(code, failure.message)
    return failure
  }

  /// This failure with a fix, unless it already has one.
  package func fixed(by fix: String) -> Failure {
    Failure(at: place, message: message, fix: self.fix ?? fix)
  }

  /// The message, preceded by its place.
  package var complaint: String { place.map { "\($0): \(message)" } ?? message }
}

extension Failure: CustomStringConvertible {
  package var description: String { fix.map { "\(complaint)\n  fix: \($0)" } ?? complaint }
}
