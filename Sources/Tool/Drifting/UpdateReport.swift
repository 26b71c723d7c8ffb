import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyJSON

/// Applies or prints an update of the contracts.
extension UpdateTrial {
  /// Only the diff goes to standard output, for `git apply`.
  func show(on terminal: inout Terminal) {
    for file in update.files { terminal.write(patch: file.diff) }
    writeRest(to: &terminal.errors, terminal.tool)
  }

  /// Returns whether all files were written.
  func apply(to terminal: inout Terminal) -> Bool {
    var isWhole = true
    for file in update.files {
      do throws(Failure) {
        try file.write()
        terminal.errors.write(line: "updated \(file.path)")
      } catch {
        isWhole = false
        terminal.writeError(error)
      }
    }
    writeRest(to: &terminal.errors, terminal.tool, isWritten: isWhole)
    return isWhole
  }

  private func writeRest(
    to stream: inout TextStream, _ tool: ToolName, isWritten: Bool = true
  ) {
    if update.files.isEmpty { stream.write(line: "nothing to update") }
    for rest in update.leftOver {
      let others = rest.findings.count > 1 ? ", and \(rest.findings.count - 1) more" : ""
      for finding in rest.findings.prefix(1) {
        stream.write(
          line: "left \(rest.caseID): \(finding.type.rawValue): \(finding.message)\(others)")
      }
      stream.write(line: "  since \(rest.reason)")
    }
    guard isWritten else { return }
    for rewrite in rewrites {
      for change in rewrite.changes.prefix(1) {
        let place = change.pointer.tokens.isEmpty ? "" : " at \(change.pointer)"
        let rest = rewrite.changes.count == 1 ? "" : ", and \(rewrite.changes.count - 1) more"
        stream.write(
          line: "\(rewrite.identity) now expects \(Self.shown(change.new))\(place) instead of"
            + " \(Self.shown(change.old))\(rest)")
      }
    }
    if !update.files.isEmpty, !isWhole {
      stream.write(
        line: "the deadline left no time to test the changed contracts: run"
          + tool.inserted(in: " \"understudy test\""))
    }
    for check in broken {
      write(check, tool.inserted(in: "now fails in understudy test"), to: &stream)
    }
    for finding in lintFindings {
      stream.write(
        line: "\(finding.file) \(tool.inserted(in: "now has a finding in understudy lint"))")
      stream.write(line: "  \(finding.type.rawValue): \(finding.message)")
    }
    for check in open {
      write(check, "has no expectation yet, since its trial did not pass", to: &stream)
    }
  }

  private func write(_ check: Check, _ fate: String, to stream: inout TextStream) {
    stream.write(line: "\(check.identity) \(fate)")
    if let reason = check.reason { stream.write(line: "  \(reason)") }
    for finding in check.findings {
      stream.write(line: "  \(finding.type.rawValue): \(finding.message)")
    }
  }

  private static func shown(_ value: JSONValue?) -> String { value?.summary ?? "nothing" }
}
