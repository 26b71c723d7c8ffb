import Foundation
import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyReports
import UnderstudySuite

@testable import UnderstudyShowcase

/// Every service makes of every case what its contract says, over a socket.
@Suite struct ShippedSuiteTests {
  static let library = try? ContractLibrary.load([
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Contracts").standardized.path
  ])
  static let registry = ConsumerRegistry(Showcase.consumers)

  @Test("the services are those that consumers.json declares, and do what the contracts say")
  func shipped() async throws {
    let library = try #require(Self.library)
    #expect(Self.registry.differences(from: library.consumers) == [])
    let plan = SuitePlan(library, Self.registry)
    #expect(plan.remarks == [])
    var configuration = SuiteConfiguration()
    configuration.timeScale = 0.01
    let checks = try await SuiteRun(library, configuration).results(of: plan.checks)
    let run = Run(
      command: "", toolVersion: "", plannedCount: checks.count, startedAt: "", duration: .zero)
    let report = Report(run, checks: checks)
    #expect(report.result == .pass, "\(ReportFormat.console.text(of: report))")
    #expect(report.count(.pass) > 200)
  }

  @Test(
    "a request that cannot be sent is an error that no contract can expect",
    arguments: [
      ("dogs.picture", #"{ "path": "no slash" }"#),
      ("restaurants.deleteFavorite", #"{ "name": ".." }"#),
      ("repos.list", #"{ "org": "" }"#),
    ])
  func unaskable(name: String, arguments: String) async throws {
    let consumer = try #require(Showcase.consumers.first { $0.name == name })
    let stub = StubTransport()
    let call = ConsumerCall(
      transport: stub, baseURL: { "http://fake/\($0)" },
      arguments: try JSONDocument(parsing: arguments).root)
    guard case .undeclared(let words) = await consumer.outcome(of: call) else {
      Issue.record("expected an error without a name")
      return
    }
    #expect(words.hasPrefix("this URL is not the upstream's: "))
    #expect(stub.requests.isEmpty)
  }
}
