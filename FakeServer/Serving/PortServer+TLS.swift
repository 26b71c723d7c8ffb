import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySystem
import UnderstudyTLS

extension PortServer {
  func greeting(for name: String?, on descriptor: Int32) -> TLSGreeting {
    guard let certificates = core.configuration.certificates, let hosts = hosts(name, descriptor)
    else {
      if standsForHosts { refusedHost = name ?? Socket.localHost(of: descriptor) }
      return .refuse
    }
    return greeting(certificates, for: hosts, handshakeBreak(for: name))
  }

  /// What a client is shown: a certificate for these hosts, unless a case breaks the handshake.
  func greeting(
    _ certificates: ServerCertificates, for hosts: [String], _ found: HandshakeBreak?
  ) -> TLSGreeting {
    if let found {
      noteOfTLS("\(found.served) breaks the handshake")
      return certificates.greeting(with: found.fault, for: hosts, at: .now)
    }
    return certificates.identity(for: hosts, at: .now).map(TLSGreeting.show) ?? .refuseUnsigned
  }

  /// The case that breaks the handshake of a client that asks for this name.
  func handshakeBreak(for name: String?, in tunnel: Tunnel? = nil) -> HandshakeBreak? {
    let session = handshakeSession(in: tunnel)
    return session.breakHandshake(
      of: upstreams(for: name, session, in: tunnel).lazy.flatMap(\.contracts))
  }

  func breaksHandshake(for name: String?, in tunnel: Tunnel?) -> Bool {
    let session = handshakeSession(in: tunnel)
    return session.breaksHandshake(
      of: upstreams(for: name, session, in: tunnel).lazy.flatMap(\.contracts))
  }

  /// The upstreams whose cases may break the handshake of a client that asks for this name.
  private func upstreams(
    for name: String?, _ session: Session, in tunnel: Tunnel?
  ) -> [Upstream] {
    guard session.isSteered else { return [] }
    let layer = core.layer
    if let tunnel { return layer.upstreams(ofHost: tunnel.authority) }
    if ownSession != nil { return layer.upstreams }
    return upstreamName.map { name in layer.upstreams.filter { $0.name == name } }
      ?? name.map { layer.upstreams(ofHost: $0) } ?? []
  }

  /// The hosts that a certificate for a client names; `nil` for a client that asks for another.
  private func hosts(_ name: String?, _ descriptor: Int32) -> [String]? {
    if let name {
      let host = NetworkHost(name)
      if host.address == nil, !host.isLoopback {
        return knows(host: host.text) ? [host.text] : nil
      }
      if host.isLoopback, host.address == nil, host.text != "localhost" { return [host.text] }
    }
    let own = ServerCertificates.ownHosts
    if standsForHosts, let reached = Socket.localHost(of: descriptor),
      !NetworkHost(reached).isLoopback
    {
      return knows(host: reached) ? [reached] : nil
    }
    guard !isLoopback, let reached = Socket.localHost(of: descriptor),
      !NetworkHost(reached).isLoopback
    else {
      return own
    }
    return own + [reached]
  }

  /// Whether clients may ask for this host; a proxy that names hosts itself decides by the URL.
  private func knows(host: String) -> Bool {
    core.layer.knows(host: host) || core.configuration.proxy?.name != nil
  }

  /// The session whose cases break the handshakes on this port.
  func handshakeSession(in tunnel: Tunnel?) -> Session {
    tunnel.map { core.session(named: $0.session) } ?? ownSession ?? mainSession
  }

  func handshakeNumber(in tunnel: Tunnel?) -> Int {
    handshakeSession(in: tunnel).handshakeNumber
  }

  /// Lets clients of TLS begin anew after a request of a script, if its next step breaks handshakes.
  func beginAnew(after incoming: inout IncomingRequest, by contract: Contract) {
    guard speaksTLS, incoming.session.breaksHandshake(of: [contract]) else { return }
    core.handshakesChanged(of: incoming.session, by: [contract])
    if incoming.arrival.isSecure, incoming.session === handshakeSession(in: incoming.arrival.tunnel)
    {
      incoming.context.wish = .close
    }
  }

  func handshakeFailed(_ reason: String, serverName: String?) {
    if let refusedHost {
      self.refusedHost = nil
      return noteOfTLS(undeclared(refusedHost).detail)
    }
    let name = serverName.map { " for \($0.quotedAndCut)" } ?? ""
    noteOfTLS("a client failed to begin TLS\(name): \(reason)")
  }

  private func noteOfTLS(_ words: String) {
    let record = JournalRecord(sequence: 0, receivedAt: .now)
    reporter?.add(Exchange(record, method: "", target: "", .server(words)))
  }
}
