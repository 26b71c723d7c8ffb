import ContractModel
import JSON

/// Exchanges of one endpoint, and the cases they come to.
struct RecordedGroup {
  let method: String
  let template: [PathTemplate.Segment]
  let isGuess: Bool
  private(set) var exchanges: [RecordedExchange] = []

  init(method: String, template: [PathTemplate.Segment], isGuess: Bool) {
    self.method = method
    self.template = template
    self.isGuess = isGuess
  }

  /// Another path with the same literals and parameters at the same places is the same endpoint.
  func isFor(_ method: String, _ other: [PathTemplate.Segment]) -> Bool {
    self.method == method && template.hasShape(of: other)
  }

  /// The same request again is more answers to it.
  mutating func add(_ exchange: RecordedExchange) {
    let same = exchanges.firstIndex {
      $0.path == exchange.path && $0.query == exchange.query && $0.body == exchange.body
    }
    guard let same else {
      exchanges.append(exchange)
      return
    }
    let known = exchanges[same]
    exchanges[same] = RecordedExchange(
      method: known.method, path: known.path, query: known.query, headers: known.headers,
      body: known.body, answers: known.answers + exchange.answers)
  }

  // MARK: - Parameters

  /// Of one exchange, by `path.id` and `query.page`, without those whose value is a secret.
  func parameters(
    of exchange: RecordedExchange, naming template: [PathTemplate.Segment]? = nil,
    _ mask: SecretMask
  ) -> [(key: String, value: String)] {
    (template ?? self.template).values(in: exchange.segments).map { ("path.\($0.name)", $0.value) }
      + exchange.parameters.filter { !isSecret($0, mask) }.map { ("query.\($0.name)", $0.value) }
  }

  func secretNames(_ mask: SecretMask) -> [String] {
    var names: [String] = []
    for parameter in exchanges.flatMap(\.parameters) where isSecret(parameter, mask) {
      if !names.contains(parameter.name) { names.append(parameter.name) }
    }
    return names
  }

  private func isSecret(_ parameter: (name: String, value: String), _ mask: SecretMask) -> Bool {
    Redaction.ofParameters.hides(parameter.name) || mask.masked(parameter.value) != parameter.value
  }

