package import UnderstudyConsumers
package import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
package import UnderstudySystem

/// Runs commands on a fake that plays a live answer, since they never get a live address.
package struct AnswerReplay: Sendable {
  private static let caseName = "understudy-live"

  private let stage: CheckStage
  private let contract: Contract
  private let played: Case

  /// Starts the fake.
  ///
  /// - Parameter played: the case of which this is the live answer.
  package static func start(
    _ upstreams: [Upstream], playing status: Int, _ headers: [HeaderField], _ body: [UInt8],
    for played: Case, of contract: Contract
  ) async throws(SystemError) -> AnswerReplay {
    // The fake frames its answers itself.
    let sent = headers.filter { field in
      !HeaderName.ofConnection.contains(field.key)
        && !["date", "content-encoding"].contains(field.key)
    }
    let own = Set((played.response?.headers ?? []).map(\.key))
    let library = ContractLibrary(
      upstreams,
      adding: [
        AddedCase(
          contractID: contract.id, name: caseName, like: played.name, status: status,
          headers: sent, droppedHeaders: own.subtracting(sent.map(\.key)), body: body)
      ])
    var configuration = SuiteConfiguration()
    configuration.rewritesLinks = true
    return AnswerReplay(
      stage: try await CheckStage.start(library, configuration), contract: contract,
      played: played)
  }

  package func close() async { await stage.close() }

  /// How a command ends, `nil` when it does not in time; and the request that got the answer.
  package func outcome(
    of command: CommandConsumer, expecting expectation: Expectation, within limit: Duration
  ) async -> (ConsumerOutcome?, sent: Request?) {
    let check = PlannedCheck(contract, played, expectation, calling: .command(command))
    let (outcome, journal) = await stage.runOnce(
      command, for: check, playing: Self.caseName, command.name,
      within: min(limit, check.timeMax(timeScale: 1, guardTime: stage.guardTime)))
    let entry = journal.first { $0.contract == contract.id && $0.caseName == Self.caseName }
    return (outcome, entry.flatMap { $0.body.count == $0.bodyByteCount ? $0.request : nil })
  }
}
