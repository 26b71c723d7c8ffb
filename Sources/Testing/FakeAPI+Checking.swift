import UnderstudyContractModel
import UnderstudyFakeServer

extension FakeAPI {
  /// Fails the test, and lists the received requests below the text.
  func fail(_ text: String, at site: CallSite) async {
    site.fail(([text] + (await received())).joined(separator: "\n"), reportsToXCTest)
  }

  /// Stops the fake. Fails the test for contracts it never requested, unless an error cut it short,
  /// and for unmatched requests.
  func finish(isCutShort: Bool = false) async {
    await server.close()
    authority?.removeFile()
    clientFiles?.remove()
    let journal = await server.journal()
    let demands = demands
    let unmet =
      isCutShort ? [] : demands.filter { !journal.contains(where: $0.selection.selects) }
    for demand in unmet {
      await fail(
        "the test never reached its fake: no request\(demand.selection.target), expected one"
          + " or more", at: demand.site)
    }
    // The received requests are already listed.
    guard unmet.isEmpty, let first = demands.first else { return }
    let unmatchedCount = journal.count { $0.isUnmatched }
    guard unmatchedCount > 0 else { return }
    let noun = unmatchedCount == 1 ? "request" : "requests"
    await fail(
      "found \(unmatchedCount) unmatched \(noun), expected none", at: first.site)
  }

  private static let listedCountMax = 20

  /// A line for each request, with the nearest contracts below an unmatched one.
  private func received() async -> [String] {
    let journal = await server.journal()
    guard !journal.isEmpty else { return ["received nothing"] }
    let nearMisses = await server.nearMisses()
    let lines = journal.suffix(Self.listedCountMax).flatMap { entry -> [String] in
      let words = entry.isUnmatched ? "  no contract" : ""
      return ["  \(ReceivedRequest(entry))\(words)"]
        + (nearMisses[entry.sequence] ?? []).flatMap { near in
          ["    nearest: \(near.contract.id)  \(near.request)"]
            + near.differences.map { "      \($0)" }
        }
    }
    let leftOut = journal.count - Self.listedCountMax
    return [leftOut > 0 ? "received, after \(leftOut) more:" : "received:"] + lines
  }
}
