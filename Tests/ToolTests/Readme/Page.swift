import Foundation
import Testing

/// A page of ours: what a reader who begins in an empty folder writes and types, from the first line
/// to the last.
///
/// A snippet with a title is a file that readers write, `> Needs `COMMAND` …` says what they have
/// installed, and `<!-- not run: … -->` why the next snippet is only read.
struct Page: CustomTestStringConvertible {
  struct Snippet {
    let language: String
    let text: String
    /// The path of the file that it is.
    let title: String?
    /// Why it is not run.
    let reason: String?
  }

  enum Step {
    /// Commands without a prompt, none of which may fail.
    case script(String)
    /// Commands behind a prompt, and what they print.
    case session([Command])
    /// A file that the page shows.
    case file(path: String, text: String)
  }

  struct Command {
    var line: String
    var output = ""

    var isServer: Bool { line.hasPrefix("understudy serve") }
  }

  /// Every page whose snippets are run.
  static let all = others + manual

  static let others = [
    "README.md", "Sources/README.md", "ci/benchmarks/README.md", "CONTRIBUTING.md",
  ].map(Page.init)

  static let manual = files(below: "Sources/Manual").filter { $0.hasSuffix(".md") }.sorted()
    .map(Page.init)

  private static func files(below folder: String) -> [String] {
    let root = Checkout.root.appendingPathComponent(folder).path
    return (FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? [])
      .map { "\(folder)/\($0)" }
  }

  let path: String
  let text: String
  private(set) var snippets: [Snippet] = []
  private(set) var steps: [Step] = []

  var testDescription: String { path }

  /// Whoever writes a page names its path in `UNDERSTUDY_PAGE`, and waits for no other.
  var isChosen: Bool {
    ProcessInfo.processInfo.environment["UNDERSTUDY_PAGE"].map(path.hasSuffix) ?? true
  }

  /// Whether all that a reader of it has installed is here, too.
  var canBeTyped: Bool {
    let needs = text.matches(of: /(?m)^> Needs (.*)$/).flatMap { line in
      line.1.matches(of: /`([^`]+)`/).map { String($0.1) }
    }
    if text.contains("run --hermetic --"), !areNamespacesAllowed { return false }
    return needs.allSatisfy { ProcessRun.find($0) != nil }
  }

  init(_ path: String) {
    self.path = path
    let file = Checkout.root.appendingPathComponent(path)
    text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let pattern =
      #/(?ms)^<!-- not run: (?<reason>.*?) -->$|^```(?<language>\w*)(?<title>[^\n]*)\n(?<code>.*?)^```$/#
    var reason: String?
    for match in text.matches(of: pattern) {
      if let found = match.reason {
        reason = String(found)
      } else {
        add(
          Snippet(
            language: String(match.language ?? ""), text: String(match.code ?? ""),
            title: match.title.flatMap(Self.title), reason: reason))
        reason = nil
      }
    }
  }

  private static func title(in text: Substring) -> String? {
    text.wholeMatch(of: #/ title="(?<path>.+)"/#).map { String($0.path) }
  }

  /// Languages whose snippets are run.
  static let runLanguages: Set = ["sh", "console"]

  private mutating func add(_ snippet: Snippet) {
    snippets.append(snippet)
    if let title = snippet.title {
      steps.append(.file(path: title, text: snippet.text))
    } else if snippet.reason == nil {
      switch snippet.language {
      case "sh": steps.append(.script(snippet.text))
      case "console": steps.append(.session(Self.commands(of: snippet.text)))
      default: break
      }
    }
  }

  private static func commands(of text: String) -> [Command] {
    var commands: [Command] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("$ ") {
        commands.append(Command(line: String(line.dropFirst(2))))
      } else if let last = commands.last, last.output.isEmpty, last.line.hasSuffix("\\") {
        commands[commands.count - 1].line += "\n\(line)"
      } else if !commands.isEmpty {
        commands[commands.count - 1].output += "\(line)\n"
      }
    }
    return commands
  }
}
