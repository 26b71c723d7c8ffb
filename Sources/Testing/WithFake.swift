import Testing
import UnderstudyFakeServer

/// Gives a closure a fake of its own, as the trait `.fake(…)` does for a test of Swift Testing. Use
/// it in XCTest, or for a part of a test.
///
///     func testGone() async throws {
///       try await withFake("joke", case: "not-found") { fake in
///         let client = JokeClient(baseURL: try fake.baseURL())
///         await XCTAssertThrowsError(try await client.randomJoke())
///       }
///     }
///
/// The test fails at this line if the closure never reaches the upstream or contract that is named,
/// or sends an unmatched request.
///
/// - Parameters:
///   - name: An upstream, `"joke"`, or a contract, `"joke/random-joke"`.
///   - caseName: The case to serve. For an upstream, all of its contracts that have the case serve it.
///   - contracts: The folder of contracts, relative to the folder of this file. Default: the nearest
///     folder `Contracts` in a folder above this file.
///   - tls: Whether the fake responds to HTTPS, and its addresses begin with it. A client must trust
///     ``FakeAPI/certificateFile``.
///   - proxy: Whether clients may use the fake as their proxy for the hosts of upstreams, so that they
///     keep the URLs of the live APIs: ``FakeAPI/proxyURL``.
///   - fileID: The file that a failure names.
///   - filePath: The path of that file.
///   - line: The line that a failure names.
///   - column: The column that a failure names.
///   - isolation: The actor the closure runs on.
///   - body: Gets the fake, and with it the address for the client under test.
public func withFake<Value>(
  _ name: String? = nil, case caseName: String? = nil, contracts: String? = nil,
  tls: Bool = false, proxy: Bool = false, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (FakeAPI) async throws -> Value
) async throws -> Value {
  let site = CallSite(fileID, filePath, line, column)
  let folder = try ContractFolder.find(contracts, from: "\(filePath)")
  let library = try ContractFolder.library(in: folder)
  let selection = try ContractSelection(name, case: caseName, in: library)
  let fake = try await FakeAPI(
    of: library, folder: folder, tls: tls, proxy: proxy, testID: nil,
    reportsToXCTest: Test.current == nil)
  fake.add(FakeAPI.Demand(selection: selection, site: site))
  return try await fake.lend { try await body(fake) }
}

extension FakeAPI {
  /// Is current while the closure runs, and then checks the received requests.
  func lend<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await FakeAPI.$inForce.withValue(self) { try await body() }
      await finish()
      return value
    } catch {
      await finish(isCutShort: true)
      throw error
    }
  }
}
