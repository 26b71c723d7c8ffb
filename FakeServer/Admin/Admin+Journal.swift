import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

extension Admin {
  /// Lists the requests: those there are, or with `wait` the first to come.
  func journal(
    _ request: Request, _ gate: AccessGate, _ then: @escaping Then
  ) throws(Problem) -> Errand? {
    let (query, options) = try JournalOptions.read(
      request, scope: scope, isLocalClient: gate.isLocalClient)
    try checkNames(of: query)
    let mask = options.isUnmasked ? nil : core.mask
    guard let patience = options.wait else {
      core.readJournal(query) { then(Self.list($0, mask)) }
      return nil
    }
    return Errand { [core] in
      guard let found = await core.awaitRequests(query, within: patience) else { return }
      then(Self.list(found, mask))
    }
  }

  private static func list(_ found: [JournalEntry], _ mask: SecretMask?) -> OwnResponse {
    .members { object in
      object.key("requests")
      object.array { array in
        for entry in found {
          array.object { (mask.map(entry.masked(by:)) ?? entry).write(to: &$0) }
        }
      }
    }
  }

  func unmatched(_ query: JournalQuery, _ then: @escaping Then) {
    core.unmatched(query) { found in
      then(
        .members { object in
          object.key("requests")
          object.array { array in
            for (entry, explanation) in found {
              array.object { object in
                entry.masked(by: core.mask).write(to: &object)
                object.member("message", explanation.complaint)
                object.key("nearest")
                object.array { array in
                  for near in explanation.nearMisses {
                    array.object { near.write(to: &$0) }
                  }
                }
              }
            }
          }
        })
    }
  }

  func count(_ request: Request, _ then: @escaping Then) throws(Problem) {
    let query = try query(request)
    let body = try AdminBody(request)
    let pattern: RequestPattern
    do throws(ContractError) {
      pattern = try RequestPattern(reading: body.root, origin: "body")
    } catch {
      let first = error.findings.first
      throw .badRequest(
        first?.message ?? "no request", fix: first?.fix, at: first?.position)
    }
    core.readJournal(query) { found in
      let count = found.count { pattern.matches(RequestParts($0.request, at: $0.receivedAt)) }
      then(.members { $0.member("count", count) })
    }
  }

  /// How many requests each case has responded to, up to the last request before the call.
  func countServed(_ query: JournalQuery, _ then: @escaping Then) {
    let last = core.lastSequence
    core.readJournal(query) { found in
      var counts: [ServedCase: Int] = [:]
      for request in found where request.sequence <= last {
        if let served = request.served { counts[served, default: 0] += 1 }
      }
      let sorted = counts.sorted {
        ($0.key.contract, $0.key.caseName) < ($1.key.contract, $1.key.caseName)
      }
      then(
        .members { object in
          object.member("sequence", Int(last))
          object.list("cases", sorted) { writer, count in
            writer.object { object in
              object.member("contract", count.key.contract)
              object.member("case", count.key.caseName)
              object.member("count", count.value)
            }
          }
        })
    }
  }

  func query(_ request: Request) throws(Problem) -> JournalQuery {
    let query = try JournalOptions.readFilters(request, scope: scope)
    try checkNames(of: query)
    return query
  }

  /// Refuses the name of a contract or case that is neither served nor in the log: a test that
  /// expects no requests would pass for a misspelt name.
  private func checkNames(of query: JournalQuery) throws(Problem) {
    guard query.contract != nil || query.caseName != nil,
      !core.servedCases.contains(where: { query.means($0) })
    else { return }
    let sessions =
      query.session.map { [core.knownSession(named: $0) ?? core.mainSession] } ?? core.allSessions
    func known(_ names: (Contract) -> [String]) -> [String] {
      Set(sessions.flatMap { core.layer(of: $0).upstreams.flatMap { $0.contracts.flatMap(names) } })
        .sorted()
    }
    guard let id = query.contract else {
      let names = known { $0.cases.map(\.name) }
      if let name = query.caseName, !names.contains(name) {
        throw .missing("case", name, among: names)
      }
      return
    }
    let parts = id.split(separator: "/", maxSplits: 1).map(String.init)
    let meant = sessions.flatMap {
      core.contracts(named: parts.last ?? "", of: parts.first ?? "", for: $0)
    }
    guard !meant.isEmpty else { throw .missing("contract", id, among: known { [$0.id] }) }
    let names = Set(meant.flatMap { $0.cases.map(\.name) }).sorted()
    if let name = query.caseName, !names.contains(name) {
      throw .missing("case", "\(id)#\(name)", among: names.map { "\(id)#\($0)" })
    }
  }
}
