/// What runners of CI systems and terminals obey, and texts that try to make them.
public enum HostileTexts {
  private static let plain = [
    "::error::x", "  ::add-mask::x", "\u{A0}\u{3000}::stop-commands::x", "\u{200B}::error::x",
    ":\u{200D}:error::x", "a\n::set-env name=A::b", "a\r::error::x", "a\u{2028}::error::x",
    "##[error]x", "##[group]x", "###[error]x", "#\u{200B}#[error]x", "a ##[add-mask]x",
    "##vso[task.setvariable variable=A]b", "a ##vso[task.complete result=Succeeded;]DONE",
    "##\u{AD}vso[task.logissue type=error]x", "#####vso[build.addbuildtag]x", "##vso##vso[a.b]c",
    "##teamcity[buildStatus status='SUCCESS']", "x##teamcity[setParameter name='a' value='b']",
    "section_start:1560896352:a[collapsed=true]\r\u{1B}[0Ka", "section_end:1560896352:a",
    "section_section_start:1:a", "section_\u{200B}end:1:a", "\u{1B}[2J\u{1B}]0;x\u{7}",
    "\u{9B}31mx", "a\u{8}\u{7F}b", "\u{202E}evil\u{2066}", "\u{200F}\u{61C}x", "a\u{85}::error::x",
    "%0A::error::x", "##vso", "[task.complete]x", "x##", "#[error]", "vso[a.b]", "\\u0023#[error]",
  ]

  /// With a letter before them, since some formats have no empty or blank texts.
  public static let all = plain + plain.map { "x \($0)" }

  /// The lines of a text in which a runner finds a command, and the characters that a terminal
  /// obeys instead of showing.
  ///
  /// - Parameter isIntended: whether a line is meant to be a command.
  public static func obeyed(
    in text: String, where isIntended: (String) -> Bool = { _ in false }
  ) -> [String] {
    let controls = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 9, 10: false
      case 0..<32, 127..<160, 0x2028, 0x2029, 0x61C, 0x200E, 0x200F, 0x202A...0x202E,
        0x2066...0x2069:
        true
      default: false
      }
    }
    let lines = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.compactMap { line in
      let seen = String(
        String.UnicodeScalarView(line.filter { !$0.properties.isDefaultIgnorableCodePoint }))
      let start = seen.unicodeScalars.drop { $0.properties.isWhitespace }
      let isCommand =
        start.starts(with: "::".unicodeScalars)
        || seen.contains(/##[A-Za-z]*\[/.matchingSemantics(.unicodeScalar))
        || seen.contains(/section_(start|end):/.matchingSemantics(.unicodeScalar))
      return isCommand && !isIntended(seen) ? seen : nil
    }
    return lines + controls.map { "U+\(String($0.value, radix: 16))" }
  }
}
