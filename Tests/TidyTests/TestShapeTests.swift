import Testing

/// Shapes of tests that pass although something is wrong.
@Suite struct TestShapeTests {
  private static let files = Repository.swiftFiles.filter {
    $0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Tests/TidyTests/")
  }

  @Test("what holds for all holds for some: the list that it is said of is counted beside it")
  func all() {
    let complaints = Self.files.flatMap { file -> [String] in
      let lines = file.lines
      return file.code(with: ".allSatisfy").compactMap { number, line -> String? in
        let statement = lines[max(0, number - 3)..<number].joined(separator: "\n")
        // Connections that have gone are as good as those that are idle.
        guard statement.contains("#expect("), !statement.contains("guard "),
          !statement.contains("connections {")
        else { return nil }
        let name = line.firstMatch(
          of: /(\w+)(?:\([^()]*\))?(?:\.(?:dropFirst|dropLast|elements)(?:\([^)]*\))?)*\.allSatisfy/
        )?.1
        let around = lines[max(0, number - 13)..<min(lines.count, number + 5)]
        return name.map { Self.isCounted($0, in: around) } ?? false
          ? nil
          : "\(file.path):\(number): also passes for nothing at all; add the list's count, or compare"
            + " what is wrong in it with []"
      }
    }
    expectNone(complaints)
  }

  /// Whether a list is counted, compared with another, or made by the test itself.
  private static func isCounted(_ name: Substring, in lines: ArraySlice<Substring>) -> Bool {
    let counted = try? Regex(#"\b\#(name)\b[^,;]*(?:\.count\b|\.isEmpty|== \[|\] ==)"#)
    let made = try? Regex(#"(?:let|var) \#(name)\b.*= (?:\[|\(?\d+\.\.)"#)
    return lines.contains { line in
      // What is said of its elements counts nothing.
      let own = line.firstRange(of: ".allSatisfy").map { line[..<$0.lowerBound] } ?? line
      return [counted, made].contains { pattern in
        // By default, a word goes on behind a full stop.
        pattern.map { own.contains($0.wordBoundaryKind(.simple)) } ?? false
      }
    }
  }

  /// Where a message is compared in part, and why its whole is not known.
  private static let partial = [
    "Tests/ClientTests/Curl/CurlFailureTests.swift": "the rest is curl's",
    "Tests/DriftTests/Proof/OutageDrillTests.swift": "the rest is curl's",
    "Tests/JSONTests/JSONRobustnessTests.swift": "the form of all messages, for random bytes",
    "Tests/JSONTests/JSONTestSuiteTests.swift": "the form of all messages, for a suite of others",
    "Tests/RecordingTests/LiveForwarderTests.swift": "the rest is curl's",
    "Tests/ToolTests/WrittenFileTests.swift": "it begins with a folder of the machine's",
    "Tests/YAMLTests/YAMLTestSuiteTests.swift": "the form of all messages, for a suite of others",
  ]

  @Test("a message is compared whole")
  func messages() {
    var used: Set<String> = []
    let complaints = Self.files.flatMap { file in
      file.code(with: ".hasPrefix(", ".hasSuffix(", ".contains(").compactMap {
        number, line -> String? in
        guard
          line.contains(
            /#expect\((?:[^!]*[.( ])?(?:message|description|reason|detail|complaint)\)?[?!]?\.(?:hasPrefix|hasSuffix|contains)\(/
          )
        else { return nil }
        used.insert(file.path)
        return Self.partial[file.path] == nil
          ? "\(file.path):\(number): compares a part of a message; compare it whole, or list the file"
          : nil
      }
    }
    let unused = Self.partial.keys.filter { !used.contains($0) }.sorted()
    expectNone(complaints + unused.map { "\($0): compares whole messages; take it from the list" })
  }
}
