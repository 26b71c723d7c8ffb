import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// The differences between the requests of a check and its contract.
struct RequestComparison {
  private let check: PlannedCheck
  private(set) var findings: [Finding] = []

  private static let listedMax = 10

  /// - Parameters:
  ///   - refused: requests that bypassed the fake.
  ///   - brokenHandshakeCount: how many TLS handshakes the case has broken.
  ///   - hasEnded: whether the consumer sends no more.
  init(
    _ check: PlannedCheck, _ journal: [JournalEntry], refused: [String],
    brokenHandshakeCount: Int, hasEnded: Bool, _ index: RequestIndex
  ) {
    self.check = check
    for request in refused {
      add(.foreignHost, "sent \(request), expected only requests to the fake")
    }
    if check.served.breaksHandshake {
      checkThatHandshakeBroke(journal, brokenHandshakeCount, isElsewhere: !refused.isEmpty)
      return
    }
    for entry in journal where entry.contract == nil { addUnmatched(entry, index) }
    if journal.isEmpty, refused.isEmpty {
      add(.requestCount, "sent no request", fix: fixOfAddress)
    } else if !journal.isEmpty {
      checkThatCaseWasServed(journal)
    }
    let (found, expected) = (journal.count + refused.count, check.expectation.requestCount)
    if found != expected, found > 0 {
      let list = Self.list(of: journal.map { "\($0.method) \($0.target)" } + refused)
      // A request that went astray has a finding of its own.
      let isKnown = refused.isEmpty && journal.allSatisfy { $0.contract != nil }
      add(
        .requestCount, "sent \(found.of("request")), expected \(expected): \(list)",
        fix: isKnown && hasEnded
          ? "if that is right, write \"requests\": \(found) beside what it expects" : nil
      )
    }
  }

  private var fixOfAddress: String {
    check.command == nil
      ? "let it send its requests to the base URL that it is given"
      : "let the command send its requests to the base URL in "
        + CommandEnvironment.addressName(ofUpstream: check.contract.upstreamName)
  }

  /// Nothing is sent where no connection becomes encrypted.
  private mutating func checkThatHandshakeBroke(
    _ journal: [JournalEntry], _ brokenCount: Int, isElsewhere: Bool
  ) {
    if !journal.isEmpty {
      let list = Self.list(of: journal.map { "\($0.method) \($0.target)" })
      add(
        .request,
        "went on although the TLS handshake must fail: sent \(list), expected no request",
        fix: "let the client check certificates, and accept TLS 1.2 or later only")
    } else if brokenCount == 0, !isElsewhere {
      add(.requestCount, "began no TLS connection", fix: fixOfAddress)
    }
  }

  /// Equal requests in a row are one with their number; of many, the first are listed.
  private static func list(of requests: [String]) -> String {
    var runs: [(request: String, count: Int)] = []
    for request in requests {
      if runs.last?.request == request {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((request, 1))
      }
    }
    let shown = runs.prefix(listedMax).map { run in
      run.count == 1 ? run.request : "\(run.request) (\(run.count) times)"
    }
    let rest = runs.dropFirst(listedMax).reduce(0) { $0 + $1.count }
    return shown.joined(separator: ", ") + (rest == 0 ? "" : " and \(rest) more")
  }

  private mutating func addUnmatched(_ entry: JournalEntry, _ index: RequestIndex) {
    var message = "sent \(entry.method) \(entry.target), which no contract matches"
    let near =
      entry.isUnmatched ? SecretMask.standard.masked(index.explain(entry.request)).nearMisses : []
    // The probably intended contract, before others that are as near.
    if let nearest = near.first(where: { $0.contract.id == check.contract.id })
      ?? near.first
    {
      let differences = nearest.differences.map(\.description).joined(separator: "; ")
      message += "; nearest \(nearest.contract.id): \(differences)"
    }
    add(.request, message)
  }

  /// A consumer may request something else, and a case that was not chosen may not be served.
  private mutating func checkThatCaseWasServed(_ journal: [JournalEntry]) {
    let responses = journal.filter { $0.contract == check.contract.id }
    guard !responses.contains(where: { $0.caseName == check.served.name }) else { return }
    let request = check.contract.request
    guard let first = responses.first, let caseName = first.caseName else {
      return add(.request, "sent no \(request.method) \(request.path), which this case matches")
    }
    add(
      .request,
      "found \"\(caseName)\" served (by \(first.reason?.rawValue ?? "nothing")), expected this case",
      fix: check.command == nil
        ? "give the consumer \"arguments\" with which it sends a request that this case is for"
        : "let the command send a request that this case is for: UNDERSTUDY_CASE names it")
  }

  private mutating func add(_ type: FindingType, _ message: String, fix: String? = nil) {
    findings.append(Finding(.error, type, message, at: check.expectationPlace, fix: fix))
  }
}

extension JournalEntry {
  fileprivate var target: String { request.query.map { "\(request.path)?\($0)" } ?? request.path }
}
