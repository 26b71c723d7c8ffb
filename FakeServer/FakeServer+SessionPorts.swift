import Synchronization
package import UnderstudyContractModel
package import UnderstudySystem

/// A port for the clients of one session, whose cases may break their TLS handshakes.
package struct SessionPort: Sendable {
  let origin: Origin
  let session: String
  fileprivate let listener: ServerCore.ListenerID

  /// `https://127.0.0.1:41234/~session`; the main session has no name.
  package var url: String { session.isEmpty ? "\(origin)" : "\(origin)/~\(session)" }
}

extension FakeServer {
  /// Opens a port on which handshakes belong to this session. Fails where no port is free.
  package func openPort(session name: String) async throws(SystemError) -> SessionPort {
    let listening = try Socket.listen(
      on: SocketAddress(host: core.address.local.host, port: 0))
    let address = SocketAddress(host: core.address.local.host, port: listening.port)
    let session = core.session(named: name)
    guard let loop = core.listeners.randomElement()?.loop,
      let number = await loop.ask({ [core] loop in
        let server = PortServer(authority: "\(address)", ownSession: session, core: core)
        return loop.listen(server.listener(listening.descriptor))
      })
    else {
      Socket.close(listening.descriptor)
      throw SystemError(.addressNotAvailable, attempt: "listen on a server that is closed")
    }
    let listener = ServerCore.ListenerID(
      loop: loop, number: number, port: listening.port, ownSession: session)
    core.add(listener)
    return SessionPort(
      origin: Origin(
        isSecure: core.configuration.certificates != nil, authority: "\(address)"),
      session: name, listener: listener)
  }

  /// Closes a port. The request log keeps its requests.
  package func close(_ port: SessionPort) async {
    _ = await port.listener.loop.ask { $0.leave(port.listener.number) }
    core.remove(port.listener)
  }

  /// The base URL for clients of one upstream that use this port.
  package func baseURL(of upstream: Upstream, at port: SessionPort) -> String {
    core.baseURL(of: upstream, at: port.origin, session: port.session)
  }

  /// How many handshakes the cases of a session have broken.
  package func brokenHandshakeCount(session name: String) -> Int {
    core.session(named: name).brokenHandshakeCount.load(ordering: .relaxed)
  }
}
