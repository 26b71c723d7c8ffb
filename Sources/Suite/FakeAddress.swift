import UnderstudyContractModel
package import UnderstudyFakeServer

/// Where the clients of one session reach a fake: by HTTP, or by TLS on a port of their own.
package struct FakeAddress: Sendable {
  let server: FakeServer
  /// The main one if it is empty.
  let session: String
  /// A port of this session, and the file of the certificate that its clients are to trust.
  let secure: (port: SessionPort, trustFile: String)?

  package init(
    _ server: FakeServer, session: String = "",
    secure: (port: SessionPort, trustFile: String)? = nil
  ) {
    (self.server, self.session, self.secure) = (server, session, secure)
  }

  /// The address of all upstreams: `http://127.0.0.1:41234/~session`
  var url: String {
    secure?.port.url ?? server.url + (session.isEmpty ? "" : "/~\(session)")
  }

  func baseURL(of upstream: Upstream) -> String {
    secure.map { server.baseURL(of: upstream, at: $0.port) }
      ?? server.baseURL(of: upstream, session: session)
  }

  /// Variables with which clients of most languages trust the fake, and nobody else.
  var trustVariables: [String: String] {
    guard let file = secure?.trustFile else { return [:] }
    return TrustVariables.variables(naming: file, andAlone: file)
  }
}
