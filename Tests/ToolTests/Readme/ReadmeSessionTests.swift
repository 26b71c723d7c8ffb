import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// Runs what the pages show in a shell, and compares what it prints.
@Suite struct ReadmeSessionTests {
  @Test(
    "every command prints what its page shows",
    .enabled(
      if: ["curl", "python3", "timeout"].allSatisfy { ProcessRun.find($0) != nil },
      "curl, python3 or timeout is not installed"),
    arguments: Page.all.filter { $0.isChosen && $0.canBeTyped })
  func prints(page: Page) async throws {
    guard !page.steps.isEmpty else { return }
    let differences = try await PageRun(page.steps).differences
    #expect(differences == "")
  }

  /// `ci/languages` has what they need.
  @Test(
    "so does every command of pages that need more",
    .enabled(
      if: ProcessInfo.processInfo.environment["UNDERSTUDY_PAGES"] == "all",
      "what they need is not installed"),
    arguments: Page.all.filter { $0.isChosen && !$0.canBeTyped })
  func printsElsewhere(page: Page) async throws { try await prints(page: page) }

  @Test(
    "the picture is what ci/picture draws",
    .enabled(
      if: ["script", "python3", "curl"].allSatisfy { ProcessRun.find($0) != nil },
      "script, python3 or curl is not installed"))
  func picture() async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).svg")
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try await shell("ci/picture '\(Checkout.products.path)' '\(file.path)'")
    #expect(run.errors == "")
    let shown = Checkout.root.appendingPathComponent(".github/terminal.svg")
    #expect(
      TextDiff.unified(
        try String(contentsOf: shown, encoding: .utf8),
        try String(contentsOf: file, encoding: .utf8))
        == "")
  }

  @Test("there are pages to type")
  func found() {
    #expect(Page.manual.count > 50)
    let count = Page.all.count { $0.isChosen }
    #expect(count > 0)
  }

  @Test("a page of the manual hides nothing", arguments: Page.manual)
  func hidesNothing(page: Page) {
    let untyped = page.text.contains(#/\A# .*\n\n> Not typed by our tests: /#)
    for comment in page.text.matches(of: /(?ms)^<!-- (.*?)-->$/) {
      #expect(
        comment.1.hasPrefix("not run: it installs") || untyped && comment.1.hasPrefix("not run: "))
    }
  }

  @Test("what is not run says why")
  func notRun() {
    let reasons = Page.others.flatMap { page in
      page.snippets.compactMap { $0.reason.map { "\(page.path): \($0)" } }
    }
    #expect(
      reasons == [
        "README.md: they build the package, which runs this test",
        "Sources/README.md: it runs every test, this one included",
        "CONTRIBUTING.md: they build and test the package",
      ])
  }

  @Test("commands that are not run are a shell's, and name files that exist", arguments: Page.all)
  func isShell(page: Page) async throws {
    for snippet in page.snippets where snippet.reason != nil && snippet.language == "sh" {
      let run = try await shell("bash -n <<'END'\n\(snippet.text)END")
      #expect(run.errors == "")
      for match in snippet.text.matches(
        of: /(?:^|[ \n])((?:ci|Contracts|Tests)\/[A-Za-z0-9\/._*-]+)/)
      {
        let found = try await shell("compgen -G '\(match.1)'")
        #expect(found.code == 0, "\(match.1)")
      }
    }
  }

  private func shell(_ script: String) async throws -> ProcessRun {
    try await offPool {
      try ProcessRun("/bin/bash", ["--norc", "-c", script], directory: Checkout.root)
    }
  }
}
