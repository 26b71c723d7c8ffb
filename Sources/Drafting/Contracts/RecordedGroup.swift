import UnderstudyContractModel
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// The requests to one endpoint, with their responses.
struct RecordedGroup {
  let method: String
  let template: [PathTemplate.Segment]
  let isGuess: Bool
  /// The GraphQL operation that all of them ask for, if it has a name.
  let operation: GraphQLOperation?
  let mask: SecretMask
  private(set) var requests: [RecordedRequest] = []
  /// The distinguishing parts of each.
  private(set) var traits: [RecordedTraits] = []
  /// The path that would make one contract of it and its siblings.
  var offer: SlugGuess.Offer?

  init(
    method: String, template: [PathTemplate.Segment], isGuess: Bool,
    operation: GraphQLOperation?, mask: SecretMask
  ) {
    self.method = method
    self.template = template
    self.isGuess = isGuess
    self.operation = operation
    self.mask = mask
  }

  /// The key of the endpoint, as `RecordingTarget.endpoint(of:)` has it.
  var endpoint: String { RecordingTarget.endpoint(method, template, operation) }

  /// A repeated request adds responses to the existing one.
  mutating func add(_ exchange: RecordedExchange) {
    if let same = requests.firstIndex(where: { $0.exchange.asksAs(exchange) }) {
      requests[same].add(exchange, mask)
    } else {
      requests.append(RecordedRequest(exchange, mask))
      traits.append(RecordedTraits(of: exchange, by: template, mask))
    }
  }

  func has(_ exchange: RecordedExchange) -> Bool {
    requests.contains { $0.exchange.asksAs(exchange) }
  }

  /// The distinguishing parts of each request where the path names its parameters otherwise, or
  /// variables stand for the body.
  func traits(naming template: [PathTemplate.Segment]?, byVariables: Bool) -> [RecordedTraits] {
    guard template != nil || byVariables else { return traits }
    return requests.map {
      RecordedTraits(
        of: $0.exchange, by: template ?? self.template, byVariables: byVariables, mask)
    }
  }

  /// The query parameters and fields of forms that some request repeats.
  var repeatedKeys: Set<String> {
    var keys = Set<String>()
    for (key, trait) in traits.flatMap(\.own) {
      if case .values(let values) = trait, values.count > 1 { keys.insert(key) }
    }
    return keys
  }

  /// The headers that the contract's own request may have, without those that make it conditional.
  var headerNames: [String] {
    guard method == "GET" else { return [] }
    var names: [String] = []
    for field in requests.flatMap(\.exchange.headers)
    where !RequestHeaders.conditional.contains(field.key) {
      if !names.contains(field.name) { names.append(field.name) }
    }
    return names
  }

  /// - Parameter goesOn: asked now and then; once it is false, the schema must not be used.
  func schema(of status: Int, while goesOn: @escaping () -> Bool) -> InferredSchema {
    let bodies = requests.flatMap(\.responses).filter { $0.status == status }.flatMap(\.bodies)
    return InferredSchema(
      samples: bodies.lazy.compactMap { $0.json?.root }, InferenceSteps(while: goesOn))
  }

  /// Twice the time that all but the slowest twentieth of the responses took, and at least 100 ms;
  /// `nil` if nothing was measured.
  func latencyMax(of status: Int) -> Duration? {
    let times = requests.flatMap(\.responses).filter { $0.status == status }.flatMap(\.samples)
      .map(\.latency).filter { $0 > .zero }.sorted()
    guard !times.isEmpty else { return nil }
    let most = times[(times.count * 95 + 99) / 100 - 1]
    return .milliseconds(max(100, (most.nanoseconds * 2 + 999_999) / 1_000_000))
  }

  // MARK: - For people

  /// The guessed parameters, each with the values it was guessed from.
  var guesses: [(name: String, values: [String])] {
    guard isGuess else { return [] }
    var guesses: [(name: String, values: [String])] = []
    for (name, value) in requests.flatMap({ template.values(in: $0.exchange.segments) }) {
      if let index = guesses.firstIndex(where: { $0.name == name }) {
        if !guesses[index].values.contains(value) { guesses[index].values.append(value) }
      } else {
        guesses.append((name, [value]))
      }
    }
    return guesses
  }

  var secretNames: [String] {
    var names: [String] = []
    for name in traits.flatMap(\.secretNames) where !names.contains(name) { names.append(name) }
    return names
  }

  /// Places where bodies for one request and status differ.
  var volatilePointers: [String] {
    var pointers: [String] = []
    for response in requests.flatMap(\.responses) {
      guard let first = response.bodies.first else { continue }
      let firstBytes = first.bytes
      for body in response.bodies.dropFirst() where body.bytes != firstBytes {
        guard let old = first.json?.root, let new = body.json?.root else {
          pointers.append("the body")
          continue
        }
        for change in old.changes(to: new) {
          pointers.append(change.pointer.tokens.isEmpty ? "the body" : "\(change.pointer)")
        }
      }
    }
    return pointers.withoutRepeats
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
