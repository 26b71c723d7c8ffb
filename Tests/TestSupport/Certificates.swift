package import Foundation

/// Certificates made by openssl for these tests, in a folder that goes with this.
package final class Certificates: Sendable {
  package let folder: URL

  /// The file to trust.
  package var authority: String { folder.appending(path: "authority.pem").path }

  package init() async throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "understudy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await makeSelfSigned("authority", name: "Authority of these tests")
    try await makeSelfSigned("self-signed", name: "localhost")
    try await sign("good", names: "DNS:localhost,IP:127.0.0.1", days: 2)
    try await sign("expired", names: "DNS:localhost,IP:127.0.0.1", days: -1)
    try await sign("wrong-host", names: "DNS:other.example", days: 2)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// When a certificate ends, by openssl.
  package func endUnixSeconds(of name: String) async throws -> Int {
    try await openssl([
      "x509", "-in", "\(name).pem", "-noout", "-enddate", "-dateopt", "iso_8601", "-out",
      "\(name).end",
    ])
    // "notAfter=2026-12-09 12:00:00Z".
    let text = try String(contentsOf: folder.appending(path: "\(name).end"), encoding: .utf8)
    let date = text.dropFirst("notAfter=".count).trimmingCharacters(in: .newlines)
    return Int(
      try Date(date.replacing(" ", with: "T"), strategy: .iso8601).timeIntervalSince1970)
  }

  private static let newKey = [
    "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
  ]

  private func makeSelfSigned(_ file: String, name: String) async throws {
    try await openssl(
      ["req", "-x509"] + Self.newKey + [
        "-keyout", "\(file).key", "-out", "\(file).pem", "-days", "2", "-subj", "/CN=\(name)",
        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
      ])
  }

  private func sign(_ file: String, names: String, days: Int) async throws {
    try await openssl(
      ["req"] + Self.newKey + [
        "-keyout", "\(file).key", "-out", "\(file).csr", "-subj", "/CN=\(file)", "-addext",
        "subjectAltName=\(names)",
      ])
    try await openssl([
      "x509", "-req", "-in", "\(file).csr", "-CA", "authority.pem", "-CAkey", "authority.key",
      "-CAcreateserial", "-out", "\(file).pem", "-days", "\(days)", "-copy_extensions", "copyall",
    ])
  }

  private func openssl(_ arguments: [String]) async throws {
    try await Program.run("openssl", arguments, in: folder.path)
  }
}
