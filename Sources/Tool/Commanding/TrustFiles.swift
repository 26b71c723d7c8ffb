import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySuite
import UnderstudySystem
import UnderstudyTLS

/// The authority of a run, and files by which a command trusts it besides all that it trusts
/// already. They are removed with the last reference.
struct TrustFiles {
  let certificates: ServerCertificates
  /// Of the authority alone.
  let certificateFile: String
  /// Of the authority, and of those that the system trusts.
  let bundleFile: String
  /// The same for Java, which reads no other format.
  let javaStore: String
  /// By name, the environment variables that tell clients of these files.
  let variables: [String: String]
  private let folder: ScratchFolder

  /// Fails when OpenSSL is missing.
  ///
  /// - Parameter hosts: for which the authority may sign besides this machine; `nil` for all.
  init(
    for hosts: [String]?, _ environment: (String) -> String?
  ) throws(Failure) {
    let authority = try TLSAuthority(for: hosts, at: .now)
    certificates = try ServerCertificates(authority)
    folder = try ScratchFolder.orError()
    let (own, all) = ("\(folder.path)/ca.pem", "\(folder.path)/all.pem")
    (certificateFile, bundleFile, javaStore) = (own, all, "\(folder.path)/all.jks")
    let root = FileRoot(folder.path)
    let extra = environment(TrustVariables.adding).flatMap { try? FileRoot.anywhere.read($0) } ?? []
    let bundle = authority.certificatePEM + Self.systemRoots(environment)
    try root.write(authority.certificatePEM + extra, to: own)
    try root.write(bundle, to: all)
    try root.write(try JavaTrustStore(pem: bundle).bytes, to: javaStore)
    variables = TrustVariables.variables(naming: all, andAlone: own)
  }

  private static func systemRoots(_ environment: (String) -> String?) -> [UInt8] {
    let files = [environment("SSL_CERT_FILE")].compactMap(\.self) + HermeticFiles.systemBundles
    return files.lazy.compactMap { try? FileRoot.anywhere.read($0) }.first ?? []
  }
}
