import UnderstudyJSON

/// A consumer that a case of a live API has broken, with the causes.
package struct BrokenConsumer: Hashable, Sendable {
  package let name: String
  package let caseID: String
  /// The changes in the response, or otherwise the consumer's failures.
  package let causes: [Finding]
}

extension Report {
  /// Whether the run checked live APIs, not only services.
  package var isOfDrift: Bool { run.words.verb == "drift" }

  /// The broken consumers of a run against live APIs, sorted by name.
  package var brokenConsumers: [BrokenConsumer] {
    guard isOfDrift else { return [] }
    var changes: [String: [Finding]] = [:]
    for check in checks(.fail) where check.identity.consumer == nil {
      changes[check.identity.caseID] = check.findings.filter { $0.severity == .error }
    }
    let broken = checks(.fail).compactMap { check in
      check.identity.consumer.map { name in
        let known = changes[check.identity.caseID] ?? []
        return BrokenConsumer(
          name: name, caseID: check.identity.caseID,
          causes: known.isEmpty ? check.findings.filter { $0.severity <= run.failsOn } : known)
      }
    }
    return Set(broken.map(\.name)).sorted().flatMap { name in broken.filter { $0.name == name } }
  }
}

extension Finding {
  /// Its type and subject: `schema-type-changed at /id`, `header-removed ETag`.
  package var subject: String {
    type.rawValue + (header.map { " \($0)" } ?? "") + (spot.map { " at \($0)" } ?? "")
      + (frequency.map { " (intermittent: \($0))" } ?? "")
  }
}

extension BrokenConsumer {
  /// `joke/random#ok: schema-type-changed at /id, status`
  package var reason: String { "\(caseID): \(causeWords)" }

  package var causeWords: String { causes.map(\.subject).joined(separator: ", ") }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("service", name)
      writer.member("case", caseID)
      writer.list("causes", causes) { $1.write(to: &$0) }
    }
  }
}
