import Foundation
import Testing

/// A page of ours: what stands in it between fences, and the comments that tests go by.
///
/// - `<!-- before … -->` begins an act in an empty folder, with commands that no reader needs to see.
/// - `<!-- meanwhile … -->` has more such commands, in the folder of the act.
/// - `<!-- not run: … -->` says why the next snippet is only read.
///
/// A page of the manual has no comments but the last: readers see all that is typed. A snippet with
/// a title is a file that they write, and `> Needs `COMMAND` …` says what they have installed.
struct Page: CustomTestStringConvertible {
  struct Snippet {
    let language: String
    let text: String
    /// The path of the file that it is.
    let title: String?
    /// Why it is not run.
    let reason: String?
  }

  /// What happens in one folder, in the order of the page.
  enum Step {
    /// Commands without a prompt, such as those of a comment, none of which may fail.
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
  static let all = chapters.filter { isChosen($0.path) } + manual

  static let chapters = [
    "README.md", "Contracts/README.md", "FakeServer/README.md", "FakeServer/Helpers/README.md",
    "Sources/README.md", "Sources/Suite/README.md", "Sources/Drift/README.md",
    "Sources/Recording/README.md", "Sources/Interchange/README.md",
    "Sources/Testing/README.md", "ci/README.md", "ci/benchmarks/README.md", "CONTRIBUTING.md",
  ].map(Page.init)

  static let manual = files(below: "Sources/Manual")
    .filter { $0.hasSuffix(".md") && isChosen($0) }.sorted().map(Page.init)

  /// Whoever writes a page names its path in `UNDERSTUDY_PAGE`, and waits for no other.
  private static func isChosen(_ path: String) -> Bool {
    ProcessInfo.processInfo.environment["UNDERSTUDY_PAGE"].map(path.hasSuffix) ?? true
  }

  private static func files(below folder: String) -> [String] {
    let root = Checkout.root.appendingPathComponent(folder).path
    return (FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? [])
      .map { "\(folder)/\($0)" }
  }

  let path: String
  let text: String
  private(set) var snippets: [Snippet] = []
  private(set) var acts: [[Step]] = [[]]

  var testDescription: String { path }

  var isOfManual: Bool { path.hasPrefix("Sources/Manual/") }

  /// Whether all that a reader of it has installed is here, too.
  var canBeTyped: Bool {
    let needs = text.matches(of: /(?m)^> Needs (.*)$/).flatMap { line in
      line.1.matches(of: /`([^`]+)`/).map { String($0.1) }
    }
    return needs.allSatisfy { ProcessRun.find($0) != nil }
  }

  init(_ path: String) {
    self.path = path
    let file = Checkout.root.appendingPathComponent(path)
    text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let pattern =
      #/(?ms)^<!-- (?<comment>.*?)-->$|^```(?<language>\w*)(?<title>[^\n]*)\n(?<code>.*?)^```$/#
    var reason: String?
    for match in text.matches(of: pattern) {
      if let comment = match.comment {
        reason = take(String(comment).trimmingCharacters(in: .whitespacesAndNewlines))
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

  /// Gives the reason for which the next snippet is not run.
  private mutating func take(_ comment: String) -> String? {
    if comment.hasPrefix("before") {
      acts.append([.script(String(comment.dropFirst("before".count)))])
    } else if comment.hasPrefix("meanwhile") {
      acts[acts.count - 1].append(.script(String(comment.dropFirst("meanwhile".count))))
    } else if comment.hasPrefix("not run: ") {
      return String(comment.dropFirst("not run: ".count))
    }
    return nil
  }

  private static let steps: [String: @Sendable (_ text: String) -> Step] = [
    "sh": { .script($0) }, "console": { .session(commands(of: $0)) },
  ]

  /// Those of snippets that are run.
  static let runLanguages = Set(steps.keys)

  private mutating func add(_ snippet: Snippet) {
    snippets.append(snippet)
    if let title = snippet.title {
      acts[acts.count - 1].append(.file(path: title, text: snippet.text))
      return
    }
    guard snippet.reason == nil, let step = Self.steps[snippet.language] else { return }
    acts[acts.count - 1].append(step(snippet.text))
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
