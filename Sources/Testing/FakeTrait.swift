public import Testing
import UnderstudyFakeServer

/// Gives a test a fake of its own, ``FakeAPI/current``. On a suite, it does so for each of its
/// tests.
///
/// Several traits share one fake: `@Test(.fake("joke"), .fake("dog-ceo", case: "not-found"))`.
public struct FakeTrait: TestTrait, SuiteTrait, TestScoping {
  let name: String?
  let caseName: String?
  let contracts: String?
  let tls: Bool
  let proxy: Bool
  let site: CallSite

  /// A suite gives it to each of its tests.
  public var isRecursive: Bool { true }

  /// Starts the fake, runs the test beside it, and checks the requests it received.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let folder = try ContractFolder.find(contracts, from: "\(site.filePath)")
    let library = try ContractFolder.library(in: folder)
    let selection = try ContractSelection(name, case: caseName, in: library)
    let demand = FakeAPI.Demand(selection: selection, site: site)
    let testID = "\(test.id)"
    if let fake = FakeAPI.inForce, fake.testID == testID, fake.folder == folder {
      if tls { _ = try fake.certificateFile }
      if proxy { _ = try fake.proxyURL }
      fake.add(demand)
      return try await function()
    }
    let fake = try await FakeAPI(
      of: library, folder: folder, tls: tls, proxy: proxy, testID: testID, reportsToXCTest: false)
    fake.add(demand)
    try await fake.lend(function)
  }
}

extension Trait where Self == FakeTrait {
  /// Gives the test a fake of all its contracts. The test fails unless it sends a request to the
  /// upstream or contract that is named.
  ///
  /// - Parameters:
  ///   - name: An upstream, `"joke"`, or a contract, `"joke/random-joke"`.
  ///   - caseName: The case to serve. For an upstream, all of its contracts that have the case serve it.
  ///   - contracts: The folder of contracts, relative to the folder of this file. Default: the
  ///     nearest folder `Contracts` in a folder above this file.
  ///   - tls: Whether the fake responds to HTTPS, and its addresses begin with it. A client must
  ///     trust ``FakeAPI/certificateFile``.
  ///   - proxy: Whether clients may use the fake as their proxy for the hosts of upstreams, so that they
  ///     keep the URLs of the live APIs: ``FakeAPI/proxyURL``.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  ///   - column: The column that a failure names.
  public static func fake(
    _ name: String? = nil, case caseName: String? = nil, contracts: String? = nil,
    tls: Bool = false, proxy: Bool = false, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> FakeTrait {
    FakeTrait(
      name: name, caseName: caseName, contracts: contracts, tls: tls,
      proxy: proxy, site: CallSite(fileID, filePath, line, column))
  }
}
