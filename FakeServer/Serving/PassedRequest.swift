import UnderstudyContractModel
import UnderstudyCore
import UnderstudySystem

/// What a client of a proxy asks a host that no upstream declares.
struct PassedRequest: Sendable {
  /// The host and its port; and the path, unless the client speaks to the host itself.
  let url: WebURL
  /// As sent, with its port.
  let authority: String
  /// `nil` where the client wants a connection.
  let request: Request?
  /// Whether it is in HTTP/1.0.
  let isHTTP10: Bool
  let client: Client

  /// Who asks a server.
  struct Client: Sendable {
    let isOnThisMachine: Bool
    /// The ports of the server.
    let ownPorts: Set<Int>

    /// Why nobody is connected to an address and a port; `nil` where they are.
    ///
    /// - Parameter isParent: whether it is that of a proxy of the user.
    func refusal(of address: IPAddress, _ port: Int, isParent: Bool = false) -> String? {
      let isLocal =
        address.isLoopback || Socket.localHosts.contains { NetworkHost($0).address == address }
      if isLocal, ownPorts.contains(port) { return "\(address):\(port) is this server itself" }
      if isParent { return nil }
      if address.isClosedToRedirects { return address.refusalOfRedirect }
      return address.isLoopback && !isOnThisMachine
        ? "\(address) is only for clients on this machine" : nil
    }
  }

  var isTunnel: Bool { request == nil }

  /// Without brackets.
  var host: String { NetworkHost(url.host).text }

  var port: Int { url.port ?? (url.scheme == "https" ? 443 : 80) }

  /// The request as it is sent on, for one response.
  ///
  /// - Parameter parent: the proxy that gets it; `nil` for the host itself.
  func bytes(by parent: PassThrough.Parent?) -> [UInt8]? {
    guard let request else {
      return parent.map { parent in
        Self.head(["CONNECT \(authority) HTTP/1.1", "Host: \(authority)"], to: parent)
      }
    }
    let query = request.query.map { "?\($0)" } ?? ""
    let place = parent == nil ? "" : url.origin.text
    var lines = ["\(request.method) \(place)\(request.path)\(query) HTTP/1.\(isHTTP10 ? 0 : 1)"]
    // RFC 9112, section 3.2.2: the target says which host is meant, whatever the field says.
    lines.append("Host: \(url.authority)")
    lines += request.headers.filter { !isLeft($0.key) }.map { "\($0.name): \($0.value)" }
    let hasBody = request.headers.contains {
      $0.key == "content-length" || $0.key == "transfer-encoding"
    }
    if hasBody { lines.append("Content-Length: \(request.body.count)") }
    lines.append("Connection: close")
    return Self.head(lines, to: parent) + request.body
  }

  private static func head(_ lines: [String], to parent: PassThrough.Parent?) -> [UInt8] {
    let authorization = parent?.authorization.map { ["Proxy-Authorization: \($0)"] } ?? []
    return (lines + authorization).reduce(into: []) { $0 += "\($1)\r\n".utf8 } + "\r\n".utf8
  }

  /// Whether a field is for this server alone, or for this connection.
  private func isLeft(_ name: HeaderName) -> Bool {
    let named = request?.values(of: "connection").flatMap { $0.split(separator: ",") } ?? []
    return HeaderName.ofConnection.contains(name) || Self.own.contains(name)
      || named.contains { HeaderName($0.filter { $0 != " " }) == name }
  }

  private static let own: Set<HeaderName> = [
    "host", "expect", "proxy-authorization", AccessGate.tokenName,
  ]
}
