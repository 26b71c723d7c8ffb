import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudySystem

/// Mutants served by a fake: those for commands, and a few of those for services, to show what a
/// replaying transport cannot: that they pass through a socket unchanged.
struct SocketSample {
  struct Item {
    let check: PlannedCheck
    let mutant: Mutant
    let mutated: ClientResponse
    /// The number of the mutant, among all mutants.
    let number: Int

    /// Returns `nil` when the mutation does not apply, or the response is too large for a sample.
    init?(_ check: PlannedCheck, _ mutant: Mutant, _ mutated: ClientResponse?, number: Int) {
      guard let mutated, check.command != nil || mutated.body.count <= bodyBytesMax else {
        return nil
      }
      (self.check, self.mutant, self.mutated, self.number) = (check, mutant, mutated, number)
    }
  }

  /// How many mutants for services are served.
  static let countMax = 16
  private static let bodyBytesMax = 1 << 15

  private let fake: SharedFake
  let items: [Item]

  static func start(
    _ items: [Item], of library: ContractLibrary, _ configuration: SuiteConfiguration
  ) async throws(SystemError) -> Self {
    let added = items.enumerated().map { place, item in
      AddedCase(
        contractID: item.check.contract.id, name: caseName(place), like: item.check.served.name,
        headers: item.mutated.headers["Content-Type"].map {
          [HeaderField(name: "Content-Type", value: $0)]
        } ?? [], body: item.mutated.body)
    }
    let library = ContractLibrary(of: library.upstreams.map { $0.adding(added) })
    return Self(fake: try await SharedFake.start(library, configuration), items: items)
  }

  func close() async { await fake.close() }

  /// One response is mutated: what the consumer requests because of it gets the responses that it
  /// would get, so a mutated link to a next page does not lead to the same page for ever.
  func outcome(at place: Int) async -> ConsumerOutcome? {
    let check = items[place].check
    let session = "sample-\(place)"
    switch check.callee {
    case .service(let service):
      fake.prepare(check, session)
      fake.server.serveOnce(Self.caseName(place), for: check.contract.id, session: session)
      let address = FakeAddress(fake.server, session: session)
      let fence = FakeOnlyTransport(
        fake.transport, within: "\(address.url)/", timeout: nil, of: nil)
      let outcome = await service.outcome(
        of: ConsumerCall(
          transport: fence, baseURL: fake.baseURL(at: address),
          arguments: check.expectation.arguments))
      await fake.server.forget(session: session)
      return outcome
    case .command(let command):
      return await fake.runOnce(
        command, for: check, serving: Self.caseName(place), isOnce: true, session,
        within: CommandTarget.timeMax
      ).outcome
    }
  }

  private static func caseName(_ place: Int) -> String { "understudy-mutant-\(place)" }
}
