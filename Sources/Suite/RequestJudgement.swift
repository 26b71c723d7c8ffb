import ContractModel
import FakeServer

/// How the requests of a check differ from what its contract says of them.
struct RequestJudgement {
  private(set) var complaints: [String] = []

  /// - Parameter refused: requests that were to go past the fake.
  init(_ check: Check, _ journal: [JournalEntry], refused: [String], _ upstreams: [Upstream]) {
    complaints = refused.map { "sent \($0), expected only requests to the fake" }
    for entry in journal where entry.contract == nil {
      complaints.append(Self.complaint(about: entry, check, upstreams))
    }
    if journal.isEmpty, refused.isEmpty {
      complaints.append("sent no request")
    } else if !journal.isEmpty {
      complaints += Self.asksForCase(check, journal)
    }
    let (found, expected) = (journal.count + refused.count, check.expectation.requestCount)
    if found != expected, found > 0 {
      let list = journal.map { "\($0.method) \($0.target)" } + refused
      complaints.append(
        "number of requests: found \(found), expected \(expected): "
          + list.joined(separator: ", "))
    }
  }

  private static func complaint(
    about entry: JournalEntry, _ check: Check, _ upstreams: [Upstream]
  ) -> String {
    let complaint = "sent \(entry.method) \(entry.target), which no contract answers"
    guard entry.isUnmatched else { return complaint }
    let misses = RequestIndex(upstreams).explain(entry.request).nearMisses
    // What was probably meant, before others that are as near.
    guard let nearest = misses.first(where: { $0.contract.id == check.contract.id }) ?? misses.first
    else { return complaint }
    let differences = nearest.differences.map(\.description).joined(separator: "; ")
    return "\(complaint); nearest \(nearest.contract.id): \(differences)"
  }

  /// Whether the case was played at all: a consumer may ask for something else, and a case that was
  /// not chosen may not be the one that answers.
  private static func asksForCase(_ check: Check, _ journal: [JournalEntry]) -> [String] {
    let answers = journal.filter { $0.contract == check.contract.id }
    guard !answers.contains(where: { $0.caseName == check.played.name }) else { return [] }
    let request = check.contract.request
    guard let first = answers.first else {
      return ["sent no \(request.method) \(request.path), which this case answers"]
    }
    let found = first.caseName.map { "\"\($0)\"" } ?? "no case"
    return ["found \(found) played (by \(first.reason ?? "nothing")), expected this case"]
  }
}

extension JournalEntry {
  fileprivate var target: String { query.map { "\(path)?\($0)" } ?? path }
}
