import UnderstudyCore
package import UnderstudySystem

extension SocketAddress {
  /// Whether only programs on this machine can reach it.
  package var isLoopback: Bool { NetworkHost(host).isLoopback }

  /// This port on the host that a client used in `authority`.
  func reached(by authority: String) -> String {
    isWildcard ? "\(WebURL.host(of: authority[...])):\(port)" : description
  }
}

extension Arrival {
  /// Whether the client is on this machine.
  var isFromThisMachine: Bool {
    Socket.peerHost(of: connection).map { NetworkHost($0).isLoopback } ?? false
  }
}
