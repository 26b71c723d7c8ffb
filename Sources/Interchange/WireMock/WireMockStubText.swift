import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

/// A case of a contract as a stub.
struct WireMockStubText {
  /// Why no stub can express it.
  struct Unusable: Error {
    let reason: String
  }

  let contract: Contract
  let upstream: Upstream
  let path: PathTemplate
  let served: Case
  private let when: When?
  private let prefers: Bool

  /// - Parameter prefers: whether only a request that prefers the case gets it.
  init(
    _ contract: Contract, _ upstream: Upstream, _ path: PathTemplate, _ served: Case,
    when: When?, prefers: Bool
  ) {
    self.contract = contract
    self.upstream = upstream
    self.path = path
    self.served = served
    self.when = when
    self.prefers = prefers
  }

  private var conditions: [Condition] { contract.request.parameters + (when?.request ?? []) }

  /// Why the stub responds to more requests than the contract.
  var widenings: [String] {
    conditions.contains { $0.isOptional && $0.exclusion == nil && $0.isAsking }
      ? ["WireMock has no condition on what may be missing"] : []
  }

  /// The keys of the case that no stub has, with their values. Those of a case that it is `like`
  /// are that one's.
  var lostKeys: [(key: String, value: JSONValue)] {
    (["version", "framing", "encoding", "ranges", "etag"]
      + (listeners == nil ? ["callbacks"] : [])).compactMap { key in
        guard let value = served.source[key], value.string != "1.1", value.string != "length",
          value.bool != false
        else { return nil }
        return (key, value)
      }
  }

  // MARK: - Request

  /// What is asked of named values. A name has one matcher, which may have several in it.
  private struct Matchers {
    private var all: [(name: String, matchers: [JSONText])] = []
    private var places: [String: Int] = [:]

    var isEmpty: Bool { all.isEmpty }

    var written: JSONText? {
      all.isEmpty
        ? nil
        : .object(
          all.map { name, matchers in
            (name, matchers.count == 1 ? matchers[0] : ["and": .array(matchers)])
          })
    }

    /// - Parameter key: is the same for all spellings of the name.
    mutating func add(_ name: String, as key: String, _ matcher: JSONText) throws(Unusable) {
      guard let place = places[key] else {
        places[key] = all.count
        all.append((name, [matcher]))
        return
      }
      guard !all[place].matchers.contains(matcher) else { return }
      all[place].matchers.append(matcher)
      guard all[place].matchers.allSatisfy({ $0.root?["hasExactly"] == nil }) else {
        throw Unusable(reason: "WireMock has one matcher for a parameter")
      }
    }
  }

  func request() throws(Unusable) -> JSONText {
    if when?.countAbove != nil || when?.share != nil {
      throw Unusable(reason: "WireMock neither counts requests nor draws them")
    }
    var query = Matchers()
    var headers = Matchers()
    var isClosed = false
    for condition in conditions {
      if case .noOthers = condition.test {
        isClosed = true
        continue
      }
      guard condition.isAsking || condition.part != .path && !condition.isOptional,
        !condition.isOptional || condition.exclusion != nil
      else { continue }
      switch condition.part {
      case .query: try query.add(condition.name, as: condition.name, try matcher(condition))
      case .header:
        try headers.add(condition.name, as: condition.lookupName, try matcher(condition))
      default: continue
      }
    }
    var exact = ""
    if isClosed, !query.isEmpty {
      exact = try exactQuery()
      query = Matchers()
    }
    if prefers {
      try headers.add(
        "Prefer", as: "prefer", ["contains": "example=\(served.name)"])
    }
    var (bodies, parts): ([JSONText], [JSONText]) = ([], [])
    for body in [contract.request.body, when?.body].compactMap(\.self) {
      // The schemas are in the order of the tests, in one object as in several.
      var schemas = body.schemas[...]
      for test in body.tests {
        if case .multipart(let conditions) = test {
          for condition in conditions { parts.append(try part(condition)) }
        } else {
          bodies.append(try pattern(test, &schemas))
        }
      }
    }
    return .object([
      ("method", .string(contract.request.method)), try url(isClosed: isClosed, query: exact),
      ("queryParameters", query.written), ("headers", headers.written),
      ("bodyPatterns", bodies.isEmpty ? nil : .array(bodies)),
      ("multipartPatterns", parts.isEmpty ? nil : .array(parts)),
    ])
  }

