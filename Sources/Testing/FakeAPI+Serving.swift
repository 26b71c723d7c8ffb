import UnderstudyContractModel
import UnderstudyFakeServer

extension FakeAPI {
  /// Serves this case from now on in place of the default, until another is chosen. Requests that
  /// another case's `when` takes, such as those for page 2, keep theirs.
  ///
  ///     try FakeAPI.current.use("rate-limited", of: "joke/random-joke")
  ///
  /// `name` is a contract or an upstream. For an upstream, all of its contracts that have the case
  /// serve it.
  public func use(_ caseName: String, of name: String) throws(FakeError) {
    use(try ContractSelection(name, case: caseName, in: library))
  }

  func use(_ selection: ContractSelection) {
    guard let caseName = selection.caseName else { return }
    for contract in selection.contracts { server.use(caseName, for: contract.id) }
  }

  /// Serves these cases one after the other, one for each request; the last repeats, and then
  /// requests that another case's `when` takes keep theirs.
  ///
  ///     try FakeAPI.current.use(["server-error", "ok"], of: "joke/random-joke")
  public func use(_ caseNames: [String], of contract: String) throws(FakeError) {
    let contract = try library.contract(contract)
    for name in caseNames { _ = try ContractSelection(contract.id, case: name, in: library) }
    server.use(caseNames, for: contract.id)
  }

  /// Whether a contract or an upstream responds.
  public enum Mode: String, Sendable {
    /// The contracts respond.
    case fake
    /// Nobody does: every connection is reset, as if the network were down.
    case off
  }

  /// Responds to requests from now on by the contracts, or not at all.
  ///
  ///     try FakeAPI.current.use(.off, of: "joke")
  ///
  /// `name` is a contract or an upstream. What is set for a contract precedes what is set for its
  /// upstream.
  public func use(_ mode: Mode, of name: String) throws(FakeError) {
    let selection = try ContractSelection(name, case: nil, in: library)
    let place: ModePlace =
      if name.contains("/"), let contract = selection.contracts.first {
        .contract(contract.name, of: contract.upstreamName)
      } else {
        .upstream(name)
      }
    server.set(mode == .off ? .off : .fake, for: place)
  }

  /// Serves a scenario of an upstream from the start.
  public func use(scenario name: String, of upstream: String) throws(FakeError) {
    guard let owner = library.upstreams.first(where: { $0.name == upstream }) else {
      throw .unknown("upstream", upstream, known: library.upstreams.map(\.name))
    }
    guard server.use(scenario: name, of: upstream) else {
      throw .unknown("scenario", name, of: upstream, known: owner.scenarios.map(\.name))
    }
  }

  /// Holds the responses of a contract until the test releases them one by one, in any order.
  ///
  ///     let responses = try FakeAPI.current.hold("joke/random-joke")
  ///     async let joke = client.randomJoke()
  ///     let response = await responses.next()
  ///     #expect(model.isLoading)
  ///     await response?.release()
  public func hold(_ contract: String) throws(FakeError) -> HeldResponses {
    HeldResponses(hold: server.hold(try library.contract(contract).id), fake: self)
  }
}

/// Responses of one contract that are held until the test releases them.
public struct HeldResponses: Sendable {
  let hold: Hold
  let fake: FakeAPI

  /// Waits for the next request whose response is held, in the order they came.
  ///
  /// If none comes in this time, the test fails at this line and the result is `nil`.
  public func next(
    within patience: Duration = FakeAPI.patience,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> HeldResponse? {
    let response = await FakeAPI.within(patience) { [hold] in await hold.next() }
    guard let response else {
      let site = CallSite(fileID, filePath, line, column)
      await fake.fail("no request to hold after \(patience), expected one", at: site)
      return nil
    }
    return HeldResponse(request: ReceivedRequest(response.request), response: response)
  }

  /// Releases the responses that the test has not taken, and holds no more.
  public func end() async { await hold.end() }
}

/// A response that is held until it is released.
public struct HeldResponse: Sendable {
  /// The request that it responds to.
  public let request: ReceivedRequest
  let response: WaitingResponse

  /// Sends the response. `false` if nobody waits for it any more, because the client has gone.
  @discardableResult
  public func release() async -> Bool { await response.release() }
}
