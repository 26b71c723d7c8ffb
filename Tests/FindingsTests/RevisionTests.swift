import Foundation
import Testing
import UnderstudyFindings
import UnderstudyTestSupport

@Suite struct RevisionTests {
  /// A repository with one commit on `main`, by git itself.
  private static func repository() async throws -> (folder: TemporaryFolder, commit: String) {
    let folder = try TemporaryFolder()
    try await git(["init", "-q", "-b", "main"], in: folder.path)
    try folder.write("sub/a.txt", "a")
    try await git(["add", "-A"], in: folder.path)
    try await git(["commit", "-q", "-m", "a"], in: folder.path)
    return (folder, try await git(["rev-parse", "HEAD"], in: folder.path))
  }

  @discardableResult
  private static func git(_ words: [String], in folder: String) async throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"] + words
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardOutput = output
    let code = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    try #require(code == 0)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return text.trimmingCharacters(in: .newlines)
  }

  private static func found(in path: String) -> Revision? {
    Revision(around: path, environment: { _ in nil })
  }

  @Test("reads the commit and the branch of the repository around a folder")
  func branch() async throws {
    let (folder, commit) = try await Self.repository()
    let expected = Revision(commit: commit, branch: "main")
    #expect(Self.found(in: "\(folder.path)/sub") == expected)
    // Branches are then in one file.
    try await Self.git(["pack-refs", "--all"], in: folder.path)
    #expect(Self.found(in: folder.path) == expected)
  }

  @Test("a checkout without a branch has its commit")
  func detached() async throws {
    let (folder, commit) = try await Self.repository()
    try await Self.git(["checkout", "-q", "--detach"], in: folder.path)
    #expect(Self.found(in: folder.path) == Revision(commit: commit, branch: nil))
  }

  @Test("a worktree has a branch of its own")
  func worktree() async throws {
    let (folder, commit) = try await Self.repository()
    try await Self.git(["worktree", "add", "-q", "-b", "fix/it", "other"], in: folder.path)
    #expect(Self.found(in: "\(folder.path)/other") == Revision(commit: commit, branch: "fix/it"))
  }

  @Test("a branch without a commit has no commit, and what is no repository has nothing")
  func nothing() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a/.git/HEAD", "ref: refs/heads/new\n")
    try folder.write("b/.git/HEAD", "/etc/passwd\n")
    try folder.write("c/.git", "gitdir: ../none\n")
    #expect(Self.found(in: "\(folder.path)/a") == Revision(commit: nil, branch: "new"))
    #expect(Self.found(in: "\(folder.path)/b") == nil)
    #expect(Self.found(in: "\(folder.path)/c") == nil)
  }

  @Test(
    "a CI system knows best",
    arguments: [
      ["GITHUB_SHA": "a1", "GITHUB_REF_NAME": "main"],
      ["CI_COMMIT_SHA": "a1", "CI_COMMIT_REF_NAME": "main", "GITHUB_SHA": ""],
    ])
  func system(variables: [String: String]) async throws {
    let (folder, _) = try await Self.repository()
    let found = Revision(around: folder.path, environment: { variables[$0] })
    #expect(found == Revision(commit: "a1", branch: "main"))
  }

  @Test("a joined report has the revision that all its shards have")
  func joined() throws {
    let one = Revision(commit: "a1", branch: "main")
    for (other, expected) in [(one, one), (Revision(commit: "b2", branch: "main"), nil)] {
      let shards = [one, other].enumerated().map { index, revision in
        let report = Sample.report(
          [.pass], from: index, shard: Shard(index: index + 1, count: 2), planning: 2)
        return ("\(index).json", report.of(revision))
      }
      #expect(try Report.joining(shards: shards).run.revision == expected)
    }
  }
}
