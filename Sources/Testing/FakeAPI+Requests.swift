import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySecrets

extension FakeAPI {
  /// How long a test waits for a request before it fails; far longer than a request takes.
  public static let patience = Duration.seconds(10)

  /// The requests received so far, oldest first: all of them, or those that a contract or the
  /// contracts of an upstream responded.
  public func requests(to name: String? = nil) async throws(FakeError) -> [ReceivedRequest] {
    let selection = try ContractSelection(name, case: nil, in: library)
    return await journal(of: selection)
  }

  /// The requests to a contract or an upstream, or all of them. The test fails at this line unless
  /// there are this many. The failure lists all requests, and for each without a response the
  /// nearest contract.
  ///
  ///     let request = await fake.expectRequests(to: "joke/random-joke").first
  ///     #expect(request?.header("Accept") == "application/json")
  ///
  /// With a case, only requests that it responded count.
  @discardableResult
  public func expectRequests(
    _ count: Int = 1, to name: String? = nil, case caseName: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> [ReceivedRequest] {
    let site = CallSite(fileID, filePath, line, column)
    guard let selection = await selection(name, case: caseName, site) else { return [] }
    let found = await journal(of: selection)
    if found.count != count {
      let noun = found.count == 1 ? "request" : "requests"
      await fail("found \(found.count) \(noun)\(selection.target), expected \(count)", at: site)
    }
    return found
  }

  /// Waits for the next request, served or not: to a contract, to an upstream, or any. Each call
  /// continues after the request that the one before returned.
  ///
  /// Use it for clients that send in the background. If no request comes in this time, the test
  /// fails at this line and the result is `nil`.
  public func nextRequest(
    to name: String? = nil, within patience: Duration = FakeAPI.patience,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> ReceivedRequest? {
    let site = CallSite(fileID, filePath, line, column)
    guard let selection = await selection(name, case: nil, site) else { return nil }
    let entry = await Self.within(patience) { [server] in
      while let entry = await server.nextRequest() {
        if selection.selects(entry) { return entry }
      }
      return nil
    }
    if entry == nil {
      await fail("no request\(selection.target) after \(patience), expected one", at: site)
    }
    return entry.map(ReceivedRequest.init)
  }

  private func journal(of selection: ContractSelection) async -> [ReceivedRequest] {
    await server.journal().filter(selection.selects).map(ReceivedRequest.init)
  }

  /// `nil` when a name is wrong, which fails the test.
  private func selection(
    _ name: String?, case caseName: String?, _ site: CallSite
  ) async -> ContractSelection? {
    do throws(FakeError) {
      return try ContractSelection(name, case: caseName, in: library)
    } catch {
      site.fail(error.description, reportsToXCTest)
      return nil
    }
  }

  /// The result of a closure, or `nil` when it takes longer.
  static func within<Value: Sendable>(
    _ patience: Duration, _ closure: @escaping @Sendable () async -> Value?
  ) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
      group.addTask { await closure() }
      group.addTask {
        try? await Task.sleep(for: patience)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }
}

/// A request as the fake received it.
///
/// It has its passwords and tokens, so that a test can check them. Its description, which failures
/// show, masks them.
public struct ReceivedRequest: Sendable, CustomStringConvertible {
  /// Such as `GET`.
  public let method: String
  /// Without the query, as it was sent: `/joke/random_joke`.
  public let path: String
  /// Without the question mark, as it was sent; `nil` if there was none.
  public let query: String?
  /// As they were sent, in their order.
  public let headers: [(name: String, value: String)]
  /// Without its framing; empty if there was none.
  public let body: [UInt8]
  /// The contract that responded, `joke/random-joke`; `nil` if none did.
  public let contract: String?
  /// The case that was served; `nil` if no contract matched.
  public let caseName: String?

  init(_ entry: JournalEntry) {
    method = entry.method
    path = entry.path
    query = entry.query
    headers = entry.headers.map { ($0.name, $0.value) }
    body = entry.body
    contract = entry.contract
    caseName = entry.caseName
  }

  /// The first value of a header, in whatever case its name is written.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// `GET /joke/random_joke?x=1  joke/random-joke#ok`
  public var description: String {
    let served = contract.map { "  \($0)#\(caseName ?? "")" } ?? ""
    let target = SecretMask.standard.masked(target: path + (query.map { "?\($0)" } ?? ""))
    return "\(method) \(target)\(served)".visible
  }
}
