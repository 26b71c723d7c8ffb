package import UnderstudyCore
import UnderstudySystem
package import UnderstudyTLS

/// Files by which other programs trust an authority besides all that they trust already, and use
/// the fake as their proxy. They are removed with the last reference.
package struct ClientFiles: Sendable {
  package let certificates: ServerCertificates
  private let folder: ScratchFolder

  /// Of the authority alone, and of what the user adds to it for Node.
  package var certificateFile: String { "\(folder.path)/ca.pem" }
  /// Of the authority, and of those that the system trusts.
  package var bundleFile: String { "\(folder.path)/all.pem" }
  /// The same for Java, which reads no other format.
  package var javaStore: String { "\(folder.path)/all.jks" }
  /// By which clients in Node use a proxy.
  var nodeModule: String { "\(folder.path)/proxy.cjs" }

  /// Files for an authority that is made for them. Fails when OpenSSL is missing.
  ///
  /// - Parameter hosts: for which it may sign besides this machine; `nil` for all.
  package init(
    for hosts: [String]?, _ environment: (String) -> String?
  ) throws(Failure) {
    try self.init(of: TLSAuthority(for: hosts, at: .now), environment)
  }

  package init(
    of authority: TLSAuthority, _ environment: (String) -> String?
  ) throws(Failure) {
    certificates = try ServerCertificates(authority)
    folder = try ScratchFolder.orError()
    let root = FileRoot(folder.path)
    let extra = environment(TrustVariables.adding).flatMap { try? FileRoot.anywhere.read($0) } ?? []
    let bundle = authority.certificatePEM + Self.systemRoots(environment)
    try root.write(authority.certificatePEM + extra, to: certificateFile)
    try root.write(bundle, to: bundleFile)
    try root.write(try JavaTrustStore(pem: bundle).bytes, to: javaStore)
    try root.write(Array(NodeProxy.text.utf8), to: nodeModule)
  }

  /// By name, the environment variables by which clients trust the authority.
  package var trustVariables: [String: String] {
    TrustVariables.variables(naming: bundleFile, andAlone: certificateFile)
  }

  /// Removes them now.
  package func remove() { folder.remove() }

  /// Where systems have the certificates that clients trust.
  package static let systemBundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ]

  private static func systemRoots(_ environment: (String) -> String?) -> [UInt8] {
    let files = [environment("SSL_CERT_FILE")].compactMap(\.self) + systemBundles
    return files.lazy.compactMap { try? FileRoot.anywhere.read($0) }.first ?? []
  }
}
