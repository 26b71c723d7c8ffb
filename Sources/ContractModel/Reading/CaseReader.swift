import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Reads the cases of one contract, including what `like` copies.
struct CaseReader {
  static let keys = [
    "summary", "like", "status", "headers", "body", "text", "base64", "file", "schema", "version",
    "framing", "encoding", "template", "when", "then", "malform", "delay", "pace", "stall", "fault",
    "expect", "live",
  ]

  let complaints: Complaints
  /// Reads a file named in the contract.
  let bodyFile: (String) -> Result<[UInt8], Failure>

  /// A case before `like` is resolved.
  private struct Draft {
    let name: String
    let fields: Fields
    let fault: Fault?
  }

  /// The cases in file order. `defaultName` is the case whose arguments are passed to consumers
  /// that have none elsewhere.
  func read(_ value: JSONValue, defaultName: String?) -> [Case] {
    let drafts = drafts(in: value)
    let responses = responses(of: drafts)
    let expectations = ExpectationReader(complaints: complaints).read(
      drafts.map { ($0.name, $0.fields["expect"]) }, defaultName: defaultName ?? drafts.first?.name)
    return drafts.map { draft in
      read(draft, responses[draft.name] ?? nil, expectations[draft.name] ?? [])
    }
  }

  private func read(
    _ draft: Draft, _ response: Response?, _ expectations: [Expectation]
  ) -> Case {
    let fields = draft.fields
    let timing = TimingReader(complaints: complaints)
    let damaged = MalformationReader(complaints: complaints).read(fields, response)
    let bodyBytes = damaged?.bodyBytes ?? response?.bodyBytes ?? []
    if let response, !response.allowsBody, !response.bodyBytes.isEmpty || !bodyBytes.isEmpty {
      fields.complain(
        .badValue, "status",
        "found a body in an answer of status \(response.status), which cannot have one",
        fix: "remove the body, or choose another status")
    }
    return Case(
      name: draft.name, summary: fields.string("summary"), response: response,
      when: fields["when"].flatMap(trigger), then: fields["then"].map { states($0) } ?? [],
      malformation: damaged?.0, bodyBytes: bodyBytes, delay: fields["delay"].flatMap(timing.delay),
      pace: fields["pace"].flatMap(timing.pace),
      stall: fields["stall"].flatMap {
        timing.stall($0, bodyByteCount: response.map { _ in bodyBytes.count })
      },
      fault: draft.fault, expectations: expectations, live: fields["live"].flatMap(live),
      source: fields.source)
  }

  private func drafts(in value: JSONValue) -> [Draft] {
    Fields.named(value, of: "cases by name", complaints).compactMap { member in
      checkName(member.key, at: member.keyPosition, noun: "case", complaints)
      guard let fields = Fields(member.value, of: "a case", keys: Self.keys, complaints) else {
        return nil
      }
      return Draft(
        name: member.key, fields: fields, fault: fields.choice("fault", rule: .unknownFault))
    }
  }

  private func responses(of drafts: [Draft]) -> [String: Response?] {
    var links: [String: LikeOrder.Link] = [:]
    for draft in drafts {
      guard let source = draft.fields["like"], let target = draft.fields.string("like") else {
        continue
      }
      links[draft.name] = LikeOrder.Link(name: draft.name, target: target, source: source)
    }
    let byName = Dictionary(drafts.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let order = LikeOrder(of: drafts.map(\.name), links: links)
    let broken = order.report(to: complaints, noun: "case of this contract")
    let reader = ResponseReader(complaints: complaints, bodyFile: bodyFile)
    var responses: [String: Response?] = [:]
    for name in order.names {
      guard let draft = byName[name] else { continue }
      let isLinked = links[name] != nil && !broken.contains(name)
      let base = isLinked ? links[name].flatMap { responses[$0.target] ?? nil } : nil
      let isLikeNothing = isLinked && base == nil
      if isLikeNothing, let fault = links[name].flatMap({ byName[$0.target]?.fault }),
        !fault.playsAnswer, draft.fault?.playsAnswer != false
      {
        draft.fields.complain(
          .badValue, "like", "found like a case of \(fault.rawValue), which has no answer to copy",
          fix: "name a case with a \"status\"")
      }
      responses[name] = reader.read(
        draft.fields, like: base, hasBrokenLike: broken.contains(name) || isLikeNothing,
        fault: draft.fault)
    }
    return responses
  }

  private func trigger(_ value: JSONValue) -> Trigger? {
    guard let fields = Fields(value, of: "a trigger", keys: ["request", "state"], complaints) else {
      return nil
    }
    if !fields.has("request"), !fields.has("state") {
      fields.complain(
        .missingKey, "when", "found an empty trigger, expected \"request\" or \"state\"")
    }
    let reader = RequestReader(complaints: complaints)
    return Trigger(
      request: fields["request"].map { reader.conditions($0, skipping: "body") } ?? [],
      body: fields["request"]?["body"].flatMap(reader.body),
      state: fields["state"].map { states($0) } ?? [])
  }

  private func states(_ value: JSONValue) -> [StateValue] {
    StateReader(complaints: complaints).read(value)
  }

  private func live(_ value: JSONValue) -> LiveProbe? {
    let keys = ["parameters", "latency", "safe"]
    guard let fields = Fields(value, of: "\"live\"", keys: keys, complaints) else { return nil }
    let parameters = fields["parameters"].map { parameters in
      Fields.named(parameters, of: "parameters by name", complaints).compactMap { member in
        guard let text = member.value.string else {
          complaints.add(
            .wrongType, at: member.value, "found \(member.value.summary), expected string")
          return nil as LiveParameter?
        }
        if member.key.hasPrefix("header.") {
          SecretScan(complaints: complaints).scan(
            header: String(member.key.dropFirst("header.".count)), value: text, at: member.value)
        }
        return LiveParameter(key: member.key, value: text, source: member.value)
      }
    }
    return LiveProbe(
      parameters: parameters ?? [], latencyMax: fields.duration("latency"),
      isSafe: fields.bool("safe") ?? false, source: value)
  }
}

/// Reads an object of named strings.
struct StateReader {
  let complaints: Complaints

  func read(_ value: JSONValue) -> [StateValue] {
    Fields.named(value, of: "state, strings by name", complaints).compactMap { member in
      guard let text = member.value.string else {
        complaints.add(
          .wrongType, at: member.value, "found \(member.value.summary), expected string",
          fix: "state values are strings; lists do not store items")
        return nil
      }
      let template = Template(text)
      if !template.expressions.isEmpty || !template.mistakes.isEmpty {
        complaints.add(
          .badTemplate, at: member.value,
          "found \(member.value.summary), expected plain text: state cannot have templates",
          fix: "write the value itself, without braces")
      }
      return StateValue(name: member.key, value: text)
    }
  }
}
