package import UnderstudyConsumers
package import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
package import UnderstudySystem

/// Runs commands on a fake that serves a live response, since they never get a live address.
package struct ResponseReplay: Sendable {
  private static let caseName = "understudy-live"

  private let fake: SharedFake
  private let contract: Contract
  private let served: Case

  /// Starts the fake.
  ///
  /// - Parameter served: the case of which this is the live response.
  package static func start(
    _ upstreams: [Upstream], serving status: Int, _ headers: [HeaderField], _ body: [UInt8],
    for served: Case, of contract: Contract
  ) async throws(SystemError) -> ResponseReplay {
    // The fake frames its responses itself.
    let sent = headers.filter { field in
      !HeaderName.ofConnection.contains(field.key)
        && !["date", "content-encoding"].contains(field.key)
    }
    let own = Set((served.response?.headers ?? []).map(\.key))
    let added = AddedCase(
      contractID: contract.id, name: caseName, like: served.name, status: status, headers: sent,
      droppedHeaders: own, body: body)
    let library = ContractLibrary(of: upstreams.map { $0.adding([added]) })
    var configuration = SuiteConfiguration()
    configuration.rewritesLinks = true
    return ResponseReplay(
      fake: try await SharedFake.start(library, configuration), contract: contract,
      served: served)
  }

  package func close() async { await fake.close() }

  /// How a command ends, `nil` when it does not in time; the request that got the response, if it is
  /// known in full; and whether there was one.
  package func outcome(
    of command: CommandConsumer, expecting expectation: Expectation, within limit: Duration
  ) async -> (ConsumerOutcome?, sent: Request?, gotResponse: Bool) {
    let check = PlannedCheck(contract, served, expectation, calling: .command(command))
    let (outcome, journal) = await fake.runOnce(
      command, for: check, serving: Self.caseName, command.name,
      within: min(limit, check.timeMax(timeScale: 1, guardTime: fake.guardTime)))
    let entry = journal.first { $0.contract == contract.id && $0.caseName == Self.caseName }
    return (
      outcome, entry.flatMap { $0.body.count == $0.bodyByteCount ? $0.request : nil }, entry != nil
    )
  }
}
