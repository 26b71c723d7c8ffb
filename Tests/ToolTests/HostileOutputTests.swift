import Foundation
import Testing
import UnderstudyReports
import UnderstudyTestSupport

@testable import UnderstudyTool

/// Neither a terminal nor a CI system obeys text from outside, whichever command prints it, in
/// whichever report.
@Suite(.enabled(if: ProcessRun.find("curl") != nil, "curl is not installed"))
struct HostileOutputTests {
  /// Each has its number, by which it is found again.
  private static let texts = HostileTexts.all.enumerated().map { "\($1) t\($0)t" }

  private static func quoted(_ text: String) -> String {
    let bytes = try? JSONSerialization.data(withJSONObject: text, options: .fragmentsAllowed)
    return String(decoding: bytes ?? Data(), as: UTF8.self)
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { "%" + String(Int($0) + 256, radix: 16).dropFirst() }.joined()
  }

  private static let upstream = [
    "Contracts/up/upstream.json": #"{ "summary": "Up", "baseURL": "https://up.example" }"#
  ]

  /// Everything that a run of the tool prints and writes, as text and as JSON.
  private static func outputs(
    _ words: [String], rest: [String] = [], _ files: [String: String]
  ) async throws -> [(name: String, text: String)] {
    let samples = try SampleContracts(only: upstream.merging(files) { $1 })
    var outputs: [(name: String, text: String)] = []
    for format in ["text", "json"] {
      let reports = ReportFormat.allCases.flatMap {
        ["--report", "\($0.rawValue)=\(format).\($0)"]
      }
      let run = try await offPool {
        try ProcessRun(
          Checkout.tool.path, words + ["--format", format] + reports + rest,
          directory: samples.folder)
      }
      #expect(run.code == 1, "\(run.errors)")
      outputs.append((format, "\(run.output)\n\(run.errors)"))
      for report in ReportFormat.allCases {
        outputs.append(("\(report)", try samples.read("\(format).\(report)")))
      }
    }
    return outputs
  }

  private static func expectHarmless(
    _ outputs: [(name: String, text: String)], showing count: Int = texts.count
  ) {
    for (name, text) in outputs {
      let obeyed = HostileTexts.obeyed(in: text) { name == "github" && $0.hasPrefix("::") }
      #expect(obeyed.isEmpty, "\(name)")
    }
    for (name, text) in outputs where ["text", "json", "console", "junit", "sarif"].contains(name) {
      let shown = Set(text.matches(of: /t\d+t/).map(\.output))
      #expect(shown.count >= count, "\(name)")
    }
  }

  @Test("lint, of contracts with them as names, values and file names")
  func lint() async throws {
    var files: [String: String] = [:]
    for (number, text) in Self.texts.enumerated() {
      files["Contracts/up/c\(number).json"] = """
        { "summary": "A", "request": { "method": "GET", "path": "/c\(number)" },
          \(Self.quoted(text)): 1, "cases": { "ok": { "status": \(Self.quoted(text)) } } }
        """
      files["Contracts/up/\(text).json"] = "{ \(text)"
    }
    Self.expectHarmless(try await Self.outputs(["lint"], files))
  }

  @Test("test, of a command that prints them, and contracts that expect them")
  func test() async throws {
    let cases = Self.texts.enumerated().map { number, text in
      """
      "c\(number)": {
        "status": 200, "body": {}, "expect": { "cli": { "exitCode": 0, "stdout": \(Self.quoted(text)) } } }
      """
    }
    let files = [
      "Contracts/consumers.json": #"{ "cli": { "upstreams": ["up"], "command": ["sh", "it"] } }"#,
      "Contracts/up/it.json": """
      { "summary": "A", "request": { "method": "GET", "path": "/a" }, "default": "c0",
        "cases": { \(cases.joined(separator: ",\n")) } }
      """,
      "it": "curl -s $UNDERSTUDY_URL_UP/a >/dev/null; cat texts >&2; cat texts",
      "texts": Self.texts.joined(separator: "\n"),
    ]
    Self.expectHarmless(try await Self.outputs(["test"], files))
  }

