/// Text on its way to a file descriptor, with colour where that can be seen.
package struct TextStream: Sendable {
  package enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case yellow = "1;33"
    case green = "32"
  }

  package let isColoured: Bool
  package private(set) var bytes: [UInt8] = []
  private var line = Line.blank

  /// What the line that is being written has so far.
  private enum Line {
    /// Nothing that can be seen.
    case blank
    /// One colon.
    case colon
    case text
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// Control characters are shown, not sent: contracts come from anywhere, and a terminal obeys
  /// what it is sent. So are the commands of CI systems: GitHub takes a line for one that begins with
  /// `::` behind whatever cannot be seen, or that has `##[` anywhere.
  package mutating func write(_ text: String, _ style: Style? = nil) {
    append(text, style) { $0.isHarmless || $0 == "\n" || $0 == "\t" }
  }

  /// Text with something in it that comes from outside: a line break in that would be taken for
  /// the beginning of the next finding.
  package mutating func write(inLine text: String, _ style: Style? = nil) {
    append(text, style, where: \.isHarmless)
  }

  /// The same, and the end of the line.
  package mutating func write(line text: String) {
    write(inLine: text)
    write("\n")
  }

  private mutating func append(
    _ text: String, _ style: Style?, where isSent: (Unicode.Scalar) -> Bool
  ) {
    let style = isColoured ? style : nil
    if let style { bytes += "\u{1B}[\(style.rawValue)m".utf8 }
    for scalar in text.unicodeScalars {
      // What is not sent is spelled, which begins with a backslash.
      note(isSent(scalar) ? scalar : "\\")
      scalar.appendVisible(to: &bytes, where: isSent)
    }
    if style != nil { bytes += "\u{1B}[0m".utf8 }
  }

  /// Spells what would become a command with this scalar.
  private mutating func note(_ scalar: Unicode.Scalar) {
    switch (line, scalar) {
    case (_, "["):
      if bytes.suffix(2).elementsEqual("##".utf8) { spellLast() }
      line = .text
    case (_, "\n"): line = .blank
    case (.blank, ":"): line = .colon
    case (.colon, ":"):
      if bytes.last == UInt8(ascii: ":") { spellLast() }
      line = .text
    case (.blank, _):
      let properties = scalar.properties
      if !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint { line = .text }
    case (.colon, _), (.text, _): line = .text
    }
  }

  private mutating func spellLast() {
    guard let last = bytes.popLast() else { return }
    bytes += "\\u{\(String(last, radix: 16, uppercase: true))}".utf8
  }

  /// Takes bytes as they are, for formats that do their own escaping.
  package mutating func write(bytes new: [UInt8]) {
    bytes += new
    line = new.last == UInt8(ascii: "\n") ? .blank : .text
  }

  /// Takes JSON, in which no command of a CI system stays.
  package mutating func write(json: [UInt8]) { write(bytes: json.inertJSON) }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }
}
