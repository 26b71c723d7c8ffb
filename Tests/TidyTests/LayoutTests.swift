import Testing
import UnderstudyTool

@Suite struct LayoutTests {
  private static let isCheckout = Repository.trackedFiles != nil

  private static let topLevelEntries: Set = [
    "Package.swift", "Sources", "Tests", "Contracts", "FakeServer", "ci",
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE",
    ".ci", ".github", ".gitignore", ".spi.yml", ".swift-format",
  ]

  @Test(
    "only the entries agreed on stand at the top",
    .enabled(if: isCheckout, "this is no git checkout"))
  func topLevel() {
    let found = Set(
      (Repository.trackedFiles ?? []).compactMap { $0.path.split(separator: "/").first })
    expectNone(
      found.map(String.init).filter { !Self.topLevelEntries.contains($0) }.sorted()
        .map { "\($0): does not belong at the top; put it into a folder" })
  }

  @Test("the package depends on no other")
  func dependencies() {
    #expect(
      Manifest.file.text.firstMatch(of: /\.package\s*\(/) == nil,
      "Package.swift: found .package(, expected no dependencies")
  }

  @Test("the README stays short: details belong in the manual")
  func readmeLength() {
    let count = Repository.File(path: "README.md").lines.count
    #expect(count <= 121, "README.md: found \(count - 1) lines, expected at most 120")
  }

  @Test("every target has a row in the map")
  func map() {
    let page = Repository.File(path: "Sources/README.md").text
    #expect(Manifest.targets.count > 6, "Package.swift could not be read")
    expectNone(
      Manifest.targets.filter { !page.contains("\n| `\($0)` |") }
        .map { "Sources/README.md: no row for target \($0); add one: | `\($0)` | what it holds |" })
  }

  @Test("the newest version of the changelog is the tool's")
  func version() {
    let headings = Repository.File(path: "CHANGELOG.md").text
      .matches(of: /(?m)^## \[?(\d+\.\d+\.\d+)/).map { String($0.1) }
    #expect(headings.first == Understudy.version)
  }

  @Test(
    "scripts that run on a Mac expand no array that may be empty, which bash 3.2 refuses",
    .enabled(if: isCheckout, "this is no git checkout"))
  func emptyArrays() throws {
    let scripts = (Repository.trackedFiles ?? []).filter {
      ["ci/deploy/nightly/", "ci/deploy/shard", "ci/deploy/action/"].contains(
        where: $0.path.hasPrefix)
        && $0.text.hasPrefix("#!")
    }
    #expect(scripts.count >= 4)
    expectNone(
      scripts.flatMap { script in
        let names = Set(script.text.matches(of: #/(\w+)=\(\)/#).map { String($0.output.1) })
        return script.text.matches(of: #/(\+)?"\$\{(\w+)\[@\]/#).filter {
          $0.output.1 == nil && names.contains(String($0.output.2))
        }.map {
          "\(script.path): write ${\($0.output.2)[@]+\"${\($0.output.2)[@]}\"}"
        }
      })
  }

  @Test(
    "scripts are executable and strict", .enabled(if: isCheckout, "this is no git checkout"))
  func scripts() {
    let scripts = (Repository.trackedFiles ?? []).filter { file in
      (file.path.hasPrefix("ci/") || file.path.hasPrefix(".ci/")) && file.text.hasPrefix("#!")
    }
    #expect(scripts.count >= 4)
    expectNone(
      scripts.flatMap { script in
        var complaints: [String] = []
        if !script.isExecutable {
          complaints.append("\(script.path): not executable; run chmod +x \(script.path)")
        }
        if script.lines.prefix(2) != ["#!/usr/bin/env bash", "set -euo pipefail"],
          script.lines.first != "#!/usr/bin/env python3"
        {
          complaints.append(
            "\(script.path): expected to start with #!/usr/bin/env python3,"
              + " or #!/usr/bin/env bash and set -euo pipefail")
        }
        return complaints
      })
  }
}
