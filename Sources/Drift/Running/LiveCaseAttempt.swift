import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON

/// The outcome of requesting a live case once, for every consumer that expects something of it.
struct LiveCaseAttempt: Sendable {
  struct ConsumerResult: Sendable {
    /// `nil` when there was none in time.
    var outcome: ConsumerOutcome?
    let paths: ReadPaths?
    /// `nil` when they are unknown.
    var headers: HeaderReads?
    var exchanges: [LiveExchange] = []
    /// What a command sent for the case.
    var sent: Request?
    /// The differences from the contract.
    var findings: [Finding] = []
    /// Why the findings may be the fault of neither the consumer nor the API.
    var inconclusive: Inconclusive?

    /// Whether the consumer's result for the live response matches the contract.
    var isContent: Bool { outcome != nil && findings.isEmpty }
    var isBroken: Bool { !isContent && inconclusive == nil }
  }

  /// The response to the request of the case; `nil` when there is none to check.
  private(set) var response: LiveResponse?
  /// Why the body of a response cannot be decoded: there was one, but nothing of it is known.
  let undecodable: String?
  let inconclusive: Inconclusive?
  /// The redirects to that response.
  let redirect: Difference?
  /// The results of the consumers, in the order of the live case's readers.
  var readings: [ConsumerResult]
  /// The exchanges of the contract's own request.
  private(set) var exchanges: [LiveExchange]

  /// - Parameters:
  ///   - own: the exchange that represents the case.
  ///   - inconclusive: why there is none, or nothing to check in it.
  init(
    at liveCase: PlannedCase, _ own: LiveExchange?, _ inconclusive: Inconclusive?,
    _ readings: [ConsumerResult], _ exchanges: [LiveExchange]
  ) {
    response = own?.response
    undecodable = own?.undecodable
    self.inconclusive = inconclusive
    redirect = own?.redirectDifference(
      expecting: liveCase.served.status, at: liveCase.served.source.position)
    self.readings = readings
    self.exchanges = exchanges
  }

  /// The response, if it can be checked.
  var checked: LiveResponse? { inconclusive == nil ? response : nil }
  var isChecked: Bool { checked != nil || inconclusive == nil && undecodable != nil }

  /// The consumers of the case, also those that cannot be called.
  ///
  /// - Parameter areContent: whether it does not matter who is broken.
  func readers(of liveCase: PlannedCase, areContent: Bool = false) -> [ConsumerReads] {
    zip(liveCase.readers, readings).map { reader, reading in
      ConsumerReads(
        reader.consumer.name, paths: reading.paths, headers: reading.headers,
        isContent: areContent || !reading.isBroken)
    } + liveCase.strangers.map { ConsumerReads($0.name, paths: nil, headers: nil, isContent: true) }
  }

  /// This attempt with its responses changed; the results of the consumers stay.
  func withResponses(_ change: (LiveResponse) -> LiveResponse) -> LiveCaseAttempt {
    var attempt = self
    attempt.response = response.map(change)
    attempt.exchanges = exchanges.map { $0.withResponses(change) }
    for place in readings.indices {
      attempt.readings[place].exchanges = readings[place].exchanges.map {
        $0.withResponses(change)
      }
    }
    return attempt
  }
}
