import UnderstudyCore
import UnderstudyFindings

/// What `understudy help NAME` prints for a type of finding: its section of
/// `Sources/Manual/reference/findings.md` as plain text.
struct FindingPage {
  private static let width = 80

  private let name: String
  private let tool: ToolName
  /// Wrapped, but for those of examples, which are as the tool prints them.
  private var lines: [String] = []

  /// - Parameter tool: as its text names it.
  init(of name: String, by tool: ToolName) {
    (self.name, self.tool) = (name, tool)
    var paragraph: [Substring] = []
    var isExample = false
    for line in Self.text(of: name).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isExample.toggle()
      } else if isExample {
        lines.append(tool.inserted(in: "  \(line)"))
      } else if line.isEmpty {
        add(paragraph)
        paragraph = []
        lines.append("")
      } else {
        paragraph.append(line)
      }
    }
    add(paragraph)
  }

  /// The Markdown below its heading.
  static func text(of name: String) -> String { FindingPages.sections[name] ?? "" }

  private mutating func add(_ paragraph: [Substring]) {
    let text = paragraph.joined(separator: " ").replacing("`", with: "")
    lines += TextLayout.wrapped(tool.inserted(in: text), width: Self.width)
  }

  func write(to stream: inout TextStream) {
    stream.write(name, .bold)
    stream.write((["", ""] + lines).map { "\($0)\n" }.joined())
  }

  /// Writes the names of all, each with its meaning, below the headings of the manual.
  static func writeList(by tool: ToolName, to stream: inout TextStream) {
    let column = FindingType.allCases.map(\.rawValue.count).max() ?? 0
    for (title, names) in FindingPages.groups {
      stream.write(title, .bold)
      let rows = names.map { name in
        let meaning = FindingType(rawValue: name)?.meaning.replacing("`", with: "") ?? ""
        return [name + TextLayout.spaces(column - name.count), meaning]
      }
      let lines = TextLayout.aligned(rows, indent: 2, width: width)
      stream.write(([":"] + lines + [""]).map { "\($0)\n" }.joined())
    }
    let ending = "\"understudy help NAME\" explains a finding, with an example and a fix.\n"
    stream.write(tool.inserted(in: ending))
  }
}
