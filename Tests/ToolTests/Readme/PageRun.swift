import Foundation
import Synchronization
import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// Runs a page in a shell, as printed but for ports.
struct PageRun {
  /// Ports for a server, and for what acts as the live API of the example, which no other run here
  /// has.
  private struct Ports {
    private static let count = Mutex(0)

    let server: Int
    var example: Int { server + 1 }

    init() {
      let number = Self.count.withLock { count in
        defer { count += 1 }
        return count
      }
      let process = Int(ProcessInfo.processInfo.processIdentifier)
      server = 20_000 + process % 40 * 300 + number % 100 * 3
    }
  }

  private static let functions = #"""
    trap 'kill $(jobs -p) 2> "$OUT/none"' EXIT
    # A blank line ends what a server says before its first request.
    served() {
      until grep -q '^$' "$1" 2> "$OUT/none"; do
        kill -0 $! 2> "$OUT/none" || return
        sleep 0.02
      done
    }
    stop() {
      [ -z "${SERVER-}" ] || { kill -TERM "$SERVER"; wait "$SERVER"; }
      SERVER=
    }

    """#

  /// What each command of the sessions has printed, in their order.
  let shown: [(command: Page.Command, output: String)]

  init(_ steps: [Page.Step]) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("page-\(UUID().uuidString)", isDirectory: true)
    let (outputs, steps) = (folder.appendingPathComponent("out"), steps)
    let stage = folder.appendingPathComponent("act")
    for folder in [outputs, stage] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    try "silent\nshow-error\n"
      .write(to: outputs.appendingPathComponent(".curlrc"), atomically: true, encoding: .utf8)
    let ports = Ports()
    let script = Self.script(steps, ports)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let environment = [
      "PATH": "\(Checkout.products.path):\(path)", "CHECKOUT": Checkout.root.path,
      "OUT": outputs.path, "CURL_HOME": outputs.path, "NO_PROXY": "*",
      "XDG_STATE_HOME": "\(outputs.path)/.local/state",
      "GITHUB_STEP_SUMMARY": "",
    ]
    let run = try await offPool {
      try ProcessRun(
        "/usr/bin/env", ["timeout", "--signal", "KILL", "120", "bash", "--norc", "-c", script],
        directory: stage,
        environment: environment)
    }
    func output(_ name: String) -> String {
      (try? String(contentsOf: outputs.appendingPathComponent(name), encoding: .utf8)) ?? ""
    }
    try #require(run.code == 0 && run.errors == "", "\(run.errors)\(output("script"))")
    shown = steps.enumerated().flatMap { number, step -> [(Page.Command, String)] in
      guard case .session(let commands) = step else { return [] }
      return commands.enumerated().map { place, command in
        // A reader has it in the home folder.
        let output = output("\(number).\(place)").replacing(outputs.path, with: "~")
        return (command, Self.printed(output, ports))
      }
    }
  }

  private static func script(_ steps: [Page.Step], _ ports: Ports) -> String {
    var script = functions
    for (number, step) in steps.enumerated() {
      switch step {
      case .script(let text):
        script += "{ set -e\n\(text)\nset +e; } >> \"$OUT/script\" 2>&1 < /dev/null\n"
      case .file(let path, let text):
        script += """
          mkdir -p "$(dirname '\(path)')"
          cat > '\(path)' <<'END OF FILE'
          \(text)END OF FILE

          """
      case .session(let commands):
        for (place, command) in commands.enumerated() {
          let file = "\"$OUT/\(number).\(place)\""
          guard command.isServer else {
            script += "{ \(command.line)\n} > \(file) 2>&1 < /dev/null\n"
            if command.line.contains("init --example") {
              script += "sed -i 's/:80[9]0/:\(ports.example)/' Contracts/*/upstream.json\n"
            }
            continue
          }
          if command.line.contains("--port 8090") {
            script += """
              \(command.line) > \(file) 2>&1 < /dev/null &
              served \(file)

              """
            continue
          }
          script += """
            stop
            export LOG=\(file)
            \(command.line) --port 8080 > "$LOG" 2>&1 < /dev/null &
            SERVER=$!
            served "$LOG"
            export UNDERSTUDY_URL=http://127.0.0.1:8080

            """
        }
      }
    }
    script += "stop\nexit 0\n"
    return script.replacing("--port 8080", with: "--port \(ports.server)")
      .replacing(":8080", with: ":\(ports.server)")
      .replacing("--port 8090", with: "--port \(ports.example)")
      .replacing(":8090", with: ":\(ports.example)")
  }

  /// A prompt begins a line of its own.
  private static func printed(_ output: String, _ ports: Ports) -> String {
    let lines = output.unicodeScalars.filter { $0 != "\r" }
    let output = String(String.UnicodeScalarView(lines))
      .replacing(":\(ports.server)", with: ":8080")
      .replacing(":\(ports.example)", with: ":8090")
    return output.isEmpty || output.hasSuffix("\n") ? output : output + "\n"
  }

  /// How what was printed differs from what is shown; empty where it does not.
  var differences: String {
    shown.map { command, output in
      let expected = Self.withoutFigures(command.output).replacing("^C", with: "")
      let found = Self.withoutFigures(output)
      var lines = Self.lines(of: expected)
      if command.isServer, !expected.contains("\nstopped after ") { lines.append("…") }
      if Self.matches(lines, Self.lines(of: found)) { return "" }
      return "$ \(command.line)\n\(TextDiff.unified(expected, String(found.prefix(20_000))))"
    }.joined()
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  /// A line `…` stands for any lines, or none. Between two of them, the first place that fits leaves
  /// most for the others.
  private static func matches(_ expected: [Substring], _ found: [Substring]) -> Bool {
    let parts = expected.split(separator: "…", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return expected == found
    }
    var rest = found[...]
    guard rest.count >= first.count + last.count, rest.starts(with: first),
      rest.suffix(last.count) == last
    else { return false }
    rest = rest.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() {
      guard let place = rest.firstRange(of: part) else { return false }
      rest = rest[place.upperBound...]
    }
    return true
  }

  /// Ports, sizes, times and days differ from one machine or day to the next.
  private static func withoutFigures(_ text: String) -> String {
    text.replacing(/:\d{4,5}\b/, with: ":PORT")
      .replacing(/[ ]+\d+(\.\d+)? B\b/, with: " N B")
      .replacing(/[ ]+\d+(\.\d+)? ?m?s\b/, with: " N s")
      .replacing(/\d+ (second|minute|hour|day)s? ago/, with: "N ago")
      .replacing(/\d{4}-\d\d-\d\d/, with: "DATE")
      .replacing(/[▁▂▃▄▅▆▇█]+/, with: "BARS")
      .replacing(/[ ]{2,}/, with: "  ")
  }
}
