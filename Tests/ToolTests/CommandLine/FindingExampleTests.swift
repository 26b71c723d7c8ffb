import Testing
import UnderstudyFindings

@testable import UnderstudyTool

/// The examples of the rules of lint in `Sources/Manual/reference/findings.md`, as lint prints
/// them.
@Suite struct FindingExampleTests {
  /// A contract without problems, and what makes it break a rule.
  private struct Mistake {
    let rule: FindingType
    var edits: [(old: String, new: String)] = []
    var files: [String: String] = [:]

    init(_ rule: FindingType, _ old: String, _ new: String) {
      self.rule = rule
      edits = [(old, new)]
    }

    init(
      _ rule: FindingType, _ edits: [(old: String, new: String)] = [],
      files: [String: String] = [:]
    ) {
      (self.rule, self.edits, self.files) = (rule, edits, files)
    }
  }

  private static let contract = """
    {
      "summary": "A joke",
      "request": { "method": "GET", "path": "/jokes/{id}" },
      "cases": {
        "ok": {
          "status": 200,
          "headers": { "Content-Type": "application/json" },
          "body": { "setup": "Why?", "punchline": "Because." },
          "schema": { "type": "object", "required": ["setup", "punchline"] },
          "expect": { "jokes.one": { "value": "Because." } }
        },
        "not-found": { "status": 404, "text": "Not found" },
        "cut-short": { "like": "ok", "malform": { "truncateAt": 17 } },
        "slow": { "like": "ok", "delay": { "fixed": "2s" } },
        "reset": { "fault": "CONNECTION_RESET_BY_PEER" }
      }
    }
    """

  private static let consumers = """
    {
      "jokes.one": { "upstreams": ["jokes"], "in": "jokes-tool", "arguments": { "id": "string" },
        "errors": { "connectivity": null, "invalidData": null, "unexpectedStatus": "integer" } }
    }
    """

  private static let path = #""path": "/jokes/{id}""#
  private static let expectation = #"{ "value": "Because." }"#
  private static let reset = #"    "reset": { "fault": "CONNECTION_RESET_BY_PEER" }"#
  private static let end = "\(reset)\n  }"
  private static let cutShort = """
        "cut-short": { "like": "ok", "malform": { "truncateAt": 17 } },

    """
  private static let slow = """
        "slow": { "like": "ok", "delay": { "fixed": "2s" } },

    """

  private static func with(_ condition: String) -> String {
    "\(path), \"parameters\": { \(condition) }"
  }

  private static func waiving(_ rule: String) -> String {
    "\(end),\n  \"waive\": { \"\(rule)\": \"every id has a joke\" }"
  }

