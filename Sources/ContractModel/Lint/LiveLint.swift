import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Finds live cases that no request can reach, on the live API or on the fake.
struct LiveLint {
  let contract: Contract
  let upstream: Upstream
  let complaints: Complaints

  /// The headers that every live request gets from the environment.
  private var secrets: [String] { upstream.secrets.filter { !$0.isOptional }.map(\.header) }

  func check() {
    guard contract.cases.contains(where: \.isLive) else { return }
    let countsMany = contract.cases.count(where: \.isLive) > 1
    var names: [ExampleRequest.Facts: String] = [:]
    for liveCase in contract.cases {
      guard let live = liveCase.live else { continue }
      if let problem = problem(of: liveCase, live) {
        complaints.add(.notLive, at: live.source, problem.message, fix: problem.fix)
        continue
      }
      guard checkParameters(of: live, liveCase), let request = request(for: liveCase, live) else {
        continue
      }
      guard checkConditions(of: live, liveCase, request) else { continue }
      let other = countsMany ? names.updateValue(liveCase.name, forKey: request.facts) : nil
      if let other {
        complaints.add(
          .ambiguous, at: live.source,
          "\"\(other)\" has the same live request, and neither takes precedence",
          fix: "change a parameter: \"live\": { \"parameters\": { … } }")
      } else if let other = rival(of: liveCase, request) {
        complaints.add(
          .notLive, at: live.source,
          "this live request serves \"\(other.name)\", because its \"when\" matches",
          fix: "change a parameter, or the \"when\" of \"\(other.name)\"")
      }
    }
  }

  /// The case that the fake serves instead for the live request, because of its `when`.
  private func rival(of liveCase: Case, _ request: ExampleRequest) -> Case? {
    guard let template = contract.request.paths.first,
      let index = contract.caseIndexByWhen(for: request, in: template)
    else { return nil }
    let served = contract.cases[index]
    guard served.name != liveCase.name, let when = served.when, when.asksOnlyRequest else {
      return nil
    }
    // Empty conditions are reported elsewhere.
    let isAsking = when.request.contains {
      $0.part != .path || template.parameterNames.contains($0.name)
    }
    return isAsking || when.body != nil ? served : nil
  }

  private func problem(of liveCase: Case, _ live: LiveSettings) -> (message: String, fix: String)? {
    if upstream.baseURL == nil {
      return (
        "this case is live, but \(upstream.name) has no \"baseURL\"",
        "add it to upstream.json, or remove \"live\""
      )
    }
    if liveCase.kind != .good {
      return (
        "this live case is \(liveCase.kind.rawValue), which cannot be requested from a live API",
        "remove \"live\""
      )
    }
    if let when = liveCase.when, !when.asksOnlyRequest {
      return (
        when.state.isEmpty
          ? "this live case depends on a count or a share, which no live API has"
          : "this live case depends on state, which cannot be set on a live API",
        "remove \"live\""
      )
    }
    if !["GET", "HEAD"].contains(contract.request.method), !live.isSafe {
      return (
        "this live case sends \(contract.request.method), which could change data",
        "add \"safe\": true if it may be sent in every run, or remove \"live\""
      )
    }
    return nil
  }

  /// Whether the request has all parameters that `live` changes.
  private func checkParameters(of live: LiveSettings, _ liveCase: Case) -> Bool {
    if live.parameters.count <= 16, live.parameters.allSatisfy({ isKnown($0.key, liveCase) }) {
      return true
    }
    let conditions = contract.request.parameters + (liveCase.when?.request ?? [])
    let names = contract.request.paths.first?.parameterNames.map { "path.\($0)" } ?? []
    let known = names + conditions.filter { $0.part != .path }.map(\.key)
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

  /// Whether the request has this parameter; searched, since there are few.
  private func isKnown(_ key: String, _ liveCase: Case) -> Bool {
    func names(_ condition: Condition) -> Bool {
      condition.part != .path && ExactText(condition.key) == ExactText(key)
    }
    let name = key.utf8.starts(with: "path.".utf8) ? Substring(key.utf8.dropFirst(5)) : nil
    return contract.request.parameters.contains(where: names)
      || liveCase.when?.request.contains(where: names) ?? false
      || name.map { contract.request.paths.first?.has(String($0)) ?? false } ?? false
  }

  private func request(for liveCase: Case, _ live: LiveSettings) -> ExampleRequest? {
    do {
      return try ExampleRequest(of: liveCase, in: contract.request, besides: secrets)
    } catch {
      complaints.add(
        .notLive, at: live.source,
        "this live case has no value for \"\(error.key)\", which its request needs",
        fix:
          "give the parameter an \"example\", or \"live\": { \"parameters\": { \"\(error.key)\": … } }"
      )
      return nil
    }
  }

  /// Whether the live request meets all conditions of its case.
  private func checkConditions(
    of live: LiveSettings, _ liveCase: Case, _ request: ExampleRequest
  ) -> Bool {
    guard let key = unmetCondition(of: liveCase, by: request) else { return true }
    complaints.add(
      .notLive, at: live.source,
      "\"\(key)\" of the live request does not meet the conditions of this case",
      fix: key == "body"
        ? "give the body an \"example\""
        : "give it a value in \"live\": { \"parameters\": { \"\(key)\": … } }")
    return false
  }

  /// Whether only the secret decides if the condition is met.
  private func isSecret(_ condition: Condition, _ request: ExampleRequest) -> Bool {
    let name = condition.name.lowercased()
    return condition.part == .header && secrets.contains { $0.lowercased() == name }
      && request.headerValues(name).isEmpty
  }

  private func unmetCondition(of liveCase: Case, by request: ExampleRequest) -> String? {
    guard let template = contract.request.paths.first else { return nil }
    for conditions in [contract.request.parameters, liveCase.when?.request ?? []] {
      let unmet = conditions.first { !request.meets($0, in: template) && !isSecret($0, request) }
      if let unmet { return unmet.key }
    }
    let bodies = [contract.request.body, liveCase.when?.body].compactMap { $0 }
    return bodies.contains { $0.firstFailure(in: request.body) != nil } ? "body" : nil
  }
}
