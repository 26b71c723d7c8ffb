package import UnderstudyCore
import UnderstudyJSON

/// A case that is added to a contract in memory, to serve a response that its file does not have: a
/// mutated or a live one.
package struct AddedCase: Sendable {
  let contractID: String
  let name: String
  /// The name of another case of the contract. This one has its conditions, its change of state, its
  /// callbacks and whatever the new response does not say.
  let like: String
  /// `nil` for the status of the other case.
  let status: Int?
  let headers: [HeaderField]
  /// Headers of the other case that this one does not have.
  let droppedHeaders: Set<HeaderName>
  let body: [UInt8]

  package init(
    contractID: String, name: String, like: String, status: Int? = nil, headers: [HeaderField],
    droppedHeaders: Set<HeaderName> = [], body: [UInt8]
  ) {
    self.contractID = contractID
    self.name = name
    self.like = like
    self.status = status
    self.headers = headers.filter { HeaderText.isName($0.name) && HeaderText.isValue($0.value) }
    self.droppedHeaders = droppedHeaders
    self.body = body
  }

  fileprivate func made(in contract: Contract) -> Case? {
    guard let index = contract.cases.firstIndex(where: { $0.name == like }) else { return nil }
    let other = contract.cases[index]
    guard let status = status ?? other.status else { return nil }
    let replaced = droppedHeaders.union(headers.map(\.key))
    let kept = (other.response?.headers ?? []).filter { !replaced.contains($0.key) }
    let response = Response(
      status: status, headers: kept + headers, body: .bytes, bodyBytes: body, schema: nil,
      version: .http11, framing: .length, encoding: nil, hasRanges: false, hasTag: false,
      // Braces in the body are text, not templates.
      templatedParts: [])
    return Case(
      name: name, summary: nil, response: response, when: other.when, then: other.then,
      malformation: nil, bodyBytes: body, delay: nil, pace: nil, stall: nil, fault: nil,
      faultEvent: nil, expectations: [], live: nil, callbacks: other.callbacks,
      source: .null, likeIndex: index)
  }
}

extension Upstream {
  /// This upstream with more cases in its contracts.
  package func adding(_ added: [AddedCase]) -> Upstream {
    let added = Dictionary(grouping: added, by: \.contractID)
    let contracts = contracts.map { contract in
      guard let own = added[contract.id] else { return contract }
      return Contract(
        name: contract.name, upstreamName: contract.upstreamName, summary: contract.summary,
        request: contract.request, cases: contract.cases + own.compactMap { $0.made(in: contract) },
        defaultCaseIndex: contract.defaultCaseIndex, scripts: contract.scripts,
        waivers: contract.waivers, file: contract.file, source: contract.source)
    }
    return with(contracts, ranks: ranks)
  }
}