  /// The whole query, where all of it is known.
  private func exactQuery() throws(Unusable) -> String {
    var pairs: [String] = []
    for condition in conditions where condition.part == .query {
      switch condition.test {
      case .noOthers: continue
      case .equals(let text) where condition.exclusion == nil && isLiteral:
        let pair = "\(PercentEncoding.encode(condition.name))=\(PercentEncoding.encode(text))"
        if !pairs.contains(pair) { pairs.append(pair) }
      default:
        throw Unusable(reason: "WireMock cannot forbid further query parameters beside others")
      }
    }
    return "?" + pairs.joined(separator: "&")
  }

  private var isLiteral: Bool { path.tail == nil && path.parameterNames.isEmpty }

  private func url(isClosed: Bool, query: String) throws(Unusable) -> (String, JSONText?) {
    if isLiteral {
      let text =
        path.text == "/" && !upstream.basePath.isEmpty
        ? upstream.basePath : upstream.basePath + path.text
      return (isClosed ? "url" : "urlPath", .string(text + query))
    }
    var pattern = JavaPattern.escaped(upstream.basePath)
    for (index, segment) in path.segments.enumerated() {
      switch segment {
      case .literal(let text):
        pattern += "/" + JavaPattern.escaped(PercentEncoding.encode(text))
      case .parameter(let name):
        let isEnd = index == path.segments.count - 1 && path.tail == nil
        pattern += "/" + (try parameter(name, isEnd: isEnd) ?? "[^/?]+")
      }
    }
    if let tail = path.tail {
      let own = try parameter(tail, isEnd: true)
      let canBeEmpty = own.map { (try? Pattern("^\($0)$"))?.matches("") ?? false } ?? true
      pattern += "(/\(own ?? ".*"))\(canBeEmpty ? "?" : "")"
    }
    return (isClosed ? "urlPattern" : "urlPathPattern", .string(pattern))
  }

  /// A pattern for a segment or the tail; `nil` where anything will do.
  private func parameter(_ name: String, isEnd: Bool) throws(Unusable) -> String? {
    let own = conditions.filter { $0.part == .path && $0.name == name && $0.isAsking }
    guard let condition = own.last else { return nil }
    guard own.count == 1, condition.exclusion == nil else {
      throw Unusable(reason: "a segment of a path has one pattern in WireMock")
    }
    switch condition.test {
    case .present: return nil
    case .equals(let text): return JavaPattern.escaped(PercentEncoding.encode(text))
    case .oneOf(let texts):
      return
        "(?:\(texts.map { JavaPattern.escaped(PercentEncoding.encode($0)) }.joined(separator: "|")))"
    case .matches(let pattern):
      guard let inner = Self.inner(of: pattern.source) else {
        throw Unusable(reason: "a pattern for part of a segment has no place in a URL pattern")
      }
      let looks = pattern.looks
      guard !looks.behind, isEnd || !looks.ahead else {
        throw Unusable(reason: "a look-around in a URL pattern would see more than its segment")
      }
      return "(?:\(inner))"
    case .values, .date, .absent, .noOthers:
      throw Unusable(reason: "a segment of a path has one pattern in WireMock")
    }
  }

  func matcher(_ condition: Condition) throws(Unusable) -> JSONText {
    if let exclusion = condition.exclusion {
      guard case .present = condition.test, exclusion.exclusion == nil else {
        throw Unusable(reason: "WireMock has one matcher for a parameter")
      }
      switch exclusion.test {
      case .equals(let text):
        return ["doesNotMatch": .string(JavaPattern.escaped(text))]
      case .matches(let pattern):
        return ["doesNotMatch": .string(try Self.whole(pattern))]
      case .absent: return ["matches": "[\\s\\S]*"]
      default: throw Unusable(reason: "WireMock has no such negation")
      }
    }
    switch condition.test {
    case .present: return ["matches": "[\\s\\S]*"]
    case .equals(let text): return ["equalTo": .string(text)]
    case .oneOf(let texts):
      return ["matches": "(?:\(texts.map { JavaPattern.escaped($0) }.joined(separator: "|")))"]
    case .values(let texts):
      return ["hasExactly": .array(texts.map { ["equalTo": .string($0)] })]
    case .matches(let pattern): return ["matches": .string(try Self.whole(pattern))]
    case .date(let date): return try WireMockDateMatcher.matcher(for: date)
    case .absent: return ["absent": true]
    case .noOthers: throw Unusable(reason: "WireMock cannot forbid further parameters")
    }
  }

