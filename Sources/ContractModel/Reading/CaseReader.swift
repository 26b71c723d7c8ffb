import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Reads the cases of one contract, including what `like` copies.
struct CaseReader {
  static let keys = [
    "summary", "like", "status", "headers", "body", "text", "base64", "file", "events", "schema",
    "version", "framing", "encoding", "ranges", "etag", "template", "when", "then", "malform",
    "delay", "pace", "stall", "fault",
    "expect", "live", "callbacks",
  ]

  private static let names = JSONNames(keys)
  private static let whenKeys = ["request", "state", "count", "share"]
  private static let whenNames = JSONNames(whenKeys)
  private static let countNames: JSONNames = ["above"]
  private static let liveNames: JSONNames = ["parameters", "latency", "safe"]

  let complaints: Complaints
  /// The query parameters that the contract's request names.
  let queryNames: [String]
  /// Reads a file named in the contract.
  let bodyFile: (String) -> Result<[UInt8], Failure>

  /// A case before `like` is resolved.
  private struct Draft {
    let name: String
    let fields: Fields
    let fault: Fault?
    let faultEvent: Int?
  }

  /// The cases in file order. `defaultName` is the case whose arguments are passed to consumers
  /// that have none elsewhere.
  func read(_ value: JSONValue, defaultName: String?) -> [Case] {
    let drafts = drafts(in: value)
    let order = LikeOrder(of: drafts.map(\.name)) { drafts[$0].fields.link }
    let responses = responses(of: drafts, order)
    let expects = drafts.map { (name: $0.name, expect: $0.fields["expect"]) }
    var expectations = ExpectationReader(complaints: complaints).read(
      expects, defaultName: defaultName ?? drafts.first?.name)
    if order.hasRepeatedNames {
      // Cases with one name, which is reported, all expect what the first one names.
      let firsts = Dictionary(
        zip(expects, expectations).filter { $0.0.expect != nil }.map { ($0.0.name, $0.1) },
        uniquingKeysWith: { first, _ in first })
      expectations = expects.map { firsts[$0.name] ?? [] }
    }
    return drafts.indices.map {
      read(drafts[$0], responses[$0], expectations[$0], likeIndex: order.bases[$0])
    }
  }

  private func read(
    _ draft: Draft, _ response: Response?, _ expectations: [Expectation], likeIndex: Int?
  ) -> Case {
    let fields = draft.fields
    let timing = TimingReader(complaints: complaints)
    let mutated = MalformationReader(complaints: complaints).read(fields, response)
    let bodyBytes = mutated?.bodyBytes ?? response?.bodyBytes ?? []
    if let response, !response.allowsBody, !response.bodyBytes.isEmpty || !bodyBytes.isEmpty {
      fields.complain(
        .badValue, "status",
        "a response of status \(response.status) cannot have a body",
        fix: "remove the body, or choose another status")
    }
    return Case(
      name: draft.name, summary: fields.string("summary"), response: response,
      when: fields["when"].flatMap(when), then: fields["then"].map { states.changes($0) } ?? [],
      malformation: mutated?.0, bodyBytes: bodyBytes, delay: fields["delay"].flatMap(timing.delay),
      pace: fields["pace"].flatMap(timing.pace),
      stall: fields["stall"].flatMap {
        timing.stall($0, bodyByteCount: response.map { _ in bodyBytes.count })
      },
      fault: draft.fault, faultEvent: draft.faultEvent, expectations: expectations,
      live: fields["live"].flatMap(live),
      callbacks: fields["callbacks"].map {
        CallbackReader(complaints: complaints, bodyFile: bodyFile).read($0)
      } ?? [],
      source: fields.source, likeIndex: likeIndex)
  }

  private func drafts(in value: JSONValue) -> [Draft] {
    Fields.named(value, of: "cases by name", complaints).compactMap { member in
      checkName(member.key, at: member.keyPosition, noun: "case", complaints)
      guard let fields = Fields(member.value, of: "a case", keys: Self.names, complaints) else {
        return nil
      }
      let (fault, event) = FaultReader.read(fields)
      return Draft(name: member.key, fields: fields, fault: fault, faultEvent: event)
    }
  }

  private func responses(of drafts: [Draft], _ order: LikeOrder) -> [Response?] {
    order.report(to: complaints, noun: "case of this contract")
    let reader = ResponseReader(complaints: complaints, bodyFile: bodyFile)
    var responses = [Response?](repeating: nil, count: drafts.count)
    for item in order.order {
      let draft = drafts[item]
      let base = order.bases[item].flatMap { responses[$0] }
      let isLikeNothing = order.bases[item] != nil && base == nil
      if isLikeNothing, let fault = order.bases[item].flatMap({ drafts[$0].fault }),
        !fault.servesResponse, draft.fault?.servesResponse != false
      {
        draft.fields.complain(
          .badValue, "like",
          "this is like a case of \(fault.rawValue), which has no response to copy",
          fix: "name a case with a \"status\"")
      }
      responses[item] = reader.read(
        draft.fields, like: base, hasBrokenLike: order.isBroken[item] || isLikeNothing,
        fault: draft.fault)
    }
    // Where cases have one name, which lint reports, the last has been read.
    return drafts.indices.map { responses[order.item(of: $0)] }
  }

  private func when(_ value: JSONValue) -> When? {
    guard let fields = Fields(value, of: "a \"when\"", keys: Self.whenNames, complaints) else {
      return nil
    }
    if fields.first(of: Self.whenKeys) == nil {
      fields.complain(
        .missingKey, "when", "found an empty \"when\", expected one of \(listed(Self.whenKeys))")
    }
    let reader = ConditionReader(complaints: complaints, queryNames: queryNames)
    return When(
      request: fields["request"].map { reader.read($0, skipping: "body") } ?? [],
      body: fields["request"]?["body"].flatMap(BodyConditionReader(complaints: complaints).read),
      state: fields["state"].map { states.conditions($0) } ?? [],
      countAbove: fields["count"].flatMap(count), share: share(fields))
  }

  private var states: StateReader { StateReader(complaints: complaints) }

  private func count(_ value: JSONValue) -> Int? {
    guard
      let fields = Fields(value, of: "a number of requests", keys: Self.countNames, complaints),
      fields.require("above") != nil
    else { return nil }
    return fields.int("above", in: 0...Int.max, "a number of requests, such as 100")
  }

  private func share(_ fields: Fields) -> Double? {
    guard let value = fields["share"] else { return nil }
    guard let share = value.number?.double, share > 0, share <= 1 else {
      fields.complain(
        value.kind == .number ? .badValue : .wrongType, "share",
        "found \(value.summary), expected a number above 0, at most 1, such as 0.05",
        fix: value.number.flatMap {
          1...100 ~= $0.double ? "write \($0.double / 100) for \($0.text) %" : nil
        })
      return nil
    }
    return share
  }

  private func live(_ value: JSONValue) -> LiveSettings? {
    guard let fields = Fields(value, of: "\"live\"", keys: Self.liveNames, complaints) else {
      return nil
    }
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
    return LiveSettings(
      parameters: parameters ?? [], latencyMax: fields.duration("latency"),
      isSafe: fields.bool("safe") ?? false, source: value)
  }
}
