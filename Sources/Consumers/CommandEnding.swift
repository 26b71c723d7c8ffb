import UnderstudyCore
/// How a command ended, and its output.
package struct CommandEnding: Sendable {
  /// What ended the command: itself, or a signal.
  package enum Reason: Hashable, Sendable {
    case exited(Int)
    /// By name: `SIGKILL`.
    case killed(signal: String)
  }

  package let reason: Reason
  package let stdout: PrintedText
  package let stderr: PrintedText
  /// The names of variables that it printed and did not get.
  package var missingVariables: [String] = []

  package init(_ reason: Reason, stdout: PrintedText, stderr: PrintedText) {
    (self.reason, self.stdout, self.stderr) = (reason, stdout, stderr)
  }

  /// This ending with a text replaced in what was printed.
  package func replacing(_ text: String, with other: String) -> Self {
    var new = Self(
      reason, stdout: stdout.replacing(text, with: other),
      stderr: stderr.replacing(text, with: other))
    new.missingVariables = missingVariables
    return new
  }

  /// In words, after "the command".
  package var words: String {
    switch reason {
    case .exited(let code): "exited with \(code)"
    case .killed(let signal): "was ended by \(signal)"
    }
  }
}

/// The output of a command; only the beginning is kept.
package struct PrintedText: Sendable {
  package static let byteCountMax = 1 << 20

  package private(set) var bytes: [UInt8] = []
  /// The number of all bytes that were printed, kept or not.
  package private(set) var byteCount = 0

  package init() {}

  package mutating func append(_ more: some Collection<UInt8>) {
    byteCount += more.count
    bytes += more.prefix(Self.byteCountMax - bytes.count)
  }

  func replacing(_ text: String, with other: String) -> Self {
    guard bytes.contains(bytes: text.utf8) else { return self }
    var new = self
    new.bytes = bytes.replacing(bytes: text.utf8, with: other.utf8)
    new.byteCount += new.bytes.count - bytes.count
    return new
  }
}
