/// Recognises the commands that CI systems obey in what a program prints, scalar by scalar:
///
/// - GitHub: `::` at the start of a line, and `##[` anywhere in one;
/// - Azure Pipelines: `##[` and `##vso[`; TeamCity: `##teamcity[`; hence `##`, letters and `[`;
/// - GitLab: `section_start:` and `section_end:`.
///
/// Some of them compare as people read, so characters that nobody sees do not count.
struct CommandWatch: Sendable {
  /// What the current line contains so far.
  private enum Line {
    /// Nothing visible.
    case blank
    /// One colon.
    case colon
    case text
  }

  /// What may become `##vso[`.
  private enum Mark {
    case none
    /// `#`
    case half
    /// `##`
    case whole
    /// `##vso`
    case named
  }

  private var line: Line
  private var mark = Mark.none
  private var word = Tail()

  init(startsLine: Bool = true) { line = startsLine ? .blank : .text }

  /// Whether a scalar makes a command of what came before it. Whoever asks writes it as an escape.
  mutating func completes(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else {
      let properties = scalar.properties
      guard !properties.isDefaultIgnorableCodePoint else { return false }
      if line != .blank || !properties.isWhitespace { line = .text }
      (mark, word) = (.none, Tail())
      return false
    }
    let byte = UInt8(truncatingIfNeeded: scalar.value)
    let completes =
      switch byte {
      case .colon: line == .colon || word.isSection
      case .openBracket: mark == .whole || mark == .named
      default: false
      }
    line =
      switch (line, byte) {
      case (_, .newline): .blank
      case (.blank, .colon): .colon
      case (.blank, 9...13), (.blank, .space): .blank
      default: .text
      }
    mark =
      switch (mark, byte) {
      case (.none, .hash), (.named, .hash): .half
      case (.half, .hash), (.whole, .hash): .whole
      case (.whole, _) where byte.isLetter, (.named, _) where byte.isLetter: .named
      default: .none
      }
    word.add(byte)
    return completes
  }

  /// The last sixteen letters and underscores.
  private struct Tail: Sendable {
    private var early: UInt64 = 0
    private var late: UInt64 = 0

    mutating func add(_ byte: UInt8) {
      guard byte.isLetter || byte == UInt8(ascii: "_") else { return self = Tail() }
      early = early << 8 | late >> 56
      late = late << 8 | UInt64(byte)
    }

    var isSection: Bool { ends(with: Self.start, 5) || ends(with: Self.end, 3) }

    private func ends(with word: Tail, _ earlyCount: UInt64) -> Bool {
      late == word.late && early & (1 << (earlyCount * 8) - 1) == word.early
    }

    private static let start = Tail("section_start")
    private static let end = Tail("section_end")

    init() {}

    private init(_ word: String) {
      for byte in word.utf8 { add(byte) }
    }
  }
}
