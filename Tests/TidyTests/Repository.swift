import Foundation
import UnderstudyCore
import UnderstudyTestSupport

/// The files of this checkout.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What git tracks, sorted; `nil` where this is no checkout, such as in a source archive.
  static let trackedFiles: [File]? = {
    let git = Process()
    let output = Pipe()
    git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The owner of a checkout in a container is often another one.
    git.arguments = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    git.currentDirectoryURL = root
    (git.standardOutput, git.standardError) = (output, FileHandle.nullDevice)
    guard (try? git.run()) != nil else { return nil }
    let bytes = output.fileHandleForReading.readOn()
    git.waitUntilExit()
    guard git.terminationStatus == 0 else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\0")
      .map { File(path: String($0)) }
      .filter { FileManager.default.fileExists(atPath: $0.url.path) }
  }()

  /// Every Swift file we wrote, tracked yet or not.
  static let swiftFiles: [File] = ["Sources", "Tests", "FakeServer", "ci"].flatMap { folder in
    let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (names?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.sorted()
      .map { File(path: "\(folder)/\($0)") }
  }

  static let sourceFiles = swiftFiles.filter {
    $0.path.hasPrefix("Sources/") || $0.path.hasPrefix("FakeServer/")
  }

  struct File: Sendable {
    /// Relative to the root.
    let path: String

    var url: URL { Repository.root.appendingPathComponent(path) }

    /// Empty for what is not text.
    var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    typealias NumberedLine = (number: Int, line: Substring)

    private var numbered: [NumberedLine] { lines.enumerated().map { ($0.offset + 1, $0.element) } }

    /// The lines that are neither comments nor within a text of several lines.
    var code: [NumberedLine] {
      var isText = false
      return numbered.filter { _, line in
        let line = line.drop { $0 == " " }
        let wasText = isText
        isText = isText ? !line.hasPrefix("\"\"\"") : line.hasSuffix("\"\"\"")
        return !(wasText && isText) && !line.hasPrefix("//")
      }
    }

    /// The lines with one of these texts. A pattern costs a hundred times as much.
    func lines(with parts: String...) -> [NumberedLine] {
      numbered.filter { _, line in parts.contains { line.utf8.contains(bytes: $0.utf8) } }
    }

    func code(with parts: String...) -> [NumberedLine] {
      code.filter { _, line in parts.contains { line.utf8.contains(bytes: $0.utf8) } }
    }

    /// Whether it holds the text of a data file.
    var isGenerated: Bool { path.contains("/Generated/") }

    var isExecutable: Bool { FileManager.default.isExecutableFile(atPath: url.path) }
  }
}

/// The manifest, read as text: what it says is enough here.
enum Manifest {
  static let file = Repository.File(path: "Package.swift")

  static let prefix = "Understudy"

  /// In the order of the file, without the prefix.
  static let targets: [String] = file.text.matches(
    of:
      /(?:\.module\(\s*|Target\(\s*name: |\.target\(\s*name: |\.fuzzer\(\s*name: |systemLibrary\(\s*name: )(?:family \+ )?"([^"]+)"/
  ).map { String($0.1) }

  /// What each module, and what tests share, may import of ours, without the prefix.
  static let uses: [(target: String, uses: Set<String>)] = {
    let walls = file.text.matches(
      of: /\.module\(\s*"([^"]+)"[^\]]*?(?:except: \[[^\]]*\],\s*)?uses: \[([^\]]*)\]/
    ).map { (String($0.1), $0.2) }
    let support = file.text.matches(
      of: /name: family \+ "(TestSupport)", dependencies: \.ours\(\[([^\]]*)\]\)/
    ).map { (String($0.1), $0.2) }
    return (walls + support).map { target, listed in
      (target, Set(listed.matches(of: /"([^"]+)"/).map { String($0.1) }))
    }
  }()
}