  private static let mistakes: [Mistake] = [
    Mistake(.invalidJSON, #""Because." }"#, #""Because.", }"#),
    Mistake(.duplicateKey, #""slow": {"#, #""ok": {"#),
    Mistake(.unknownKey, #"{ "fixed": "2s" }"#, #"{ "fixed": "2s" }, "delays": 1"#),
    Mistake(.missingKey, #""method": "GET", "#, ""),
    Mistake(.conflictingKeys, #""Not found""#, #""Not found", "body": {}"#),
    Mistake(.wrongType, "404", #""404""#),
    Mistake(.badValue, #""GET""#, #""get""#),
    Mistake(.badName, #""not-found""#, #""Not Found""#),
    Mistake(.badPath, "{id}", ":id"),
    Mistake(.badPattern, path, with(#""path.id": { "matches": "^([0-9]+$" }"#)),
    Mistake(.badSchema, "required", "requierd"),
    Mistake(
      .badTemplate,
      [(#""schema""#, #""template": ["body"], "schema""#), (#""Why?""#, #""{path.ids}""#)]),
    Mistake(
      .undeclaredCallback, "404,",
      #"404, "callbacks": { "told": { "url": "https://hooks.example.com/a" } },"#),
    Mistake(.delayUnit, #""2s""#, "2"),
    Mistake(.unreadableFile, #""text": "Not found""#, #""file": "files/none.txt""#),
    Mistake(.unexpectedFile, files: ["Contracts/jokes/v2/two.json": "{}"]),
    Mistake(.secret, path, with(#""header.Authorization": "Bearer 5f3d9a8b7e""#)),
    Mistake(.unknownCase, #""like": "ok", "delay""#, #""like": "okay", "delay""#),
    Mistake(
      .unknownEndpoint,
      files: [
        "Contracts/consumers.json": consumers.replacing(#"["jokes"]"#, with: #"["joke"]"#)
      ]),
    Mistake(.unknownParameter, path, with(#""path.ids": { "matches": "^[0-9]+$" }"#)),
    Mistake(.unknownFault, "_BY_PEER", ""),
    Mistake(.unknownConsumer, #""jokes.one""#, #""jokes.on""#),
    Mistake(.unknownError, expectation, #"{ "error": "invalidDate" }"#),
    Mistake(
      .unknownArgument, expectation, #"{ "value": "Because.", "arguments": { "ids": "1" } }"#),
    Mistake(.unknownRule, end, waiving("no-404")),
    Mistake(
      .circularLike,
      [
        (#""status": 404, "text": "Not found""#, #""like": "slow""#),
        (#""like": "ok", "delay""#, #""like": "not-found", "delay""#),
      ]),
    Mistake(.schemaMismatch, #""punchline": "Because.""#, #""punch": "Because.""#),
    Mistake(.notMalformed, #""truncateAt": 17"#, #""set": { "/setup": "Who?" }"#),
    Mistake(
      .ambiguous,
      files: ["Contracts/jokes/two.json": contract.replacing("{id}", with: "{name}")]),
    Mistake(
      .unreachable,
      [
        ("404,", #"404, "when": { "request": { "path.id": "0" } },"#),
        (#""slow": {"#, #""slow": { "when": { "request": { "path.id": "0" } },"#),
      ]),
    Mistake(.notLive, #""expect""#, #""live": {}, "expect""#),
    Mistake(
      .noContract,
      files: [
        "Contracts/more/upstream.json": """
        { "summary": "More", "baseURL": "https://more.example" }
        """
      ]),
    Mistake(.no404Case, "404", "410"),
    Mistake(.noMalformedCase, cutShort, ""),
    Mistake(.noSlowCase, slow, ""),
    Mistake(.noBrokenCase, "},\n\(reset)", "}"),
    Mistake(
      .noEmptyCase, #""punchline": "Because.""#, #""punchline": "Because.", "tags": ["old"]"#),
    Mistake(.unsetState, "404,", #"404, "when": { "state": { "jokes": "none" } },"#),
    Mistake(.unusedWaiver, end, waiving("no-404-case")),
  ]

  @Test("every rule has one, and lint prints it for such a mistake")
  func examples() throws {
    #expect(Self.mistakes.map(\.rule) == FindingType.rules)
    for mistake in Self.mistakes {
      var contract = Self.contract
      for (old, new) in mistake.edits {
        let range = try #require(contract.firstRange(of: old), "\(mistake.rule): \(old)")
        contract.replaceSubrange(range, with: new)
      }
      let files = [
        "Contracts/consumers.json": Self.consumers,
        "Contracts/jokes/upstream.json": """
        { "summary": "Jokes", "baseURL": "https://jokes.example" }
        """,
        "Contracts/jokes/one.json": contract,
      ].merging(mistake.files) { $1 }
      let output = try SampleContracts(only: files).run(["lint"]).output
      let example = FindingPage.example(of: mistake.rule).joined(separator: "\n")
      #expect(!example.isEmpty && "\n\(output)".contains("\n\(example)\n"), "\(output)")
    }
  }
}

extension FindingPage {
  /// The lines of the example in a section.
  static func example(of type: FindingType) -> [Substring] {
    text(of: type.rawValue).split(separator: "\n").drop { $0 != "```text" }
      .dropFirst().prefix { $0 != "```" }.map { $0 }
  }
}
