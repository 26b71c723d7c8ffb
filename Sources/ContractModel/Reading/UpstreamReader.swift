import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Reads `upstream.json`.
struct UpstreamReader {
  static let keys = [
    "$schema", "format", "summary", "baseURL", "hosts", "callbacks", "headers", "secrets", "rate",
    "failedPercent", "owner", "retired", "state", "scenarios", "waive",
  ]

  private static let names = JSONNames(keys)
  private static let secretNames: JSONNames = ["value", "optional"]
  private static let rateNames: JSONNames = ["requests", "per", "concurrency"]
  private static let scenarioNames: JSONNames = ["summary", "state", "scripts", "mode", "modes"]

  let name: String
  /// All upstreams of the folder.
  let upstreamNames: Set<String>
  let complaints: Complaints

  /// Reads the file but for its scenarios. A file that could not be read results in an upstream
  /// with only its name.
  func read(_ root: JSONValue?) -> Upstream {
    checkName(name, at: nil, noun: "upstream", complaints)
    let fields = root.flatMap { Fields($0, of: "an upstream", keys: Self.names, complaints) }
    _ = fields?.string("$schema")
    fields.map(checkFormat)
    let baseURL = fields.flatMap(baseURL)
    return Upstream(
      name: name, summary: fields?.string("summary"), baseURL: baseURL,
      hosts: fields.map { hosts("hosts", of: $0) } ?? [],
      callbackHosts: CallbackHosts(fields.map { hosts("callbacks", of: $0) } ?? []),
      headers: fields?["headers"].map(headers) ?? [],
      secrets: fields?["secrets"].map(secrets) ?? [],
      rate: fields?["rate"].flatMap(rate),
      failedPercent: fields?.int("failedPercent", in: 1...100, "a percentage from 1 to 100"),
      owner: fields?.string("owner"),
      retired: fields?.string("retired"),
      state: fields?["state"].map { StateReader(complaints: complaints).values($0) } ?? [],
      scenarios: [], waivers: fields?.waivers() ?? [], contracts: [], file: complaints.file,
      basePosition: root?["baseURL"]?.position, source: root ?? .null)
  }

  /// The version of the format that this reads.
  private static let format = 1

  private func checkFormat(_ fields: Fields) {
    guard let value = fields["format"], value.int != Self.format else { return }
    let isNewer = value.int.map { $0 > Self.format } ?? false
    fields.complain(
      isNewer || value.kind == .number ? .badValue : .wrongType, "format",
      "found \(value.summary), expected \(Self.format), the version of the format",
      fix: isNewer ? "update understudy: these contracts are for a newer version" : nil)
  }

  private func baseURL(_ fields: Fields) -> WebURL? {
    guard let text = fields.string("baseURL") else { return nil }
    guard let url = WebURL(base: text) else {
      fields.complain(
        .badValue, "baseURL",
        "found \"\(text)\", expected a URL such as https://example.com/api",
        fix: WebURL.fix(for: text))
      return nil
    }
    return url
  }

  private func hosts(_ key: String, of fields: Fields) -> [String] {
    guard let value = fields[key], let hosts = fields.strings(key) else { return [] }
    if value.kind == .array, value.count == 0 {
      fields.complain(
        .badValue, key, "no hosts, expected at least one",
        fix: key == "hosts"
          ? "remove \"hosts\" to use the host of \"baseURL\""
          : "remove \"callbacks\" to send them to this machine only")
    }
    for element in value.elements {
      guard let host = element.string, !isHost(host) else { continue }
      complaints.add(
        .badValue, at: element,
        "found host \"\(host)\", expected a name such as api.example.com or localhost:8080")
    }
    return hosts.map { $0.lowercased() }
  }

  private func isHost(_ text: String) -> Bool {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let isName = parts[0].utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isName && !parts[0].isEmpty
      && (parts.count == 1 || Int(parts[1]).map { (1...65535).contains($0) } ?? false)
  }

  /// Reports a header that cannot be sent.
  private func checkHeader(_ member: JSONMember, _ value: String, at source: JSONValue) {
    if !HeaderText.isName(member.key) {
      complaints.add(
        .badName, atKeyOf: member,
        "found header \"\(member.key)\", expected a name of letters, digits and dashes")
    }
    if !HeaderText.isValue(value) {
      complaints.add(.badValue, at: source, "the header's value has a control character")
    }
  }

  private func headers(_ value: JSONValue) -> [HeaderField] {
    Fields.named(value, of: "headers by name", complaints).compactMap { member in
      guard let text = member.value.string else {
        complaints.add(
          .wrongType, at: member.value, "found \(member.value.summary), expected string")
        return nil
      }
      checkHeader(member, text, at: member.value)
      if SecretScan.secretHeaderNames.contains(member.key.lowercased()) {
        complaints.add(
          .secret, at: member.value,
          "found a value for \(member.key) in a file, expected it to come from the environment",
          fix: variable.map { "move it to \"secrets\": { \"\(member.key)\": \"{\($0)}\" }" })
      }
      return HeaderField(name: member.key, value: text)
    }
  }

