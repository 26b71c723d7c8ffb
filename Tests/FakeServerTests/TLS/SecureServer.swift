import Foundation
import UnderstudyClient
import UnderstudyCore
import UnderstudyTLS
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// A server of contracts that stand here, reached by HTTPS, and what its clients trust.
struct SecureServer {
  let server: FakeServer
  let transport: CurlTransport
  /// The file of the authority's certificate.
  let trustFile: String

  var port: UInt16 { server.address.port }

  static func with(
    _ files: [String: String] = SmallServer.files, hosts: [String] = [],
    _ configure: (inout ServerConfiguration) -> Void = { _ in },
    _ test: (SecureServer) async throws -> Void
  ) async throws {
    let authority = try RunAuthority(for: hosts)
    try await SmallServer.with(files) { configuration in
      configuration.certificates = authority.certificates
      configure(&configuration)
    } _: { server in
      var client = CurlConfiguration()
      client.trustFile = authority.trustFile
      client.ignoresProxies = true
      let transport = CurlTransport(client)
      try await test(
        SecureServer(server: server, transport: transport, trustFile: authority.trustFile))
      await transport.close()
    }
  }

  /// What `openssl s_client` shows of a connection on which it says these lines.
  ///
  /// - Parameter options: besides those that name the server.
  func openssl(_ options: String, _ lines: [String] = []) async throws -> String {
    let input = lines.map { "\($0)\\r\\n" }.joined()
    return try await Program.output(
      of: "printf '\(input)' | openssl s_client -connect 127.0.0.1:\(port) -CAfile \(trustFile)"
        + " \(options) 2>&1")
  }

  /// What lines of Python print, one at a time. `connect` makes a connection that is used again for
  /// as long as the server lets it be; `get` prints the status and whether it is kept.
  func python(_ lines: String) async throws -> [String] {
    let known = """
      import http.client, json, socket, ssl
      trust = ssl.create_default_context(cafile="\(trustFile)")
      api = "/__understudy"
      failures = (OSError, http.client.HTTPException)
      def connect(port=\(port)):
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=20, context=trust)
        connection.connect()
        connection.auto_open = 0
        return connection
      def show(response):
        response.read()
        print(response.status, response.headers.get("Connection", "kept"))
      def get(connection, path, method="GET", body=None):
        try:
          connection.request(method, path, body)
          show(connection.getresponse())
        except failures: print("lost")
      def admin(path, method="GET", body=None):
        connection = connect()
        connection.request(method, api + path, body and json.dumps(body))
        return json.loads(connection.getresponse().read() or "null")

      """
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/client.py"
    try (known + lines).write(toFile: file, atomically: true, encoding: .utf8)
    let text = try await Program.output(of: "python3 '\(file)' 2>&1")
    return text.split(separator: "\n").map(String.init)
  }

  func get(_ path: String, host: String = "localhost") async throws -> ClientResponse {
    try await transport.send(ClientRequest(url: "https://\(host):\(port)\(path)"))
  }
}
