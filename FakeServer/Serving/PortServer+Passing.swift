import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP

extension PortServer {
  /// Passes a request on to a host that no upstream declares, or refuses it.
  ///
  /// - Parameter place: the host with its port.
  func passThrough(
    _ arrival: Arrival, _ head: borrowing RequestHead, to place: String, session: String,
    into output: inout ByteBuffer
  ) -> Reply {
    let incoming = incoming(arrival, head, session: session)
    guard let passThrough = core.configuration.proxy?.passThrough,
      let request = passedRequest(arrival, head, to: place)
    else {
      return write(undeclared(place), to: incoming, because: .undeclared, into: &output)
    }
    var record = record(of: incoming)
    record.reason = .undeclared
    let mark = begin(record, .server("passed through"), incoming)
    return .later(mark: mark) { [context = incoming.context] ticket in
      passThrough.begin(request) { result in
        switch result {
        case .success(let script): ticket.release(script)
        case .failure(let problem):
          var script = problem.response.script(for: context)
          script.status = problem.status
          script.problem = problem.detail
          ticket.release(script)
        }
      }
      return nil
    }
  }

  /// What the host gets; `nil` where it gets nothing.
  private func passedRequest(
    _ arrival: Arrival, _ head: borrowing RequestHead, to place: String
  ) -> PassedRequest? {
    let isTunnel = head.targetForm == .authority
    let isPlain = arrival.text(head.target).lowercased().hasPrefix("http:")
    guard isTunnel || isPlain && !arrival.isSecure, !isDeclared(place),
      let url = WebURL("\(isTunnel ? "https" : "http")://\(place)")
    else { return nil }
    return PassedRequest(
      url: url, authority: place,
      request: isTunnel ? nil : request(arrival, head), isHTTP10: head.minorVersion == 0,
      client: PassedRequest.Client(
        isOnThisMachine: arrival.isFromThisMachine,
        ownPorts: Set(core.listeners.compactMap { $0.port.map(Int.init) })))
  }

  /// Without this server's own token.
  private func request(_ arrival: Arrival, _ head: borrowing RequestHead) -> Request {
    var request = Request(head: arrival.head, head, body: arrival.body)
    if let token = core.configuration.adminToken {
      request.headers.removeAll {
        $0.key == "authorization" && AccessGate.bearer(in: $0.value) == token[...]
      }
    }
    return request
  }

  /// Whether an upstream declares a host's name, though perhaps with another port.
  private func isDeclared(_ place: String) -> Bool {
    var name = WebURL.host(of: place.lowercased()[...])
    if name.hasSuffix(".") { name.removeLast() }
    let host = NetworkHost(name)
    // The ports of a machine are different APIs.
    guard host.address == nil, !host.isLoopback else { return false }
    return core.layer.upstreams.contains { $0.hostNames.contains { NetworkHost($0) == host } }
  }
}
