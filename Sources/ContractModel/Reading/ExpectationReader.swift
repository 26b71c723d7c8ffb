import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Reads `expect`: the outcome of each consumer in each case, including what `like` copies.
struct ExpectationReader {
  private static let outcomeKeys = ["value", "error", "exitCode", "like"]
  private static let printedKeys = ["stdout", "stderr"]
  /// Keys that only services may have.
  private static let serviceKeys = ["arguments", "transport", "curl"]
  static let keys =
    ["arguments", "timeout"] + outcomeKeys + printedKeys
    + ["transport", "curl", "requests", "with", "tolerates"]

  private static let failureKeys = ["transport", "curl"]
  private static let names = JSONNames(keys)
  private static let textTests = ["equals", "contains", "matches"]
  private static let textNames = JSONNames(textTests)

  let complaints: Complaints

  /// What one case says of one consumer.
  private struct Draft {
    let caseNumber: Int
    let consumer: String
    let fields: Fields
  }

  /// By case, each in file order.
  func read(
    _ cases: [(name: String, expect: JSONValue?)], defaultName: String?
  ) -> [[Expectation]] {
    var drafts: [Draft] = []
    for (number, served) in cases.enumerated() {
      guard let expect = served.expect else { continue }
      for member in Fields.named(expect, of: "expectations by consumer", complaints) {
        guard let fields = Fields(member.value, of: "an expectation", keys: Self.names, complaints)
        else { continue }
        drafts.append(Draft(caseNumber: number, consumer: member.key, fields: fields))
      }
    }
    var read = [[Expectation]](repeating: [], count: cases.count)
    var byDraft = [Expectation?](repeating: nil, count: drafts.count)
    for numbers in numbersByConsumer(drafts) {
      let own = numbers.map { drafts[$0] }
      let found = expectations(own, caseNames: own.map { cases[$0.caseNumber].name }, defaultName)
      for (number, expectation) in zip(numbers, found) { byDraft[number] = expectation }
    }
    for (draft, expectation) in zip(drafts, byDraft) {
      if let expectation { read[draft.caseNumber].append(expectation) }
    }
    return read
  }

  /// The drafts of each consumer, in order.
  private func numbersByConsumer(_ drafts: [Draft]) -> [[Int]] {
    guard let first = drafts.first else { return [] }
    if drafts.allSatisfy({ $0.consumer == first.consumer }) { return [Array(drafts.indices)] }
    return Array(Dictionary(grouping: drafts.indices) { drafts[$0].consumer }.values)
  }

  /// One for each draft.
  private func expectations(
    _ drafts: [Draft], caseNames: [String], _ defaultName: String?
  ) -> [Expectation?] {
    let order = LikeOrder(of: caseNames) { drafts[$0].fields.link }
    order.report(
      to: complaints, noun: "case that expects something of \(drafts.first?.consumer ?? "")")
    let defaultArguments = defaultName.flatMap { name in
      caseNames.lastIndex(of: name).flatMap { drafts[$0].fields["arguments"] }
    }
    var expectations = [Expectation?](repeating: nil, count: drafts.count)
    for item in order.order {
      let base = order.bases[item].flatMap { expectations[$0] }
      expectations[item] = read(
        drafts[item].fields, of: drafts[item].consumer, like: base, defaultArguments)
    }
    return drafts.indices.map { expectations[order.item(of: $0)] }
  }

  private func read(
    _ fields: Fields, of consumer: String, like base: Expectation?,
    _ defaultArguments: JSONValue?
  ) -> Expectation? {
    guard let key = fields.exactlyOne(of: Self.outcomeKeys) else { return nil }
    let outcome: Expectation.Outcome? =
      switch key {
      case "value": fields["value"].map { .value($0) }
      case "error": fields["error"].flatMap(error)
      case "exitCode": exit(fields)
      default: base?.outcome
      }
    if let extra = fields.first(
      of: key == "exitCode" ? Self.serviceKeys : Self.printedKeys)
    {
      fields.complain(
        .conflictingKeys, extra,
        "found \"\(extra)\" beside \"\(key)\", expected it "
          + (key == "exitCode" ? "for a service" : "beside \"exitCode\""))
    }
    if let arguments = fields["arguments"] {
      _ = Fields.named(arguments, of: "arguments by name", complaints)
    }
    let timeout = fields.duration("timeout")
    let transport: TransportFailure? = fields.choice("transport")
    let curlCodes = fields["curl"].map(curl)
    let requests = fields.int("requests", in: 0...1000, "a number of requests from 0 to 1000")
    let companions = fields["with"].map(companions)
    let tolerances = fields["tolerates"].map { self.tolerances($0, fields) }
    if key == "value", let extra = fields.first(of: Self.failureKeys) {
      fields.complain(
        .conflictingKeys, extra, "found \"\(extra)\" beside \"value\", expected it beside \"error\""
      )
    }
    guard let outcome else { return nil }
    if case .error = outcome, let tolerated = fields["tolerates"] {
      complaints.add(
        .conflictingKeys, at: tolerated, "found \"tolerates\" beside an error, expected a value",
        fix: "remove it: only good responses are mutated")
    }
    return Expectation(
      consumer: consumer,
      arguments: fields["arguments"] ?? base?.arguments ?? defaultArguments, timeout: timeout,
      outcome: outcome, transport: transport ?? base?.transport,
      curlCodes: curlCodes ?? base?.curlCodes ?? [],
      requestCount: requests ?? base?.requestCount ?? 1,
      companions: companions ?? base?.companions ?? [],
      tolerances: tolerances ?? base?.tolerances ?? [], source: fields.source)
  }

