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

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// Control characters are shown, not sent: contracts come from anywhere, and a terminal obeys
  /// what it is sent.
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
    text.appendVisible(to: &bytes, where: isSent)
    if style != nil { bytes += "\u{1B}[0m".utf8 }
  }

  /// Takes bytes as they are, for formats that do their own escaping.
  package mutating func write(bytes new: [UInt8]) {
    bytes += new
  }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }
}
