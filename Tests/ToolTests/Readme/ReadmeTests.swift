import Foundation
import Testing
import UnderstudyCore
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyTool

/// What the pages show besides sessions: files, programs, links.
@Suite struct ReadmeTests {
  private static let snippets = Page.manual.flatMap(\.snippets)

  private static let swiftPage = Page("Sources/Manual/guides/swift.md")

  /// `ci/example` builds and runs that package.
  @Test("files of the example package are shown as they are")
  func example() throws {
    let files = Self.swiftPage.snippets.compactMap { snippet in
      snippet.title.map { (path: $0, text: snippet.text) }
    }
    #expect(files.count >= 4)
    for (path, text) in files {
      let file = Checkout.root.appendingPathComponent("Tests/Example/\(path)")
      #expect(
        TextDiff.unified(try String(contentsOf: file, encoding: .utf8), text) == "", "\(path)")
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
        Page.runLanguages.union(["", "json", "text"]).contains(snippet.language),
        "\(snippet.text)")
    }
  }

  @Test("every fence can be read", arguments: Page.manual)
  func fences(page: Page) {
    let fences = page.text.matches(of: /(?m)^ *```.*$/).map { String($0.0) }
    let broken = fences.filter { $0.wholeMatch(of: #/```(\w+( title="[^"]+")?)?/#) == nil }
    #expect(broken == [])
  }

  @Test(
    "XML can be read",
    .enabled(if: ProcessRun.find("xmllint") != nil, "xmllint is not installed"))
  func xml() async throws {
    let folder = try TemporaryFolder()
    let snippets = Self.snippets.filter { $0.language == "xml" }
    #expect(snippets.count > 0)
    for snippet in snippets {
      let isWhole = snippet.text.hasPrefix("<?xml")
      try folder.write("file", isWhole ? snippet.text : "<all>\n\(snippet.text)</all>\n")
      let run = try await offPool {
        try ProcessRun("/usr/bin/env", ["xmllint", "--noout", "\(folder.path)/file"])
      }
      #expect(run.errors == "" && run.code == 0, "\(snippet.text)")
    }
  }

  @Test(
    "Swift that needs nothing but Foundation compiles",
    .enabled(if: ProcessRun.find("swiftc") != nil, "there is no compiler"))
  func compiles() async throws {
    let programs = Page.manual.filter { $0.path != Self.swiftPage.path }.flatMap(\.snippets).filter
    {
      $0.language == "swift" && !$0.text.contains("import XCTest")
    }
    #expect(programs.count > 0)
    let folder = try TemporaryFolder()
    for program in programs {
      // On Apple's systems Foundation has URLSession.
      let networking = "import Foundation\nimport FoundationNetworking\n"
      try folder.write(
        "main.swift", program.text.replacing("import Foundation\n", with: networking))
      let compiler = try #require(ProcessRun.find("swiftc"))
      let run = try await offPool {
        try ProcessRun(
          compiler, ["-typecheck", "-swift-version", "6", "\(folder.path)/main.swift"])
      }
      #expect(run.errors == "")
      #expect(run.code == 0)
    }
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
      // Of a picture it says in which colours it is shown.
      guard parts.count == 2, target.pathExtension == "md" else { continue }
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
