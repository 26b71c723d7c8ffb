import UnderstudyTLS

/// The host that a client asked for by `CONNECT`, or in its request to a proxy, and as whom.
///
/// All that follows on a connection with a tunnel is for that host.
final class Tunnel: TLSGreeter {
  /// With its port, as the client wrote it.
  let authority: String
  /// Without its port.
  let host: String
  /// The name of the client's session; empty for the main one.
  let session: String
  private let handler: any RequestHandler

  init(to authority: String, host: String, session: String, handler: any RequestHandler) {
    self.authority = authority
    self.host = host
    self.session = session
    self.handler = handler
  }

  func greeting(for name: String?, on descriptor: Int32) -> TLSGreeting {
    handler.greeting(for: name ?? host, in: self)
  }
}
