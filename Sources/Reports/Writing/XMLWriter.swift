import UnderstudyCore

/// Writes XML, two spaces a level.
///
/// XML cannot represent control characters, even escaped: they are written as `\u{1B}`.
struct XMLWriter {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var depth = 0

  mutating func open(_ name: String, _ attributes: [(name: String, value: String)]) {
    text += "\(indent)<\(name)\(Self.list(attributes))>\n"
    depth += 1
  }

  mutating func close(_ name: String) {
    depth -= 1
    text += "\(indent)</\(name)>\n"
  }

  /// An element that contains only text.
  mutating func element(
    _ name: String, _ attributes: [(name: String, value: String)], _ content: String = ""
  ) {
    let start = "\(indent)<\(name)\(Self.list(attributes))"
    text +=
      content.isEmpty ? "\(start)/>\n" : "\(start)>\(Self.escaped(lines: content))</\(name)>\n"
  }

  private var indent: String { String(repeating: "  ", count: depth) }

  private static func list(_ attributes: [(name: String, value: String)]) -> String {
    attributes.map { " \($0.name)=\"\(escaped($0.value))\"" }.joined()
  }

  static func escaped(lines: String) -> String {
    lines.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escaped(String($0).inert) }.joined(separator: "\n")
  }

  /// Escapes `>` too, since `]]>` is not allowed in text.
  static func escaped(_ text: String) -> String {
    text.visible.escaping { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: nil
      }
    }
  }
}
