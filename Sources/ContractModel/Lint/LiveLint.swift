import Diagnostics
import JSON

/// Finds live cases that no request could provoke.
struct LiveLint {
  let contract: Contract
  let upstream: Upstream
  let complaints: Complaints

  func check() {
    var statuses: [String: (name: String, status: Int?)] = [:]
    for probe in contract.cases {
      guard let live = probe.live else { continue }
      if let obstacle = obstacle(to: probe, live) {
        complaints.add(.notLive, at: live.source, obstacle.message, fix: obstacle.fix)
        continue
      }
      guard checkParameters(of: live, probe), let request = request(for: probe, live) else {
        continue
      }
      let key = requestKey(request)
      if let other = statuses[key], other.status != probe.status {
        complaints.add(
          .notLive, at: live.source,
          "found the same live request as for \"\(other.name)\", expected one that provokes \"\(probe.name)\"",
          fix: "change a parameter: \"live\": { \"parameters\": { … } }")
      }
      statuses[key] = (probe.name, probe.status)
    }
  }

  private func obstacle(to probe: Case, _ live: LiveProbe) -> (message: String, fix: String)? {
    if upstream.baseURL == nil {
      return (
        "found a live case, but \(upstream.name) has no \"baseURL\"",
        "add it to upstream.json, or remove \"live\""
      )
    }
    if probe.kind != .good {
      return (
        "found a live case that is \(probe.kind.rawValue), which no live API can be asked for",
        "remove \"live\""
      )
    }
    if let state = probe.when?.state, !state.isEmpty {
      return (
        "found a live case that depends on state, which cannot be set on a live API",
        "remove \"live\""
      )
    }
    if !["GET", "HEAD"].contains(contract.request.method), !live.isSafe {
      return (
        "found a live case that sends \(contract.request.method), which could change something",
        "add \"safe\": true if it may be sent every night, or remove \"live\""
      )
    }
    return nil
  }

  /// Whether the request has all parameters that the live side changes.
  private func checkParameters(of live: LiveProbe, _ probe: Case) -> Bool {
    let conditions = contract.request.parameters + (probe.when?.request ?? [])
    let names = contract.request.paths.first?.parameterNames.map { "path.\($0)" } ?? []
    let known = names + conditions.map(\.key).filter { !$0.hasPrefix("path.") }
    let knownKeys = Set(known.map(ExactText.init))
    let unknown = live.parameters.filter { !knownKeys.contains(ExactText($0.key)) }
    for parameter in unknown {
      complaints.add(
        .unknownParameter, at: parameter.source,
        "found \"\(parameter.key)\", expected a parameter of the request",
        fix: spellingSuggestion(for: parameter.key, among: known, noun: "its parameters"))
    }
    return unknown.isEmpty
  }

  private func request(for probe: Case, _ live: LiveProbe) -> Request? {
    do {
      let request = try contract.exampleRequest(for: probe)
      if let key = unmetCondition(of: probe, by: request) {
        complaints.add(
          .notLive, at: live.source,
          "found a live request whose \"\(key)\" does not meet the conditions of this case",
          fix: key == "body"
            ? "give the body an \"example\""
            : "give it a value in \"live\": { \"parameters\": { \"\(key)\": … } }")
        return nil
      }
      return request
    } catch {
      complaints.add(
        .notLive, at: live.source,
        "found a live case without a value for \"\(error.key)\", which its request needs",
        fix:
          "give the parameter an \"example\", or \"live\": { \"parameters\": { \"\(error.key)\": … } }"
      )
      return nil
    }
  }

  private func unmetCondition(of probe: Case, by request: Request) -> String? {
    guard let template = contract.request.paths.first else { return nil }
    let parts = RequestParts(request)
    let conditions = contract.request.parameters + (probe.when?.request ?? [])
    if let unmet = conditions.first(where: { !parts.meets($0, in: template) }) { return unmet.key }
    let bodies = [contract.request.body, probe.when?.body].compactMap { $0 }
    return bodies.contains { $0.firstFailure(in: parts.body) != nil } ? "body" : nil
  }

  private func requestKey(_ request: Request) -> String {
    let headers = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    let body = String(decoding: request.body, as: UTF8.self)
    return "\(request.path)?\(request.query ?? "")\n\(headers)\n\n\(body)"
  }
}
