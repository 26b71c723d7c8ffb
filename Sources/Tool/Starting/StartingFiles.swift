import UnderstudyContractModel
import UnderstudyCore

/// The files that `understudy init` writes.
enum StartingFiles {
  struct File {
    let path: String
    let text: String
  }

  /// Where tests run.
  enum TestRunner: String, CaseIterable {
    case swift, pytest, node
  }

  /// Where CI runs.
  enum Pipeline: String, CaseIterable {
    case github, gitlab
  }

  /// A small project in which every command has something to do.
  enum Example: String, CaseIterable {
    case jokes

    var files: [File] { StartingFiles.jokes + schemas + [ignored] }
  }

  /// The consumer of the first contract: `understudy call`, until there is a client.
  static let consumer = "api-check"

  /// For editors; the tool does not read them.
  static let schemas = [
    File(path: "Contracts/consumers.schema.json", text: Templates.consumersSchema),
    File(path: "Contracts/contract.schema.json", text: ContractSchema.text),
    File(path: "Contracts/upstream.schema.json", text: Templates.upstreamSchema),
  ]

  /// Keeps what commands leave in .understudy out of the repository, wherever that has its root.
  static let ignored = File(path: ".understudy/.gitignore", text: Templates.keptIgnore)

  /// What a package needs for the test.
  static let packageLines = #"""
      .package(url: "https://github.com/OWNER/understudy", from: "0.1.0")
      .testTarget(name: "ContractTests", dependencies: [.product(name: "UnderstudyTesting", package: "understudy")])
    """#

  /// What a package needs that has a target for tests.
  static let dependencyLines = #"""
      .package(url: "https://github.com/OWNER/understudy", from: "0.1.0")
      .product(name: "UnderstudyTesting", package: "understudy")
    """#

  static let consumersPath = "Contracts/consumers.json"

  static func consumers(of upstream: String) -> File {
    File(path: consumersPath, text: filled(Templates.consumers, upstream))
  }

  static func upstream(_ name: String, _ baseURL: WebURL?) -> File {
    let base = baseURL.map { "  \"baseURL\": \"\($0)\",\n" } ?? ""
    return File(
      path: "Contracts/\(name)/upstream.json",
      text: """
        {
          "$schema": "../upstream.schema.json",
          "format": 1,
        \(base)  "summary": "The API called \(name)"
        }

        """)
  }

  static func contract(of upstream: String) -> File {
    File(path: "Contracts/\(upstream)/greeting.json", text: filled(Templates.contract, upstream))
  }

  static func pipeline(_ pipeline: Pipeline) -> File {
    switch pipeline {
    case .github: File(path: ".github/workflows/contracts.yml", text: Templates.githubWorkflow)
    case .gitlab: File(path: ".gitlab/contracts.yml", text: Templates.gitlabPipeline)
    }
  }

  /// What tests import.
  static func helpers(_ runner: TestRunner) -> [File] {
    switch runner {
    case .swift: []
    case .pytest:
      [
        File(path: "tests/understudy_pytest.py", text: Templates.pytestPlugin),
        File(path: "tests/conftest.py", text: "pytest_plugins = [\"understudy_pytest\"]\n"),
      ]
    case .node: [File(path: "test/understudy.mjs", text: Templates.nodeHelper)]
    }
  }

  /// A test of the first contract.
  static func test(_ runner: TestRunner, of upstream: String) -> File {
    switch runner {
    case .swift:
      File(path: "Tests/ContractTests/APITests.swift", text: filled(Templates.swiftTests, upstream))
    case .pytest: File(path: "tests/test_api.py", text: filled(Templates.pythonTests, upstream))
    case .node: File(path: "test/api.test.mjs", text: filled(Templates.nodeTests, upstream))
    }
  }

  /// Copies of files of this version, which a newer version may bring up to date. The workflow for
  /// GitHub is not one: it can only be changed where it is.
  static let copies =
    schemas + [pipeline(.gitlab), helpers(.pytest)[0], helpers(.node)[0]]

  private static func filled(_ template: String, _ upstream: String) -> String {
    template.replacing("@NAME@", with: upstream).replacing("@CONSUMER@", with: consumer)
  }
}
