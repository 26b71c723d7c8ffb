import Testing
import UnderstudyFakeServer

/// Gives a closure a fake of its own: what the trait `.fake(…)` is to a Swift Testing test, for a
/// part of one and for tests of XCTest.
///
///     func testGone() async throws {
///       try await withFake("joke", case: "not-found") { fake in
///         let client = JokeClient(baseURL: try fake.baseURL())
///         await XCTAssertThrowsError(try await client.randomJoke())
///       }
///     }
///
/// The test fails at this line if the closure never reached what is named, or sent a request that
/// no contract answers.
///
/// - Parameters:
///   - name: An upstream, `"joke"`, or a contract, `"joke/random-joke"`.
///   - caseName: The case it plays; of an upstream, all of its contracts that have the case.
///   - contracts: The folder of contracts, by a path from the folder of this file; without it, the
///     nearest folder `Contracts` around this file.
public func withFake<Value>(
  _ name: String? = nil, case caseName: String? = nil, contracts: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, isolation: isolated (any Actor)? = #isolation,
  _ body: (Fake) async throws -> Value
) async throws -> Value {
  let site = CallSite(fileID, filePath, line, column)
  let folder = try ContractFolder.find(contracts, from: "\(filePath)")
  let library = try ContractFolder.library(in: folder)
  let selection = try ContractSelection(name, case: caseName, in: library)
  let fake = Fake(
    try await FakeUpstream.start(library), library, folder: folder, testID: nil,
    reportsToXCTest: Test.current == nil)
  fake.add(Fake.Demand(selection: selection, site: site))
  return try await fake.lend { try await body(fake) }
}

extension Fake {
  /// Is the current one for as long as the closure runs, and then judges what it received.
  func lend<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await Fake.$inForce.withValue(self) { try await body() }
      await finish()
      return value
    } catch {
      await finish(isCutShort: true)
      throw error
    }
  }
}
