package import UnderstudyCore
package import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON

/// A known change of a live API, accepted until a day.
struct AcceptedEntry: Sendable {
  let contract: String
  /// `nil` for all its cases.
  let caseName: String?
  let type: FindingType
  /// `nil` for any place.
  let path: JSONPointer?
  let reason: String
  /// The last day, `2027-01-31`.
  let until: String
  let source: JSONValue

  /// Whether the last day is before this one.
  func isOver(on today: String) -> Bool { until < today }

  func matches(_ type: FindingType, at found: JSONPointer?, of identity: Check.Identity) -> Bool {
    contract == identity.contract && self.type == type
      && caseName.map { $0 == identity.caseName } ?? true
      && path.map { path in found.map(path.covers) ?? false } ?? true
  }
}

/// Known changes of live APIs, which are shown but do not fail a run until their day is over.
///
///     [ { "contract": "github/repo", "case": "ok", "type": "schema-field-removed",
///         "path": "/language", "reason": "asked about it, #12", "until": "2027-01-31" } ]
///
/// The folder reads and applies the file of `--accepted`. Read this file, then
/// `AcceptedDrift+Reading`.
///
/// Accepted drift is never hidden: a finding becomes a note with the reason, and has its severity
/// again once the day is over. An entry for an unknown contract or case is an error; one that
/// matched nothing is reported if all its cases were checked. `Updating` keeps accepted differences
/// out of the contracts.
package struct AcceptedDrift: Sendable {
  let file: String
  let entries: [AcceptedEntry]

  init(file: String, entries: [AcceptedEntry]) {
    self.file = file
    self.entries = entries
  }

  func accepts(_ difference: Difference, of identity: Check.Identity, now: Moment) -> Bool {
    let today = now.date
    return entries.contains {
      !$0.isOver(on: today)
        && $0.matches(difference.type, at: difference.pointers.first, of: identity)
    }
  }

  /// The checks with accepted findings as notes, and findings on entries that matched nothing.
  package func applied(
    to checks: [Check], failsOn: Finding.Severity, now: Moment
  ) -> (checks: [Check], findings: [Finding]) {
    let today = now.date
    var used = [Bool](repeating: false, count: entries.count)
    let checked = checks.map { check in
      let findings = check.findings.map { finding in
        let number = entries.firstIndex {
          $0.matches(finding.type, at: finding.path, of: check.identity)
        }
        guard let number else { return finding }
        used[number] = true
        return finding.accepted(by: entries[number], today: today)
      }
      return check.with(findings: findings, failsOn: failsOn)
    }
    let unused = zip(entries, used).filter { !$0.1 }.map(\.0).filter { entry in
      // Cases that were not checked prove nothing.
      let own = checks.filter {
        $0.identity.contract == entry.contract
          && entry.caseName.map { [name = $0.identity.caseName] in $0 == name } ?? true
      }
      return !own.isEmpty && own.allSatisfy { [.pass, .fail].contains($0.result) }
    }
    return (checked, unused.map(finding))
  }

  private func finding(about entry: AcceptedEntry) -> Finding {
    Finding(
      .note, entry.type,
      "nothing to accept in \(entry.contract)"
        + (entry.caseName.map { "#\($0)" } ?? "") + (entry.path.map { " at \($0)" } ?? ""),
      at: Place(file, entry.source.position),
      fix: "remove the entry, or keep it if the change may return")
  }
}

extension JSONPointer {
  /// Whether another pointer matches: `*` matches any key or index, and an index any index.
  fileprivate func covers(_ other: JSONPointer) -> Bool {
    tokens.count == other.tokens.count
      && zip(tokens, other.tokens).allSatisfy { own, found in
        own == "*" || own == found
          || JSONPointer.index(of: own) != nil && JSONPointer.index(of: found) != nil
      }
  }
}

extension Finding {
  fileprivate func accepted(by entry: AcceptedEntry, today: String) -> Finding {
    let isOver = entry.isOver(on: today)
    return with(
      isOver ? severity : .note,
      message: "\(message) (\(isOver ? "was " : "")accepted until \(entry.until): \(entry.reason))",
      fix: isOver ? fix : nil)
  }
}
