import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets

/// A request whose recorded response no contract reproduces.
package struct UnrecordedRequest: Hashable, Sendable {
  /// `GET /users?page=2`, without secrets.
  package let request: String
  package let reason: String
  /// Whether the contract already existed and is left as it is.
  package let isKept: Bool
  /// Its `RecordedExchange.requestKey`.
  package let key: Int
}

/// The contracts including the files to be written, matched as the server would.
struct RecordedReplay {
  private let index: RequestIndex
  private let upstream: Upstream?
  private let target: RecordingTarget
  private let mask: SecretMask

  init(_ library: ContractLibrary, _ target: RecordingTarget, _ mask: SecretMask) {
    index = library.index
    upstream = library.upstreams.first { $0.name == target.upstreamName }
    self.target = target
    self.mask = mask
  }

  // MARK: - Responses

  /// Why a request does not get its recorded response.
  func loss(of number: Int, in contract: RecordedContract) -> UnrecordedRequest? {
    let request = contract.requests[number]
    if contract.isKept {
      guard difference(request, served: nil) != nil else { return nil }
      let id = "\(target.upstreamName)/\(contract.name)"
      return UnrecordedRequest(
        request: "\(contract.method) \(contract.path)",
        reason: "\(id) already exists, and keeps its responses", isKept: true,
        key: request.exchange.requestKey)
    }
    let reason = difference(request, served: contract.served[number])
    guard let reason = contract.losses[number] ?? reason else { return nil }
    return UnrecordedRequest(
      request: request.exchange.title(mask), reason: reason, isKept: false,
      key: request.exchange.requestKey)
  }

  /// - Parameter served: the cases it must serve in order, the first without a script.
  private func difference(_ request: RecordedRequest, served names: [String]?) -> String? {
    guard let found = match(request.exchange) else { return "no contract matches it" }
    let (contract, parts) = (found.contract, found.parts)
    guard let first = found.candidate.unsteeredCase(for: parts) else {
      return "no contract matches it"
    }
    guard let names else { return difference(first, request.first) }
    guard names.first == first.name else { return "the contract serves \"\(first.name)\" for it" }
    for (name, recorded) in zip(names, request.sequence) {
      guard let served = contract.case(named: name) else { return "there is no case \"\(name)\"" }
      if let words = difference(served, request.responses[recorded]) { return words }
    }
    return nil
  }

  private func match(
    _ exchange: RecordedExchange
  ) -> (candidate: RequestIndex.Candidate, contract: Contract, parts: RequestParts)? {
    guard let upstream else { return nil }
    let secrets = exchange.secretHeaders.map { HeaderField(name: $0, value: SecretMask.mark) }
    let target = exchange.query.map { "\(exchange.path)?\($0)" } ?? exchange.path
    let parts = RequestParts(
      Request(exchange.method, target, headers: exchange.headers + secrets, body: exchange.body))
    return index.match(parts, in: upstream).map { ($0, $0.contract, parts) }
  }

  /// The difference between the case and the response, in words.
  private func difference(_ served: Case, _ recorded: RecordedRequest.Response) -> String? {
    guard let response = served.response, response.status == recorded.status else {
      return "\"\(served.name)\" has a different status"
    }
    guard served.bodyBytes == recorded.body.bytes else {
      return "\"\(served.name)\" has a different body"
    }
    let headers = RecordedHeaders(of: recorded.samples, baseURL: target.baseURL, mask: mask)
    let sent = Dictionary(grouping: response.headers, by: \.key)
    for (name, values) in headers.fields {
      guard sent[HeaderName(name)]?.map(\.value) == values else {
        return "\"\(served.name)\" has a different header \(name)"
      }
    }
    return nil
  }

  // MARK: - Repeated requests

  /// The live cases that the live API may not respond to the same way again: their requests need a
  /// secret, or had more than one response.
  func unsteadyCases(
    of recorded: RecordedContract, differs: ResponseComparison
  ) -> [String] {
    guard let upstream, let contract = upstream.contract(named: recorded.name) else { return [] }
    return recorded.cases.map(\.name).filter { name in
      guard let served = contract.case(named: name), served.isLive else { return false }
      let number = recorded.requests.indices.first {
        recorded.served[$0]?.first == name
          && canAsk(recorded.requests[$0].exchange, for: served, of: contract)
      }
      // 202 Accepted announces that a different response follows.
      guard let number, served.status != 202 else { return true }
      return recorded.requests[number].foreseen.contains {
        differs(mask.masked($0), served, contract)
      }
    }
  }

  /// Whether `drift` sends the same request for the case.
  private func canAsk(
    _ exchange: RecordedExchange, for served: Case, of contract: Contract
  ) -> Bool {
    guard let upstream, let example = try? contract.exampleRequest(for: served) else {
      return false
    }
    let names = Set(example.headers.map(\.key))
    let asked = Set(
      RequestHeaders.heeded(
        example.headers + upstream.headers.filter { !names.contains($0.key) }))
    let secrets = Set(upstream.secrets.map { $0.header.lowercased() })
    let own = exchange.headers.filter {
      !RequestHeaders.conditional.contains($0.key)
    }
    let isRefusal = served.status == 401 || served.status == 403
    return RecordedExchange.segments(of: example.path) == exchange.segments
      && Self.values(example.query) == Self.values(exchange.query)
      && own.allSatisfy(asked.contains)
      && names.isSubset(of: exchange.headers.map(\.key))
      && secrets.isSuperset(of: exchange.secretHeaders)
      && (!isRefusal || secrets.isSubset(of: exchange.secretHeaders))
  }

  private static func values(_ query: String?) -> [String: [String]] {
    Dictionary(
      PercentEncoding.parameters(of: query ?? "").map { ($0.name, $0.values) },
      uniquingKeysWith: { $0 + $1 })
  }
}
