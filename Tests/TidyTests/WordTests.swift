import Foundation
import Testing

@Suite struct WordTests {
  private static let isCheckout = Repository.trackedFiles != nil

  /// The table, and examples for it.
  private static let ownFiles = ["CONTRIBUTING.md", "Tests/TidyTests/WordTests.swift"]

  /// Texts of others, and programs that use their APIs or are compared with them.
  private static let foreignPaths = [
    "LICENSE", "Tests/ReportsTests/Fixtures/junit-10.xsd",
    "ci/benchmarks/", "ci/comparing/", "ci/fuzzers/", "ci/soaking/",
  ]

  /// What stands in an address of a service: a part of a secret's form.
  private static let foreignWords: [String: Set<String>] = [
    "Sources/Secrets/SecretForms.swift": ["triggers"],
    "Tests/SecretsTests/Fixtures/Transcripts/texts.txt": ["triggers"],
    "Tests/TestSupport/SecretTable.swift": ["trigger"],
  ]

  @Test(
    "nothing has a word that CONTRIBUTING.md refuses",
    .enabled(if: isCheckout, "this is no git checkout"))
  func refused() throws {
    let refused = Refused(in: Repository.File(path: "CONTRIBUTING.md"))
    try #require(refused.words.count > 20 && refused.phrases.count > 0 && refused.names.count > 2)
    let files = (Repository.trackedFiles ?? []).filter { file in
      !Self.ownFiles.contains(file.path)
        && !Self.foreignPaths.contains(where: file.path.hasPrefix)
    }
    expectNone(
      files.flatMap { file in
        let known = Self.foreignWords[file.path] ?? []
        return (refused.words(in: file.path) + file.lines.flatMap(refused.words(in:)))
          .filter { !known.contains($0) }
          .map { "\(file.path): found \"\($0)\", expected the word of CONTRIBUTING.md" }
      })
  }

  @Test("words are found in prose, in parts of names, and as they are written")
  func found() {
    let refused = Refused(words: ["play"], phrases: ["control room"], names: ["ERR"])
    let lines: [(String, [String])] = [
      ("play it", ["play"]), ("mayPlayCase", ["play"]), ("PLAY_ONCE", ["play"]),
      ("display, replay, player", []), ("The Control room", ["control room"]), ("room", []),
      ("an ERR.", ["ERR"]), ("STDERR, err", []),
    ]
    for (line, words) in lines { #expect(refused.words(in: line) == words, "\(line)") }
  }
}

/// What the last column of the table of words has.
private struct Refused {
  /// Whole words of prose, and parts of names: `answer` in `LiveAnswer`.
  var words: Set<String>
  var phrases: [String]
  /// As they are written: `ERR`.
  var names: Set<String>

  init(words: Set<String>, phrases: [String], names: Set<String>) {
    (self.words, self.phrases, self.names) = (words, phrases, names)
  }

  init(in page: Repository.File) {
    let rows = page.lines.drop { $0 != "| word | for | not |" }.prefix { $0.hasPrefix("|") }
    let entries = rows.dropFirst(2)
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
      .filter { $0.count == 3 }
      .flatMap { $0[2].components(separatedBy: ", ") }
    names = Set(entries.filter { $0.hasPrefix("`") }.map { $0.trimmingCharacters(in: ["`"]) })
    let others = entries.filter { !$0.isEmpty && !$0.hasPrefix("`") }
    phrases = others.filter { $0.contains(" ") }
    words = Set(others.filter { !$0.contains(" ") })
  }

  func words(in line: some StringProtocol) -> [String] {
    var found: [String] = []
    for token in line.split(whereSeparator: { !$0.isLetter && $0 != "_" }) {
      if names.contains(String(token)) { found.append(String(token)) }
      for part in token.parts where words.contains(part) { found.append(part) }
    }
    let lowercased = phrases.isEmpty ? "" : line.lowercased()
    return found + phrases.filter { lowercased.contains($0) }
  }
}

extension StringProtocol {
  /// `mayPlayCase` has may, play and case; so has `MAY_PLAY_CASE`.
  fileprivate var parts: [String] {
    var parts: [String] = []
    var last: Character = "_"
    for character in self {
      let isNew = last == "_" || character.isUppercase && last.isLowercase
      if isNew { parts.append("") }
      if character != "_" { parts[parts.count - 1].append(character.lowercased()) }
      last = character
    }
    return parts
  }
}
