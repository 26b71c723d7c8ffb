import Synchronization
package import UnderstudyContractModel
import UnderstudyCore

extension ServerCore {
  /// Lets connected clients of TLS begin anew if their handshakes would break now.
  ///
  /// - Parameters:
  ///   - session: whose cases have changed.
  ///   - contracts: those that they belong to.
  ///   - then: called on any thread, once idle clients are disconnected.
  func handshakesChanged(
    of session: Session, by contracts: [Contract], then: @escaping @Sendable () -> Void = {}
  ) {
    guard configuration.certificates != nil, session.breaksHandshake(of: contracts) else {
      return then()
    }
    session.changeHandshakes()
    let concerned = listeners.filter {
      configuration.proxy != nil || ($0.ownSession ?? mainSession) === session
    }
    let done = ResponseCollector<Void>(count: concerned.count) { _ in then() }
    for listener in concerned {
      let isPosted = listener.loop.mailbox.post { loop in
        loop.closeIdleTLS(of: listener.number)
        done.add(nil)
      }
      if !isPosted { done.add(nil) }
    }
  }

  /// Why no connection can meet the fault of a case; `nil` where one can.
  func refusal(of caseName: String, of contract: Contract, for session: Session)
    -> HandshakeRefusal?
  {
    guard let fault = contract.case(named: caseName)?.fault, fault.needsTLS else { return nil }
    if configuration.certificates == nil { return .noTLS(fault) }
    guard fault.isInHandshake, configuration.proxy == nil else { return nil }
    if session !== mainSession { return .session(fault) }
    let upstream = layer.upstream(named: contract.upstreamName)
    let isKnown = hasOwnPort(contract.upstreamName) || upstream?.isKnownByHost == true
    return isKnown ? nil : .sharedPort(fault)
  }
}

extension Upstream {
  /// Whether clients of a port that all upstreams share may name its host.
  fileprivate var isKnownByHost: Bool { !hosts.isEmpty || baseURL?.isBareAddress == false }
}

/// Why no connection can meet a fault of TLS.
package enum HandshakeRefusal: Sendable {
  case noTLS(Fault), session(Fault), sharedPort(Fault)

  package var message: String {
    switch self {
    case .noTLS(let fault): "\(fault.rawValue) needs TLS, which this server does not speak"
    case .session(let fault):
      "\(fault.rawValue) breaks the handshake, before a request can name its session"
    case .sharedPort(let fault):
      "\(fault.rawValue) breaks the handshake, before a request can name its upstream"
    }
  }

  package var fix: String {
    switch self {
    case .noTLS: "start it with --proxy, or with --tls and --ports"
    case .session: "choose it without a session, or start the server with --proxy"
    case .sharedPort:
      "start the server with --ports, and use the upstream's own port, or with --proxy"
    }
  }
}