  private func secrets(_ value: JSONValue) -> [Secret] {
    Fields.named(value, of: "secrets by header", complaints).compactMap { member in
      if let template = member.value.string {
        checkHeader(member, template, at: member.value)
        return secret(member.key, template, isOptional: false, at: member.value)
      }
      guard
        let fields = Fields(
          member.value, of: "a secret", keys: Self.secretNames, complaints),
        fields.require("value") != nil, let template = fields.string("value")
      else { return nil }
      checkHeader(member, template, at: member.value)
      return secret(
        member.key, template, isOptional: fields.bool("optional") ?? false, at: member.value)
    }
  }

  private func secret(
    _ header: String, _ template: String, isOptional: Bool, at value: JSONValue
  ) -> Secret? {
    let name = template.firstIndex(of: "{").map { open in
      String(template[template.index(after: open)...].prefix { $0 != "}" })
    }
    guard let name, template.contains("{\(name)}"), SecretVariable.isName(name) else {
      complaints.add(
        .secret, at: value,
        "found a secret without a variable {UNDERSTUDY_…}, expected its value in the environment",
        fix: variable.map { "write \"Bearer {\($0)}\" and set \($0) where drift runs" })
      return nil
    }
    guard SecretVariable.isFree(name, for: self.name, among: upstreamNames) else {
      let owner = SecretVariable.owner(of: name, among: upstreamNames)
      let start = SecretVariable.start(of: self.name)
      let found =
        SecretVariable.isOfTool(name)
        ? "{\(name)}, which belongs to the tool itself"
        : owner.map { "{\(name)}, which belongs to \($0)" } ?? "{\(name)}"
      complaints.add(
        .secret, at: value, "found \(found), expected a variable of \(self.name): {\(start)…}",
        fix: variable.map { "name another one, such as {\($0)}" } ?? "rename the upstream")
      return nil
    }
    return Secret(
      header: header, template: template, environmentName: name, isOptional: isOptional)
  }

  /// A variable for a secret of this upstream.
  private var variable: String? { SecretVariable.example(for: name, among: upstreamNames) }

  private func rate(_ value: JSONValue) -> RateBudget? {
    guard let fields = Fields(value, of: "a rate", keys: Self.rateNames, complaints) else {
      return nil
    }
    if fields.has("requests") != fields.has("per") {
      fields.complain(
        .missingKey, fields.has("requests") ? "requests" : "per",
        "found one of \"requests\" and \"per\", expected both or neither",
        fix: "write { \"requests\": 60, \"per\": \"1h\" }")
    }
    return RateBudget(
      requestCountMax: fields.int("requests", in: 1...1_000_000, "a number of requests from 1"),
      period: fields.duration("per"),
      concurrencyMax: fields.int("concurrency", in: 1...1000, "a number from 1 to 1000"))
  }

  /// The scenarios of the file, checked against the contracts they use.
  func scenarios(_ root: JSONValue?, of contracts: [Contract]) -> [Scenario] {
    guard let root, root.kind == .object, let value = root["scenarios"] else { return [] }
    // File names with different bytes may be equal as Swift strings.
    let cases = Dictionary(
      contracts.map { ($0.name, $0.cases.map(\.name)) }, uniquingKeysWith: { first, _ in first })
    return Fields.named(value, of: "scenarios by name", complaints).compactMap { member in
      checkName(member.key, at: member.keyPosition, noun: "scenario", complaints)
      guard
        let fields = Fields(
          member.value, of: "a scenario", keys: Self.scenarioNames, complaints)
      else { return nil }
      if !["state", "mode", "modes"].contains(where: fields.has) { _ = fields.require("scripts") }
      let reader = ModeReader(
        upstreamName: name, hasLiveAPI: root["baseURL"] != nil,
        contractNames: contracts.map(\.name), complaints: complaints)
      return Scenario(
        name: member.key, summary: fields.string("summary"),
        mode: fields["mode"].flatMap(reader.mode), modes: fields["modes"].map(reader.modes) ?? [:],
        state: fields["state"].map { StateReader(complaints: complaints).values($0) } ?? [],
        scripts: fields["scripts"].map { scripts($0, cases, contracts.map(\.name)) } ?? [])
    }
  }

  private func scripts(
    _ value: JSONValue, _ cases: [String: [String]], _ contractNames: [String]
  ) -> [Script] {
    Fields.named(value, of: "case names by contract", complaints).compactMap { member in
      guard let cases = cases[member.key] else {
        complaints.add(
          .unknownEndpoint, atKeyOf: member,
          "\"\(member.key)\" is not a contract of \(name)",
          fix: spellingSuggestion(
            for: member.key, among: contractNames, noun: "the contracts"))
        return nil
      }
      let reader = ScriptReader(caseNames: cases, complaints)
      return Script(name: member.key, caseNames: reader.steps(member.value))
    }
  }
}
