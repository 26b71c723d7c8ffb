import UnderstudyCore
import UnderstudySystem
import UnderstudyTLS

/// Files by which a command trusts the authority of its run, besides all that it trusts already.
/// They are removed with the last reference.
struct TrustFiles {
  /// By name, the environment variables that tell clients of these files.
  let variables: [String: String]
  private let folder: ScratchFolder

  init(
    _ authority: TLSAuthority, _ environment: (String) -> String?
  ) throws(Failure) {
    do throws(SystemError) {
      folder = try ScratchFolder()
    } catch {
      throw Failure(message: error.description, fix: "set TMPDIR to a folder that you may write to")
    }
    let (certificate, bundle) = ("\(folder.path)/ca.pem", "\(folder.path)/all.pem")
    let root = FileRoot(folder.path)
    let own = authority.certificatePEM
    let extra = environment(Self.addingVariable).flatMap { try? FileRoot.anywhere.read($0) } ?? []
    try root.write(own + extra, to: certificate)
    try root.write(own + Self.systemRoots(environment), to: bundle)
    let replaced = Self.replacingVariables.map { ($0, bundle) }
    variables = Dictionary(
      replaced + [(Self.addingVariable, certificate)], uniquingKeysWith: { first, _ in first })
  }

  /// Node adds the certificates of this file to its own.
  private static let addingVariable = "NODE_EXTRA_CA_CERTS"
  /// Clients trust the certificates of these files, and no others.
  private static let replacingVariables = [
    "AWS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE",
  ]

  /// Where systems have the certificates that clients trust.
  private static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ]

  private static func systemRoots(_ environment: (String) -> String?) -> [UInt8] {
    let files = [environment("SSL_CERT_FILE")].compactMap(\.self) + systemFiles
    return files.lazy.compactMap { try? FileRoot.anywhere.read($0) }.first ?? []
  }
}
