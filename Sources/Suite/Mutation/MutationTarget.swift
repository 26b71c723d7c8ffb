import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyJSON

/// A good response a consumer got over a socket, ready to be mutated and replayed.
struct MutationTarget: Sendable {
  let check: PlannedCheck
  private let service: ServiceConsumer
  let expected: JSONValue
  let mutants: [Mutant]
  private let tape: ResponseTape
  private let key: ResponseTape.Key
  private let response: ClientResponse
  private let body: JSONDocument
  private let baseURL: @Sendable (String) -> String?
  private let prefix: String

  /// The consumer's outcome for a mutant; `nil` when this mutation does not apply.
  func outcome(of mutant: Mutant) async -> ConsumerOutcome? {
    guard let mutated = self.response(of: mutant) else { return nil }
    var tape = tape
    tape[key] = mutated
    return await outcome(of: tape)
  }

  func response(of mutant: Mutant) -> ClientResponse? { mutant.applied(to: response, body: body) }

  /// Whether a case with the mutated response is equivalent for the consumer: its other responses
  /// come from other endpoints, and the response has no templates.
  var isServable: Bool {
    check.served.response?.templatedParts.isEmpty == true
      && tape.keys.count { tape[$0]?.headers["Understudy-Contract"] == check.contract.id } == 1
  }

  private func outcome(of tape: ResponseTape) async -> ConsumerOutcome {
    let fence = FakeOnlyTransport(ReplayTransport(tape), within: prefix, timeout: nil, of: nil)
    return await service.outcome(
      of: ConsumerCall(
        transport: fence, baseURL: baseURL, arguments: check.expectation.arguments))
  }
}

/// Why there is nothing to mutate.
struct MutationUnavailable: Error {
  let reason: String
}

extension MutationTarget {
  /// Calls the consumer over a socket once, and records the responses and its reads.
  init(
    recording check: PlannedCheck, of service: ServiceConsumer, on fake: SharedFake,
    session: String
  ) async throws(MutationUnavailable) {
    guard case .value(let expected) = check.expectation.outcome else {
      throw MutationUnavailable(reason: "the case expects no value")
    }
    fake.prepare(check, session)
    let recording = RecordingTransport(fake.transport)
    let address = FakeAddress(fake.server, session: session)
    let prefix = "\(address.url)/"
    let reads = ReadPaths()
    let baseURL = fake.baseURL(at: address)
    var call = ConsumerCall(
      transport: FakeOnlyTransport(recording, within: prefix, timeout: nil, of: nil),
      baseURL: baseURL, arguments: check.expectation.arguments)
    call.recorder = reads
    let outcome = await service.outcome(of: call, within: fake.guardTime)
    await fake.server.forget(session: session)
    guard case .value(let value) = outcome, value.isEqual(to: expected) else {
      throw MutationUnavailable(
        reason: "the original response does not give the expected value")
    }
    let tape = recording.tape
    let key = tape.keys.first { key in
      let headers = tape[key]?.headers
      return headers?["Understudy-Contract"] == check.contract.id
        && headers?["Understudy-Case"] == check.served.name
    }
    guard let key, let response = tape[key],
      let body = try? JSONDocument(parsing: response.body)
    else { throw MutationUnavailable(reason: "the consumer did not get the JSON of the case") }
    let mutants = MutantPlan(
      of: body, reads: reads.paths.isEmpty ? nil : reads,
      tolerances: check.expectation.tolerances
    ).mutants
    self.init(
      check: check, service: service, expected: expected, mutants: mutants, tape: tape,
      key: key, response: response,
      body: body, baseURL: baseURL, prefix: prefix)
    let replayed = await self.outcome(of: tape)
    guard case .value(let value) = replayed, value.isEqual(to: expected) else {
      throw MutationUnavailable(reason: "a replayed response does not give the same value")
    }
  }
}

extension PlannedCheck {
  /// Whether there is a good JSON response that the consumer does not respond with an error.
  var isMutable: Bool {
    guard served.kind == .good, case .json = served.response?.body else { return false }
    if case .error = expectation.outcome { return false }
    return true
  }

  /// `joke/random-joke#ok,jokes.random,null/setup`
  func id(of mutant: Mutant) -> String { mutantPrefix + mutant.name }

  /// The prefix of the ids of all its mutants.
  var mutantPrefix: String { "\(contract.id)#\(served.name),\(expectation.consumer)," }
}
