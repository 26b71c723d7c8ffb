/// Text written to a file descriptor, coloured where colour is supported.
package struct TextStream: Sendable {
  /// The colours that messages use, as the parameters of a terminal's escape sequence.
  package enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case yellow = "1;33"
    case green = "32"
  }

  package let isColoured: Bool
  /// Whether it is a terminal, most of which open an address that stands behind a text.
  package var showsLinks = false
  package private(set) var bytes: [UInt8] = []
  private var watch = CommandWatch()

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// Writes text. Control characters are shown as escapes, since contracts come from anywhere and a
  /// terminal obeys what it receives; so are the commands of CI systems.
  package mutating func write(_ text: String, _ style: Style? = nil) {
    append(text, style) { $0.isHarmless || $0 == "\n" || $0 == "\t" }
  }

  /// Writes a text of ours that leads to an address of ours.
  package mutating func write(_ text: String, _ style: Style, leadingTo address: String) {
    if showsLinks { bytes += "\u{1B}]8;;\(address)\u{1B}\\".utf8 }
    write(text, style)
    if showsLinks { bytes += "\u{1B}]8;;\u{1B}\\".utf8 }
  }

  /// Writes text from outside within a line: a line break in it would look like the start of the
  /// next finding.
  package mutating func write(inLine text: String, _ style: Style? = nil) {
    append(text, style, where: \.isHarmless)
  }

  /// Writes text from outside as a whole line.
  package mutating func write(line text: String) {
    write(inLine: text)
    write("\n")
  }

  private mutating func append(
    _ text: String, _ style: Style?, where isSent: (Unicode.Scalar) -> Bool
  ) {
    let style = isColoured ? style : nil
    if let style { bytes += "\u{1B}[\(style.rawValue)m".utf8 }
    for scalar in text.unicodeScalars { watch.append(scalar, to: &bytes, where: isSent) }
    if style != nil { bytes += "\u{1B}[0m".utf8 }
  }

  /// Writes bytes as they are, for formats with their own escaping.
  package mutating func write(bytes new: [UInt8]) {
    bytes += new
    watch = CommandWatch(startsLine: new.last == .newline)
  }

  /// Writes JSON whose strings are harmless to whoever shows them.
  package mutating func write(json: [UInt8]) { write(bytes: json.inertJSON) }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }
}
