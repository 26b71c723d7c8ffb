package import UnderstudyClient
package import UnderstudyContractModel
import UnderstudyCore

extension PlannedCase {
  /// The contract's own request to the live API.
  func exampleRequest() throws(MissingExample) -> ClientRequest {
    upstream.request(
      try contract.exampleRequest(for: served, besides: upstream.secrets.map(\.name)))
  }

  /// Whether a fake would serve the case for a request while the case is forced.
  func isServed(for exchange: LiveExchange, _ index: RequestIndex) -> Bool {
    guard exchange.upstream == upstream.name else { return false }
    let parts = RequestParts(exchange)
    guard let match = index.match(parts, in: upstream.upstream, serves: { _, _ in true }),
      match.contract.id == contract.id,
      let forced = match.contract.caseIndex(named: served.name)
    else { return false }
    return match.contract.serves(
      forced: forced, count: 1, meets: { parts.meets($0, in: match.template) },
      stateHolds: { $0.state.allSatisfy { $0.value.acceptsAbsence } })
  }

  /// Whether a request belongs to the case: the fake would serve the case for it, and it has the
  /// path and other parts of the case's own request.
  func isAbout(_ exchange: LiveExchange, _ index: RequestIndex) -> Bool {
    guard exchange.upstream == upstream.name else { return false }
    let parts = RequestParts(exchange)
    guard let match = index.match(parts, in: upstream.upstream),
      match.contract.id == contract.id, match.unsteeredCase(for: parts)?.name == served.name,
      let example = try? contract.exampleRequest(for: served)
    else { return false }
    let exampleParts = RequestParts(example)
    if let first = contract.request.paths.first, match.template == first {
      let names = first.parameterNames
      guard
        names.allSatisfy({
          parts.pathValue($0, in: first) == exampleParts.pathValue($0, in: first)
        })
      else { return false }
    }
    return (served.live?.parameters ?? []).allSatisfy { parameter in
      let name = String(parameter.key.drop { $0 != "." }.dropFirst())
      if parameter.key.hasPrefix("query.") {
        return parts.queryValues(name).contains(parameter.value)
      }
      if parameter.key.hasPrefix("header.") {
        return parts.headerValues(name.lowercased()).contains(parameter.value)
      }
      return parts.pathValue(name, in: match.template) == parameter.value
    }
  }
}

extension LiveUpstream {
  /// The contract's request as sent to this upstream, without secrets.
  package func request(_ example: Request) -> ClientRequest {
    let path = example.path == "/" && !baseURL.path.isEmpty ? "" : example.path
    var request = ClientRequest(
      HTTPMethod(rawValue: example.method),
      url: baseURL.description + path + (example.query.map { "?\($0)" } ?? ""))
    for field in headers + example.headers { request.headers[field.name] = field.value }
    if !example.body.isEmpty {
      request.body = example.body
      if request.headers["Content-Type"] == nil {
        request.headers.append("Content-Type", "application/json")
      }
    }
    return request
  }
}

extension RequestParts {
  convenience init(_ exchange: LiveExchange) { self.init(Request(exchange)) }
}

extension Request {
  init(_ exchange: LiveExchange) {
    self.init(exchange.request, method: exchange.method, target: exchange.target)
  }

  /// A request as it is sent, relative to an upstream.
  init(_ request: ClientRequest, method: String, target: String) {
    self.init(
      method, target,
      headers: request.headers.fields.map { HeaderField(name: $0.name, value: $0.value) },
      body: request.body ?? [])
  }
}
