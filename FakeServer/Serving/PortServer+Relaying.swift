import UnderstudyContractModel

extension PortServer {
  /// Passes a request on, and its answer to the client when it is there, or refuses to; `nil` when
  /// it is to be answered here.
  ///
  /// - Parameter contract: the one that answers it otherwise.
  func relay(
    _ incoming: IncomingRequest, insteadOf contract: Contract? = nil,
    into output: inout ByteBuffer
  ) -> Reply? {
    guard let relay = core.configuration.relay,
      let relayed = relay.request(incoming.request, incoming.route)
    else { return nil }
    if let contract, !relay.takes(relayed, contract) { return nil }
    do throws(AccessGate.Refusal) {
      try gate(to: relay).check(incoming.request)
    } catch {
      return write(.notRelayed(error, authority: authority), to: incoming, into: &output)
    }
    let source = Exchange.Source.server("answered by \(relayed.upstreamName) itself")
    let mark = begin(record(of: incoming), source, incoming)
    return .later(mark: mark) { [context = incoming.context, request = incoming.request] ticket in
      relay.ask(relayed) { answer in
        let script = answer.script(for: context, to: request)
        ticket.release(LateAnswer(script: script, status: answer.status))
      }
    }
  }

  /// Any page could send requests to a live API otherwise, with whatever the client's browser adds,
  /// and where others can reach the server, any of them.
  private func gate(to relay: Relay) -> AccessGate {
    let index = core.library.index
    return AccessGate(
      authority: authority, isLoopback: core.configuration.address.isLoopback,
      needsToken: !core.configuration.address.isLoopback, token: core.configuration.adminToken,
      allowedOrigins: core.configuration.allowedOrigins,
      admitsHost: {
        SocketAddress.isLoopback(authority: $0) || index.knows(host: $0) || relay.knows(host: $0)
      })
  }
}
