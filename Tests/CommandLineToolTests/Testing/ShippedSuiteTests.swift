import Consumers
import ContractModel
import Diagnostics
import Findings
import Reports
import Suite
import Testing

@testable import CommandLineTool

/// Every service makes of every case what its contract says, over a socket.
@Suite struct ShippedSuiteTests {
  static let library = try? ContractLibrary.load([
    Checkout.root.appendingPathComponent("Contracts").path
  ])
  static let registry = ConsumerRegistry(ShippedConsumers.all)

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
    #expect(report.verdict == .pass, "\(ReportFormat.console.text(of: report))")
    #expect(report.count(.pass) > 200)
  }
}
