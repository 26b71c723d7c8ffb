import Foundation
import Testing
import UnderstudyCore
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyTool

/// What the pages show besides sessions: files, programs, links.
@Suite struct ReadmeTests {
  /// Those of the format's page have tests of their own.
  private static let pages = Page.chapters.filter { $0.path != "Contracts/README.md" }

  private static func snippets(in language: String) -> [Page.Snippet] {
    pages.flatMap(\.snippets).filter { $0.language == language }
  }

  private static let exampleFiles = [
    "Contracts/consumers.json", "Sources/jokes-tool/main.swift",
    "Tests/JokesTests/JokeTests.swift", "Tests/JokesTests/JokeXCTests.swift",
  ]

  private static func language(of path: String) -> String {
    path.hasSuffix(".json") ? "json" : "swift"
  }

  private static func exampleFile(_ path: String) throws -> String {
    let file = Checkout.root.appendingPathComponent("Tests/Example/\(path)")
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// `ci/example` builds and runs that package.
  @Test("files of the example package are shown as they are", arguments: exampleFiles)
  func example(path: String) throws {
    let file = try Self.exampleFile(path)
    #expect(Self.snippets(in: Self.language(of: path)).contains { $0.text == file })
  }

  /// `ci/languages` runs those projects.
  private static let projects = ["python": "Python", "js": "Node"]

  @Test("tests in other languages are shown as they are", arguments: projects)
  func tests(language: String, project: String) throws {
    let folder = Checkout.root.appendingPathComponent("Tests/\(project)")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    let snippets = Self.snippets(in: language)
    #expect(snippets.count == 2)
    for snippet in snippets {
      #expect(files.contains { $0.contains(snippet.text) }, "\(snippet.text)")
    }
  }

  @Test("there is no other JSON")
  func json() { #expect(Self.snippets(in: "json").count == 1) }

  /// Workflows, where `ci/lint` checks them.
  @Test("YAML is only on the page about CI")
  func workflows() {
    #expect(pages(with: "yaml") == ["ci/README.md"])
  }

  private func pages(with language: String) -> [String] {
    Page.chapters.filter { $0.snippets.contains { $0.language == language } }.map(\.path)
  }

  /// By language, what reads a snippet without a complaint.
  private static let readers = ["xml": ["xmllint", "--noout"]]

  @Test(
    "files in other languages can be read",
    .enabled(if: ProcessRun.find("xmllint") != nil, "xmllint is not installed"), arguments: readers)
  func readable(language: String, reader: [String]) async throws {
    let folder = try TemporaryFolder()
    let snippets = Self.snippets(in: language)
    #expect(snippets.count > 0)
    for snippet in snippets {
      try folder.write("file", "<all>\n\(snippet.text)</all>\n")
      let run = try await offPool {
        try ProcessRun("/usr/bin/env", reader + ["\(folder.path)/file"])
      }
      #expect(run.errors == "" && run.code == 0, "\(snippet.text)")
    }
  }

  @Test("JSON in the manual is a document, or members of an object", arguments: Page.manual)
  func manualJSON(page: Page) {
    for snippet in page.snippets where snippet.language == "json" {
      let texts = [snippet.text, "{\(snippet.text)}"]
      #expect(texts.contains { (try? JSONDocument(parsing: $0)) != nil }, "\(snippet.text)")
    }
  }

  @Test("what is in another language is a file that readers write", arguments: Page.manual)
  func titled(page: Page) {
    for snippet in page.snippets where snippet.title == nil {
      #expect(
        Page.runLanguages.union(["", "json", "text"]).contains(snippet.language), "\(snippet.text)")
    }
  }

  /// What is only printed has no language.
  @Test("every language has a test, and none is tested that no page has")
  func languages() {
    let tested = Page.runLanguages.union(Self.projects.keys).union(Self.readers.keys)
      .union(Self.exampleFiles.map(Self.language)).union(["yaml"])
    let found = Set(Page.chapters.flatMap(\.snippets).map(\.language)).subtracting([""])
    #expect(found.sorted() == tested.sorted())
  }

  @Test(
    "a program by itself is one that compiles",
    .enabled(if: ProcessRun.find("swiftc") != nil, "there is no compiler"))
  func compiles() async throws {
    let files = try Self.exampleFiles.map(Self.exampleFile)
    let programs = Self.snippets(in: "swift").filter { snippet in
      snippet.reason == nil && !files.contains { $0.contains(snippet.text) }
    }
    #expect(programs.count == 2)
    for program in programs { try await compile(program.text) }
  }

  private func compile(_ program: String) async throws {
    let source = FileManager.default.temporaryDirectory
      .appendingPathComponent("program \(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: source) }
    let file = source.appendingPathComponent("main.swift")
    // On Apple's systems Foundation has URLSession.
    let networking = "import Foundation\nimport FoundationNetworking\n"
    try program.replacing("import Foundation\n", with: networking)
      .write(to: file, atomically: true, encoding: .utf8)
    // As another package would: only what is public is seen.
    let modules = ["CCurl", "CLinux"].flatMap { name in
      ["-I", Checkout.root.appendingPathComponent("Sources/\(name)").path]
    }
    let compiler = try #require(ProcessRun.find("swiftc"))
    let run = try await offPool {
      try ProcessRun(
        compiler,
        ["-typecheck", "-swift-version", "6", "-I", Checkout.products.path + "/Modules"] + modules
          + [file.path])
    }
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test("links lead to files and headings that exist", arguments: Page.all)
  func links(page: Page) throws {
    let folder = Checkout.root.appendingPathComponent(page.path).deletingLastPathComponent()
    for match in page.text.matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains("://") {
      let parts = match.1.split(separator: "#", omittingEmptySubsequences: false)
      let target =
        parts[0].isEmpty
        ? Checkout.root.appendingPathComponent(page.path)
        : folder.appendingPathComponent(String(parts[0]))
      #expect(FileManager.default.fileExists(atPath: target.path), "\(match.1)")
      guard parts.count == 2 else { continue }
      let text = try String(contentsOf: target, encoding: .utf8)
      let anchors = text.matches(of: /(?m)^#+ (.+)$/).map { Self.anchor(of: $0.1) }
      #expect(anchors.contains(String(parts[1])), "\(match.1)")
    }
  }

  /// As GitHub makes it of a heading.
  private static func anchor(of heading: Substring) -> String {
    String(
      heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        .map { $0 == " " ? "-" : $0 })
  }
}
