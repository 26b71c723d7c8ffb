import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudyTLS

/// A request to a host in between, with the path that it would have if the client had used the
/// server's own address.
struct ProxiedRequest: ~Copyable {
  /// Its head is that of `bytes`.
  var head: RequestHead
  private(set) var bytes: [UInt8] = []

  init(limits: MessageLimits) { head = RequestHead(limits: limits) }

  /// Puts the names of a session and an upstream before a request's path, and leaves out what was
  /// for the proxy. Fails where the request is then too long.
  mutating func read(
    _ arrival: Arrival, _ original: borrowing RequestHead, session: String, upstream: String,
    host: String
  ) throws(Refusal) {
    bytes.removeAll(keepingCapacity: true)
    bytes += arrival.bytes(original.method)
    bytes += " ".utf8
    if !session.isEmpty { bytes += "/~\(PercentEncoding.encode(session))".utf8 }
    bytes += "/\(upstream)".utf8
    bytes += original.path.isEmpty ? Array("/".utf8) : Array(arrival.bytes(original.path))
    if let query = original.query { bytes += Array("?".utf8) + arrival.bytes(query) }
    bytes += " HTTP/1.\(original.minorVersion)\r\n".utf8
    if original.value(of: "host", in: arrival.head) == nil { bytes += "Host: \(host)\r\n".utf8 }
    for field in original.fields where !Self.isForProxy(arrival.text(field.name)) {
      bytes += arrival.bytes(field.name)
      bytes += ": ".utf8
      bytes += arrival.bytes(field.value)
      bytes += "\r\n".utf8
    }
    bytes += "\r\n".utf8
    var scanned = 0
    let parsed = bytes.withUnsafeBytes { head.parse($0, scanned: &scanned) }
    if case .malformed(let refusal) = parsed { throw refusal }
  }

  private static func isForProxy(_ name: String) -> Bool {
    ["proxy-authorization", "proxy-connection"].contains(name.lowercased())
  }
}