  /// The keys of all exchanges, in the order they come.
  func keys(_ mask: SecretMask) -> [String] {
    var keys: [String] = []
    for exchange in exchanges {
      for (key, _) in parameters(of: exchange, mask) where !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  // MARK: - Conditions

  private static let conditionBytesMax = 4096

  /// What a request must have, to be told from others: its parameters, and under `body` the JSON of
  /// a condition. A body with a secret in it is no condition, for the secret is not to be written.
  func conditions(
    of exchange: RecordedExchange, naming template: [PathTemplate.Segment]? = nil,
    _ mask: SecretMask
  ) -> [(key: String, value: String)] {
    let parameters = parameters(of: exchange, naming: template, mask)
    let body = exchange.body
    let document = try? JSONDocument(parsing: body)
    let type = document == nil ? "application/x-www-form-urlencoded" : "application/json"
    guard !body.isEmpty, body.count <= Self.conditionBytesMax, mask.masked(body, of: type) == body,
      let text = String(validating: body, as: UTF8.self)
    else { return parameters }
    let json = document.map { String(decoding: $0.root.compact, as: UTF8.self) }
    let condition = json.map { "{\"equals\":\($0)}" } ?? "{\"text\":\(text.quoted)}"
    return parameters + [(RecordedCase.bodyKey, condition)]
  }

  /// The keys by which exchanges differ.
  func differingKeys(_ mask: SecretMask) -> [String] {
    let all = exchanges.map { conditions(of: $0, mask) }
    var keys: [String] = []
    for (key, _) in all.joined() where !keys.contains(key) { keys.append(key) }
    return keys.filter { key in
      let values = all.map { conditions in conditions.first { $0.key == key }?.value }
      return values.contains { $0 != values[0] }
    }
  }

  // MARK: - Cases

  struct Observation {
    let exchange: RecordedExchange
    let status: Int
    let answers: [LiveAnswer]
    /// Whether the request was first answered with another status.
    let isLater: Bool
  }

  /// What was answered to what, the case to be played by default first: a success, if there is one.
  var observations: [Observation] {
    var found: [Observation] = []
    for exchange in exchanges {
      var statuses: [Int] = []
      for answer in exchange.answers where !statuses.contains(answer.status) {
        statuses.append(answer.status)
      }
      for status in statuses {
        found.append(
          Observation(
            exchange: exchange, status: status,
            answers: exchange.answers.filter { $0.status == status },
            isLater: status != statuses[0]))
      }
    }
    let good = found.firstIndex { 200..<300 ~= $0.status && !$0.isLater }
    if let good { found.insert(found.remove(at: good), at: 0) }
    return found
  }

  /// `asking` are the keys by which requests are told from each other.
  func cases(
    _ observations: [Observation], asking keys: [String], hasDefault: Bool,
    naming template: [PathTemplate.Segment]? = nil, taken: Set<String> = [], baseURL: BaseURL?,
    _ mask: SecretMask
  ) -> [RecordedCase] {
    var names = taken
    var cases: [RecordedCase] = []
    let isAsked = baseURL != nil && (method == "GET" || method == "HEAD")
    var told: Set<[String?]> = []
    for (offset, observation) in observations.enumerated() {
      let found = conditions(of: observation.exchange, naming: template, mask)
      let when = keys.map { key in (key: key, value: found.first { $0.key == key }?.value) }
        .filter { $0.key != RecordedCase.bodyKey || $0.value != nil }
      // Requests that differ only in what no condition sees, such as a name that is repeated.
      let isNew = told.insert(["\(observation.status)"] + when.map(\.value)).inserted
      guard isNew || observation.isLater else { continue }
      let isDefault = hasDefault && offset == 0
      let hasSecrets = observation.exchange.parameters.contains { isSecret($0, mask) }
      let body = RecordedBody(of: observation.answers[0], mask: mask)
      let stem = RecordedCase.stem(of: observation.status)
      let values = when.filter { $0.key != RecordedCase.bodyKey }.compactMap(\.value)
      let name = Self.name(stem, values, taken: names)
      names.insert(name)
      var recorded = RecordedCase(
        name: name, status: observation.status,
        headers: RecordedHeaders(of: observation.answers, baseURL: baseURL, mask: mask), body: body,
        schema: body.json == nil ? nil : schema(of: observation.status, mask),
        when: isDefault || observation.isLater ? [] : when,
        isLive: isAsked && !hasSecrets && !observation.isLater && (isDefault || !when.isEmpty))
      let model = cases.first { other in
        other.status == observation.status && other.like == nil
          && other.headers.hasTemplates == recorded.headers.hasTemplates && other.body.json != nil
          && body.json != nil
      }
      if let model { (recorded.like, recorded.headersOfLike) = (model.name, model.headers) }
      cases.append(recorded)
    }
    return cases
  }

  private func schema(of status: Int, _ mask: SecretMask) -> InferredSchema {
    let answers = exchanges.flatMap(\.answers).filter { $0.status == status }
    let samples = answers.compactMap { RecordedBody(of: $0, mask: mask).json?.root }
    return InferredSchema(samples: samples)
  }

  /// `ok`, `ok-2` for the request whose parameter is 2, or with whatever number is free.
  private static func name(_ stem: String, _ values: [String], taken: Set<String>) -> String {
    guard taken.contains(stem) else { return stem }
    let slug = values.map(\.slug).filter { !$0.isEmpty }.joined(separator: "-")
    let long = "\(stem)-\(slug)"
    if !slug.isEmpty, slug.utf8.count <= 40, !taken.contains(long) { return long }
    var number = 2
    while taken.contains("\(stem)-\(number)") { number += 1 }
    return "\(stem)-\(number)"
  }

  // MARK: - For people

  /// The guessed parameters, each with the values it was guessed from.
  func guesses(_ mask: SecretMask) -> [(name: String, values: [String])] {
    guard isGuess else { return [] }
    var guesses: [(name: String, values: [String])] = []
    for (name, value) in exchanges.flatMap({ template.values(in: $0.segments) }) {
      if let index = guesses.firstIndex(where: { $0.name == name }) {
        if !guesses[index].values.contains(value) { guesses[index].values.append(value) }
      } else {
        guesses.append((name, [value]))
      }
    }
    return guesses
  }

  /// Where bodies of one request and status differ.
  func volatilePointers() -> [String] {
    var pointers: [String] = []
    for observation in observations {
      let bodies = observation.answers.compactMap { try? JSONDocument(parsing: $0.body).root }
      guard let first = bodies.first else { continue }
      for change in bodies.dropFirst().flatMap({ first.changes(to: $0) }) {
        let pointer = "\(change.pointer)"
        if !pointers.contains(pointer) { pointers.append(pointer) }
      }
    }
    return pointers
  }
}

extension [PathTemplate.Segment] {
  func hasShape(of other: Self) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy { own, other in
        switch (own, other) {
        case (.literal, .literal): own == other
        case (.parameter, .parameter): true
        default: false
        }
      }
  }
}