  @Test("drift, of responses that have them, and its patch")
  func drift() async throws {
    let live = Self.texts.enumerated().map { "\"m\($0)\": \(Self.quoted($1))" }
    let body = "{ \(live.joined(separator: ",\n")) }"
    let api = try ScriptedUpstream { _ in
      WireMessage(
        status: 200,
        [["Content-Type", "application/json"], ["Content-Length", "\(body.utf8.count)"]], body: body
      )
    }
    let known = Self.texts.indices.map { "\"m\($0)\": \($0)" }.joined(separator: ", ")
    let types = Self.texts.indices.map { "\"m\($0)\": { \"type\": \"integer\" }" }
    let files = [
      "Contracts/up/it.json": """
      { "summary": "A", "request": { "method": "GET", "path": "/a" },
        "cases": { "ok": { "status": 200, "headers": { "Content-Type": "application/json" },
          "live": {}, "body": { \(known) },
          "schema": { "type": "object", "properties": { \(types.joined(separator: ", ")) } } } } }
      """
    ]
    let words = ["drift", "--base-url", "up=\(api.url)", "--confirm", "0s"]
    Self.expectHarmless(try await Self.outputs(words, files))
    let samples = try SampleContracts(only: Self.upstream.merging(files) { $1 })
    let run = try await offPool {
      try ProcessRun(
        Checkout.tool.path, words + ["--update", "--dry-run"], directory: samples.folder)
    }
    Self.expectHarmless([("text", run.output), ("errors", run.errors)])
    #expect(!run.errors.contains("another spelling"))
  }

  private static let picky = [
    "Contracts/up/it.json": """
    { "summary": "A", "cases": { "ok": { "status": 200, "body": {} } },
      "request": {
        "method": "GET", "path": "/a/{n}", "parameters": { "query.q": { "equals": "1" } } } }
    """
  ]

  @Test(
    "run, of a command whose requests have them, once and for each case",
    arguments: [[], ["--each-case", "*"]])
  func run(words: [String]) async throws {
    let urls = Self.texts.enumerated().map { "url = \"$URL/a/\($0)?q=\(Self.encoded($1))\"" }
    let files = Self.picky.merging(["urls": urls.joined(separator: "\n")]) { $1 }
    let script = "sed \"s|[$]URL|$UNDERSTUDY_URL_UP|\" urls | curl -s -K - >/dev/null"
    // It lists no more than fifty.
    Self.expectHarmless(
      try await Self.outputs(["run"] + words, rest: ["--", "sh", "-c", script], files), showing: 50)
  }

  @Test("the lines of serve, of requests that have them", arguments: ["text", "json"])
  func serve(format: String) async throws {
    let samples = try SampleContracts(only: Self.upstream.merging(Self.picky) { $1 })
    let texts = Self.texts
    let printed = try await offPool {
      let server = try RunningServer([], in: samples.folder, format: format)
      var (responses, lines) = ("", [String]())
      for (number, text) in texts.enumerated() {
        let raw = String(text.unicodeScalars.filter { 0x21..<0x7F ~= $0.value }.map(Character.init))
        responses += try server.send("\(raw.filter { !":[".contains($0) }) /up/a")
        responses += try server.send("GET /up/\(raw)", "X-A: \(raw)")
        responses += try server.send("GET /up/a/1?q=\(Self.encoded(text))")
        lines += server.lines { $0.contains("q: found") && $0.contains("t\(number)t") }
      }
      server.interrupt()
      let end = server.end()
      let output = (lines + [end.output]).joined(separator: "\n")
      return [("text", output), ("errors", end.errors), ("responses", responses)]
    }
    Self.expectHarmless(
      printed.map { name, text in
        (
          name,
          text.split(separator: "\n").filter { !$0.hasPrefix("HTTP/") }.joined(separator: "\n")
        )
      })
  }
}