extension PortServer {
  /// Responds to a request that a client sent to a proxy, or to a live API of which this is the
  /// port; `nil` for one to the server itself.
  func responseInBetween(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply? {
    if let tunnel = arrival.tunnel ?? (standsForHosts ? tunnelToHost(of: arrival, head) : nil) {
      switch head.targetForm {
      case .authority:
        return write(.tunnelInTunnel, to: incoming(arrival, head), into: &output)
      // Of all servers, not of a path.
      case .asterisk: return nil
      case .origin, .absolute: return respond(arrival, head, in: tunnel, into: &output)
      }
    }
    switch head.targetForm {
    case .origin, .asterisk: return nil
    case .absolute:
      guard isProxy, !isOwn(arrival.text(head.authority)) else { return nil }
    case .authority:
      guard isProxy else { return write(.notAProxy, to: incoming(arrival, head), into: &output) }
    }
    do throws(Problem) {
      let destination = try destination(of: arrival, head)
      if head.targetForm == .authority {
        guard case .none = head.body else { throw .bodyOfConnect }
        guard !arrival.isSecure else { throw .tunnelInTLS }
      }
      switch (destination, head.targetForm) {
      case (.elsewhere(let place, let session), _):
        return passThrough(arrival, head, to: place, session: session, into: &output)
      case (.here(let tunnel), .authority):
        output.append("HTTP/1.1 200 Connection established\r\n\r\n")
        return .connected(tunnel)
      case (.here(let tunnel), _):
        return tunnel.map { respond(arrival, head, in: $0, into: &output) }
      }
    } catch {
      return write(error, to: incoming(arrival, head), into: &output)
    }
  }

  /// Where a client of a proxy leads to.
  private enum Destination {
    /// To an upstream; without a tunnel, to the server itself.
    case here(Tunnel?)
    /// To a host and port that no upstream declares, as one of the clients of a session.
    case elsewhere(String, session: String)
  }

  private func tunnelToHost(of arrival: Arrival, _ head: borrowing RequestHead) -> Tunnel {
    let port =
      head.host.count < head.authority.count ? "" : arrival.isSecure ? ":443" : ":80"
    return Tunnel(
      to: arrival.text(head.authority) + port, host: arrival.text(head.host).lowercased(),
      session: "",
      handler: self)
  }

  private func destination(
    of arrival: Arrival, _ head: borrowing RequestHead
  ) throws(Problem) -> Destination {
    let credentials = ProxyCredentials(head, in: arrival.head)
    if !isLoopback {
      guard let credentials, let token = core.configuration.adminToken,
        AccessGate.areSame(credentials.password[...], token)
      else { throw .proxyNeedsToken }
    }
    var authority = arrival.text(head.authority)
    if isOwn(authority) { return .here(nil) }
    if head.host.count == head.authority.count {
      authority += arrival.text(head.target).lowercased().hasPrefix("https:") ? ":443" : ":80"
    }
    let configuration = core.configuration
    let session = credentials?.user ?? ""
    guard
      core.layer.knows(place: authority) || configuration.relay?.knows(host: authority) == true
        || configuration.proxy?.name != nil
    else {
      return .elsewhere(authority, session: session)
    }
    return .here(
      Tunnel(
        to: authority, host: arrival.text(head.host).lowercased(), session: session, handler: self))
  }

  /// Serves a request as if the client had used the path prefix of the upstream.
  private func respond(
    _ arrival: Arrival, _ head: borrowing RequestHead, in tunnel: Tunnel,
    into output: inout ByteBuffer
  ) -> Reply {
    guard let upstream = upstreamName(for: arrival, head, in: tunnel) else {
      return write(
        undeclared(tunnel.authority), to: incoming(arrival, head, session: tunnel.session),
        because: .undeclared, into: &output)
    }
    do throws(Refusal) {
      try proxied.read(
        arrival, head, session: tunnel.session, upstream: upstream, host: tunnel.authority)
    } catch {
      return write(.refused(error), to: incoming(arrival, head), into: &output)
    }
    return proxied.bytes.withUnsafeBytes { bytes in
      // SAFETY: the bytes stay in place until the request is served, as the loop's do.
      let arrival = Arrival(
        head: bytes, body: arrival.body, receivedAt: arrival.receivedAt, isLast: arrival.isLast,
        connection: arrival.connection, isSecure: arrival.isSecure, tunnel: tunnel)
      return responseHere(arrival, proxied.head, into: &output)
    }
  }

  private func upstreamName(
    for arrival: Arrival, _ head: borrowing RequestHead, in tunnel: Tunnel
  ) -> String? {
    let path = arrival.text(head.path)
    if let name = core.layer.upstreamName(at: tunnel.authority, path: path) { return name }
    let isSecure =
      head.targetForm == .absolute
      ? arrival.text(head.target).lowercased().hasPrefix("https:") : arrival.isSecure
    guard let origin = WebURL("\(isSecure ? "https" : "http")://\(tunnel.authority)") else {
      return nil
    }
    let url = WebURL(scheme: origin.scheme, host: origin.host, port: origin.port, path: path)
    return core.configuration.relay?.upstreamName(of: url) ?? core.configuration.proxy?.name?(url)
  }

  func incoming(
    _ arrival: Arrival, _ head: borrowing RequestHead, session: String = ""
  ) -> IncomingRequest {
    IncomingRequest(
      arrival, head, session: core.session(named: session),
      context: ServingContext(arrival, head, at: moment, namesCase: namesCases))
  }

  /// What is wrong with a host that no upstream has.
  func undeclared(_ authority: String) -> Problem {
    let port = [":443", ":80"].first(where: authority.hasSuffix) ?? ""
    return .undeclared(
      String(authority.dropLast(port.count)), known: core.layer.upstreams,
      fix: UndeclaredHost.fix(isHermetic: standsForHosts))
  }

  /// Whether a client that asks a proxy for this host and port means this server.
  private func isOwn(_ authority: String) -> Bool {
    AccessGate(
      origin: Origin(isSecure: false, authority: self.authority), isLoopback: isLoopback,
      needsToken: false, token: nil
    ).isOurs(authority)
  }

  func greeting(for name: String, in tunnel: Tunnel) -> TLSGreeting {
    guard let certificates = core.configuration.certificates else { return .refuse }
    return greeting(certificates, for: [name], handshakeBreak(for: name, in: tunnel))
  }
}

extension Problem {
  fileprivate static let notAProxy = Self(
    status: 501, title: "This server is not a proxy", detail: "found CONNECT, expected a request",
    fix: "start it with --proxy, or give the client the address of an upstream")

  fileprivate static let tunnelInTunnel = Self(
    status: 501, title: "This server connects no further",
    detail: "found CONNECT on a connection that leads to another host already")

  fileprivate static let tunnelInTLS = Self(
    status: 501, title: "This server connects no further",
    detail: "found CONNECT on an encrypted connection to the proxy",
    fix: "let the address of the proxy begin with http://; what passes through is encrypted")

  fileprivate static let bodyOfConnect = Self(
    status: 400, title: "The request is malformed", detail: "found CONNECT with a body")

  fileprivate static let proxyNeedsToken = Self(
    status: 407, title: "The proxy needs the admin token",
    detail: "no valid token, which is required when others can reach the server",
    fix: "give clients the address http://:TOKEN@HOST:PORT",
    headers: [HeaderField(name: "Proxy-Authenticate", value: "Basic realm=\"understudy\"")])

  fileprivate static func undeclared(
    _ authority: String, known upstreams: [Upstream], fix: String
  ) -> Self {
    let hosts = upstreams.flatMap(\.ownPlaces).map(\.shown)
    let suggestion = Spelling.suggestion(for: authority, among: hosts).map { ": \($0)" } ?? ""
    return Self(
      status: 502, title: "No upstream declares this host",
      detail: "\(authority.quotedAndCut) is the host of no upstream\(suggestion)",
      fix: fix)
  }
}
