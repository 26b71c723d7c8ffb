package import UnderstudyCore

extension Report {
  /// This report with the commands of a tool in its header and its fixes.
  package func naming(_ tool: ToolName) -> Report {
    guard tool != .standard else { return self }
    return Report(
      run.naming(tool), checks: checks.map { $0.naming(tool) },
      findings: findings.map { $0.naming(tool) }, owners: owners)
  }

  /// This report with what was checked out where it ran.
  package func of(_ revision: Revision?) -> Report {
    guard let revision else { return self }
    return Report(run.of(revision), checks: checks, findings: findings, owners: owners)
  }
}

extension Check {
  fileprivate func naming(_ tool: ToolName) -> Check {
    Check(
      identity, at: place, result, because: reason, cause: cause,
      findings.map { $0.naming(tool) }, duration, attemptCount)
  }
}

extension Finding {
  /// This finding with the commands of a tool in its fix. Messages may quote a response, so they
  /// stay as they are.
  package func naming(_ tool: ToolName) -> Finding {
    with(message: message, fix: fix.map(tool.inserted))
  }
}
