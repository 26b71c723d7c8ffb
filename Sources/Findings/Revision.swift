import UnderstudyCore

/// The commit and the branch that a run was of.
package struct Revision: Hashable, Sendable {
  /// In hexadecimal.
  package let commit: String?
  package let branch: String?

  /// `nil` where neither is known.
  package init?(commit: String?, branch: String?) {
    guard commit != nil || branch != nil else { return nil }
    (self.commit, self.branch) = (commit, branch)
  }

  /// As CI systems say it, or else as the repository around a folder has it, without running git.
  package init?(around folder: String, environment: (String) -> String?) {
    let variables = [("GITHUB_SHA", "GITHUB_REF_NAME"), ("CI_COMMIT_SHA", "CI_COMMIT_REF_NAME")]
    for (commit, branch) in variables {
      guard let commit = environment(commit), !commit.isEmpty else { continue }
      self.init(commit: commit, branch: environment(branch).flatMap { $0.isEmpty ? nil : $0 })
      return
    }
    guard let git = Self.gitFolder(around: folder), let head = Self.line(of: "\(git)/HEAD") else {
      return nil
    }
    guard let name = head.after("ref: ") else {
      self.init(commit: Self.commit(head), branch: nil)
      return
    }
    // A worktree has its HEAD to itself, and shares its branches.
    let shared = Self.line(of: "\(git)/commondir").map { Self.path($0, from: git) } ?? git
    let commit = Self.line(of: "\(shared)/\(name)") ?? Self.packed(name, in: shared)
    let branch = name.after("refs/heads/")
    // What a repository says that keeps its branches in tables.
    self.init(commit: commit.flatMap(Self.commit), branch: branch == ".invalid" ? nil : branch)
  }

  private static func packed(_ name: String, in folder: String) -> String? {
    let packed = (try? FileRoot.anywhere.read("\(folder)/packed-refs")) ?? []
    return String(decoding: packed, as: UTF8.self).split(separator: "\n")
      .first { $0.hasSuffix(" \(name)") }.map { String($0.prefix { $0 != " " }) }
  }

  private static let depthMax = 32

  private static func gitFolder(around folder: String) -> String? {
    var place = folder
    for _ in 0..<depthMax {
      let path = "\(place)/.git"
      if line(of: "\(path)/HEAD") != nil { return path }
      if let target = line(of: path)?.after("gitdir: ") { return Self.path(target, from: place) }
      place += "/.."
    }
    return nil
  }

  private static func path(_ path: String, from folder: String) -> String {
    path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }

  private static func line(of path: String) -> String? {
    guard let bytes = try? FileRoot.anywhere.read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }

  private static func commit(_ text: String) -> String? {
    (text.utf8.count == 40 || text.utf8.count == 64)
      && text.utf8.allSatisfy { $0.hexadecimalValue != nil }
      ? text : nil
  }
}

extension String {
  fileprivate func after(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
