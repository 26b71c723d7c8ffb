import UnderstudyCore
import UnderstudyJSON
import UnderstudySystem
import UnderstudyTLS

extension PortServer {
  func greeting(for name: String?, on descriptor: Int32) -> TLSGreeting {
    guard let certificates = core.configuration.certificates, let hosts = hosts(name, descriptor),
      let identity = certificates.identity(for: hosts, at: .now)
    else { return .refuse }
    return .show(identity)
  }

  /// The hosts that a certificate for a client names; `nil` for a client that asks for another.
  private func hosts(_ name: String?, _ descriptor: Int32) -> [String]? {
    if let name {
      let host = NetworkHost(name)
      if host.address == nil, !host.isLoopback {
        return core.layer.knows(host: host.text) ? [host.text] : nil
      }
      if host.isLoopback, host.address == nil, host.text != "localhost" { return [host.text] }
    }
    let own = ["localhost", "127.0.0.1", "::1"]
    guard let reached = Socket.localHost(of: descriptor), !NetworkHost(reached).isLoopback else {
      return own
    }
    return own + [reached]
  }

  func handshakeFailed(_ reason: String, serverName: String?, at time: Moment) {
    let name = serverName.map { " for \($0.quotedAndCut)" } ?? ""
    let record = JournalRecord(sequence: 0, receivedAt: time)
    reporter?.add(
      Exchange(
        record, method: "", target: "", .server("a client failed to begin TLS\(name): \(reason)")))
  }
}
