import Glibc

/// Why a file or folder could not be read or written, in words.
package struct FileError: Error, Hashable, Sendable {
  package let message: String
  package let fix: String?
  /// Whether there is nothing at the path.
  let isMissing: Bool

  package init(message: String, fix: String?) {
    self.init(message: message, fix: fix, isMissing: false)
  }

  private init(message: String, fix: String?, isMissing: Bool) {
    self.message = message
    self.fix = fix
    self.isMissing = isMissing
  }

  /// What the system gave as the reason, by its number.
  static func system(_ verb: String, _ path: String, _ code: Int32 = errno) -> FileError {
    let reason = String(cString: strerror(code)).lowercased()
    let fix: String? =
      switch (verb, code) {
      case ("read", ENOENT): "check the spelling, and the folder you are in"
      case ("read", EACCES):
        "allow reading it with chmod: r for the file, r and x for the folders around it"
      case (_, EACCES): "allow it with chmod: w for the file, w and x for the folder it is in"
      default: nil
      }
    return FileError(
      message: "cannot \(verb) \(path): \(reason)", fix: fix,
      isMissing: code == ENOENT || code == ENOTDIR)
  }

  /// The same error, with what to do about it where that is not known yet.
  package func fixed(by fix: String) -> FileError {
    FileError(message: message, fix: self.fix ?? fix)
  }
}
