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
    let authority = try TLSAuthority(for: hosts, at: .now)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem")
    try Data(authority.certificatePEM).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let certificates = try ServerCertificates(authority)
    try await SmallServer.with(files) { configuration in
      configuration.certificates = certificates
      configure(&configuration)
    } _: { server in
      var client = CurlConfiguration()
      client.trustFile = file.path
      client.ignoresProxies = true
      let transport = CurlTransport(client)
      try await test(
        SecureServer(server: server, transport: transport, trustFile: file.path))
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

  func get(_ path: String, host: String = "localhost") async throws -> ClientResponse {
    try await transport.send(ClientRequest(url: "https://\(host):\(port)\(path)"))
  }
}
