/// What a command has to say, collected until it is flushed: tests read it instead.
struct Terminal: Sendable {
  /// Results, for people or for the next program.
  var output: TextStream
  /// Why there is no result, or what to think of it.
  var errors: TextStream

  init(isOutputColoured: Bool = false, areErrorsColoured: Bool = false) {
    output = TextStream(isColoured: isOutputColoured)
    errors = TextStream(isColoured: areErrorsColoured)
  }

  mutating func writeError(_ error: CommandLineError) {
    errors.write("understudy: ")
    errors.write("error:", .red)
    errors.write(line: " \(error.message)")
    if let fix = error.fix {
      errors.write("  fix:", .dim)
      errors.write(line: " \(fix)")
    }
  }
}

/// Text on its way to a file descriptor, with colour where that can be seen.
struct TextStream: Sendable {
  enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case yellow = "1;33"
    case green = "32"
  }

  let isColoured: Bool
  private(set) var bytes: [UInt8] = []

  init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// Control characters are shown, not sent: contracts come from anywhere, and a terminal obeys
  /// what it is sent.
  mutating func write(_ text: String, _ style: Style? = nil) {
    append(text, style) { Self.isHarmless($0) || $0 == "\n" || $0 == "\t" }
  }

  /// Text with something in it that comes from outside: a line break in that would be taken for
  /// the beginning of the next finding.
  mutating func write(inLine text: String, _ style: Style? = nil) {
    append(text, style, where: Self.isHarmless)
  }

  /// The same, and the end of the line.
  mutating func write(line text: String) {
    write(inLine: text)
    write("\n")
  }

  private mutating func append(
    _ text: String, _ style: Style?, where isSent: (Unicode.Scalar) -> Bool
  ) {
    let style = isColoured ? style : nil
    if let style { bytes += "\u{1B}[\(style.rawValue)m".utf8 }
    for scalar in text.unicodeScalars {
      if isSent(scalar) {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        bytes += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8
      }
    }
    if style != nil { bytes += "\u{1B}[0m".utf8 }
  }

  /// Takes bytes as they are, for formats that do their own escaping.
  mutating func write(bytes new: [UInt8]) {
    bytes += new
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: false
    // Marks that reorder the text around them.
    case 0x202A...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}