  /// A pattern for whole texts, as Java's `matches` asks.
  private static func whole(_ used: Pattern) throws(Unusable) -> String {
    guard !used.looks.behindWithoutLimit else {
      throw Unusable(reason: "a pattern of WireMock cannot look behind without a limit")
    }
    return inner(of: used.source) ?? "[\\s\\S]*(?:\(used.source))[\\s\\S]*"
  }

  /// What a pattern has between its anchors; `nil` where these do not hold for all of it.
  private static func inner(of pattern: String) -> String? {
    guard pattern.hasPrefix("^"), pattern.hasSuffix("$") else { return nil }
    let inner = pattern.dropFirst().dropLast()
    var (depth, isInClass, isEscaped) = (0, false, false)
    for scalar in inner.unicodeScalars {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "[": isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass: depth += 1
      case ")" where !isInClass: depth -= 1
      case "|" where !isInClass && depth == 0: return nil
      default: continue
      }
    }
    // After a backslash, the last dollar is only a character.
    return isEscaped ? nil : String(inner)
  }

  func pattern(
    _ test: BodyCondition.Test, _ schemas: inout ArraySlice<JSONValue>
  ) throws(Unusable) -> JSONText {
    switch test {
    case .equals(let json, let order):
      return ["equalToJson": .value(json), "ignoreArrayOrder": order == .any ? .bool(true) : nil]
    case .contains(let json, let order):
      return [
        "equalToJson": .value(json), "ignoreExtraElements": true,
        "ignoreArrayOrder": order == .any ? .bool(true) : nil,
      ]
    case .text(let text): return ["equalTo": .string(text)]
    case .bytes(let bytes): return ["binaryEqualTo": .string(Base64.encode(bytes))]
    case .matches(let pattern): return ["matches": .string(try Self.whole(pattern))]
    case .date(let date): return try WireMockDateMatcher.matcher(for: date)
    case .schema:
      guard let schema = schemas.popFirst() else {
        throw Unusable(reason: "WireMock has no such condition on bodies")
      }
      guard !schema.has({ $0[Keyword.date.rawValue] != nil }) else {
        throw Unusable(reason: "a schema of WireMock does not compare dates")
      }
      return ["matchesJsonSchema": .value(schema), "schemaVersion": "V202012"]
    case .form, .multipart, .not:
      throw Unusable(reason: "WireMock 2 has no such condition on bodies")
    }
  }

  // MARK: - State

  func scenario() throws(Unusable) -> [(String, JSONText?)] {
    let conditions = when?.state ?? []
    let names = Set(conditions.map(\.name.plainText) + served.then.map(\.name.plainText))
    guard !names.isEmpty else { return [] }
    guard names.count == 1, let name = names.first ?? nil else {
      throw Unusable(reason: "a stub belongs to one scenario, which has a fixed name")
    }
    var required: String?
    if let condition = conditions.first?.value {
      switch condition.test {
      case .equals(let value): required = value
      case .absent: required = "Started"
      default: throw Unusable(reason: "a scenario is in one state that has a name")
      }
    }
    var new: String?
    if let change = served.then.last {
      guard let value = change.value.map(\.plainText) ?? .some("") else {
        throw Unusable(reason: "the state of a scenario is a fixed text")
      }
      new = value.isEmpty ? "Started" : value
    }
    return [
      ("scenarioName", .string(name)), ("requiredScenarioState", required.map { .string($0) }),
      ("newScenarioState", new.map { .string($0) }),
    ]
  }
}

extension BodyCondition {
  /// The schemas in it, as the file has them.
  var schemas: [JSONValue] {
    (source.kind == .array ? Array(source.elements) : [source]).compactMap { $0["schema"] }
  }
}