  private func error(_ value: JSONValue) -> Expectation.Outcome? {
    if let name = value.string { return .error(name: name, payload: nil) }
    guard value.kind == .object, value.count == 1,
      let member = value.members.first(where: { _ in true })
    else {
      complaints.add(
        .wrongType, at: value,
        "found \(value.summary), expected an error's name, or an object of its name and payload",
        fix: "write \"invalidData\" or { \"unexpectedStatus\": 404 }")
      return nil
    }
    return .error(name: member.key, payload: member.value)
  }

  private func exit(_ fields: Fields) -> Expectation.Outcome? {
    fields.int("exitCode", in: 0...255, "an exit code from 0 to 255").map { code in
      .exit(
        code: code, stdout: fields["stdout"].flatMap(printed),
        stderr: fields["stderr"].flatMap(printed))
    }
  }

  private func printed(_ value: JSONValue) -> TextCondition? {
    if let text = value.string {
      return TextCondition(tests: [TextCondition.Test(kind: .equals(text), source: value)])
    }
    guard let fields = Fields(value, of: "a condition on text", keys: Self.textNames, complaints)
    else { return nil }
    let present = fields.present(Self.textTests)
    if present.isEmpty { _ = fields.exactlyOne(of: Self.textTests) }
    return TextCondition(
      tests: present.compactMap { key in
        let kind: TextCondition.Test.Kind? =
          switch key {
          case "equals": fields.string(key).map { .equals($0) }
          case "contains": fields.string(key).map { .contains($0) }
          default: fields.pattern(key).map { .matches($0) }
          }
        return kind.map { TextCondition.Test(kind: $0, source: fields[key] ?? value) }
      })
  }

  private func curl(_ value: JSONValue) -> [Int] {
    guard value.kind == .array else {
      complaints.add(
        .wrongType, at: value, "found \(value.summary), expected an array of curl codes",
        fix: value.int.map { "put it in brackets: [\($0)]" })
      return []
    }
    return value.elements.compactMap { element in
      guard let code = element.int, (1...200).contains(code) else {
        complaints.add(
          .badValue, at: element, "found \(element.summary), expected a curl code such as 28")
        return nil
      }
      return code
    }
  }

  private func companions(_ value: JSONValue) -> [CompanionCase] {
    Fields.named(value, of: "cases by endpoint", complaints).compactMap { member in
      guard let name = member.value.string else {
        complaints.add(
          .wrongType, at: member.value, "found \(member.value.summary), expected a case's name")
        return nil
      }
      return CompanionCase(name: member.key, caseName: name)
    }
  }

  private func tolerances(_ value: JSONValue, _ fields: Fields) -> [Tolerance] {
    Fields.named(value, of: "kinds of mutation by place", complaints).compactMap { member in
      guard let pointer = JSONPointer(parsing: member.key) else {
        complaints.add(
          .badValue, atKeyOf: member,
          "found \"\(member.key)\", expected a JSON pointer, with * for any element",
          fix: "write it like \"/items/*/name\"")
        return nil
      }
      guard member.value.kind == .array else {
        complaints.add(
          .wrongType, at: member.value,
          "found \(member.value.summary), expected an array of kinds of mutation",
          fix: member.value.string.map { "put it in brackets: [\"\($0)\"]" })
        return nil
      }
      let mutations: [Mutation] = member.value.elements.compactMap { fields.choice($0) }
      return Tolerance(tokens: pointer.tokens, mutations: Set(mutations))
    }
  }
}
