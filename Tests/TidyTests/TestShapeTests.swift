import Testing

/// Shapes of tests that pass although something is wrong.
@Suite struct TestShapeTests {
  private static let files = Repository.swiftFiles.filter {
    $0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Tests/TidyTests/")
  }

  @Test("what holds for all holds for some: a count, or that there is one, stands beside it")
  func all() {
    let complaints = Self.files.flatMap { file -> [String] in
      let lines = file.lines
      return file.code(with: ".allSatisfy").compactMap { number, _ -> String? in
        let statement = lines[max(0, number - 3)..<number].joined(separator: "\n")
        guard statement.contains("#expect("), !statement.contains("guard ") else { return nil }
        let around = lines[max(0, number - 6)..<min(lines.count, number + 2)]
          .joined(separator: "\n")
        // A list that the test itself writes or makes is not empty; what a loop has may be.
        let isCounted = around.contains(/isEmpty|\.count\b|== \[|= \[|\.\.[.<]|connections \{/)
        return isCounted
          ? nil
          : "\(file.path):\(number): also passes for nothing at all; compare with a list, or add its count"
      }
    }
    expectNone(complaints)
  }

  /// Where a message is compared in part, and why its whole is not known.
  private static let partial = [
    "Tests/ClientTests/CurlFailureTests.swift": "the rest is curl's",
    "Tests/DriftTests/DriftRunTests.swift": "the rest is curl's",
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
