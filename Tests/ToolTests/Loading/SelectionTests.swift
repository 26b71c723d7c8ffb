import Testing

@testable import UnderstudyTool

/// What the words of a command line select, by name or by path.
@Suite struct SelectionTests {
  private static func stage() throws -> SampleContracts {
    let thing = """
      {
        "summary": "A thing", "request": { "method": "GET", "path": "/thing" },
        "cases": { "ok": { "status": 200 }, "gone": { "status": 410 } }
      }
      """
    return try SampleContracts(only: [
      "Contracts/a/upstream.json": #"{ "summary": "A", "baseURL": "https://a.example" }"#,
      "Contracts/a/one.json": thing,
      "Contracts/a/two.json": thing.replacing("/thing", with: "/two"),
      "Contracts/a/NOTES.md": "Notes",
      "Contracts/b/upstream.json": #"{ "summary": "B", "baseURL": "https://b.example" }"#,
      "Contracts/b/one.json": thing,
      "Other/c/upstream.json": #"{ "summary": "C", "baseURL": "https://c.example" }"#,
      "Other/c/one.json": thing,
      "a/unrelated.txt": "Unrelated.",
    ])
  }

  private static func run(_ words: String, in samples: SampleContracts) async throws -> ProcessRun {
    try await offPool {
      try ProcessRun(
        Checkout.tool.path, words.split(separator: " ").map(String.init),
        directory: samples.folder)
    }
  }

  @Test(
    "names, patterns and paths say the same in each command",
    arguments: [
      ("", "a/one a/two b/one"), ("a", "a/one a/two"), ("a/two", "a/two"), ("*/one", "a/one b/one"),
      ("a/t* b", "a/two b/one"), ("Contracts/a", "a/one a/two"), ("./Contracts/a/", "a/one a/two"),
      ("Contracts/b/one.json", "b/one"), ("./Other", "c/one"), ("Other/c", "c/one"),
      ("-C Other", "c/one"), ("-C Other c/one", "c/one"), ("--contracts=Contracts/ b", "b/one"),
    ])
  func selected(words: String, ids: String) async throws {
    let samples = try Self.stage()
    let listed = try await Self.run("list --format json \(words)", in: samples)
    #expect(Self.ids(in: listed.output) == ids, "\(listed.errors)")
    // Of commands about cases, one that reads the same words.
    let history = try await Self.run("history --format json \(words)", in: samples)
    #expect(history.code == 0, "\(history.errors)")
  }

  private static func ids(in listing: String) -> String {
    listing.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /"id": "([^"]*)"/).map { String($0.1) }
    }.joined(separator: " ")
  }

  @Test(
    "what is none of them is an error, and selects nothing else",
    arguments: [
      (
        "history Contracts/a/NOTES.md", "Contracts/a/NOTES.md is neither a contract nor a folder of"
      ),
      (
        "history ./Other a",
        "found contracts of 2 folders, Other and Contracts, expected those of one"
      ),
      ("history Contracts/a/three.json", "no such file or folder: Contracts/a/three.json"),
      ("lint a/three", "nothing matches \"a/three\""),
      ("lint two", "nothing matches \"two\"\n  fix: did you mean \"a/two\"?\n"),
      ("history two#ok", "nothing matches \"two#ok\"\n  fix: did you mean \"a/two#ok\"?\n"),
      ("history a/two#okk", "nothing matches \"a/two#okk\"\n  fix: did you mean \"a/two#ok\"?\n"),
      (
        "call two",
        "found \"two\" for CONTRACT, expected the name of a contract, such as a/one\n  fix: did you mean"
          + " \"a/two\"?\n"
      ),
      ("lint a/one#ok", "found the case \"a/one#ok\", expected whole contracts"),
      ("history c", "nothing matches \"c\""),
      ("lint -C Contracts/a", "found the folder of an upstream for --contracts"),
      ("serve --record a", "a selection cannot be used with --record"),
    ])
  func refused(words: String, message: String) async throws {
    let run = try await Self.run(words, in: Self.stage())
    #expect(run.errors.hasPrefix("understudy: error: \(message)"), "\(run.errors)")
    #expect(run.code == 2)
  }
}
