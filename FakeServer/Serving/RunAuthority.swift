package import UnderstudyCore
import UnderstudySystem
import UnderstudyTLS

/// An authority for the fake of one run or test, and a file of its certificate for those who are
/// to trust it, which goes with it.
package final class RunAuthority: Sendable {
  package let certificates: ServerCertificates
  package let trustFile: String
  private let folder: ScratchFolder?

  /// Fails when OpenSSL is missing.
  ///
  /// - Parameters:
  ///   - hosts: for which it signs besides this machine.
  ///   - path: of a file that somebody else removes; `nil` for one of its own.
  package init(for hosts: [String] = [], trustFile path: String? = nil) throws(Failure) {
    let authority = try TLSAuthority(for: hosts, at: .now)
    certificates = try ServerCertificates(authority)
    if let path {
      (folder, trustFile) = (nil, path)
    } else {
      let made = try ScratchFolder.orError()
      (folder, trustFile) = (made, "\(made.path)/ca.pem")
    }
    try FileRoot.anywhere.write(authority.certificatePEM, to: trustFile)
  }

  /// Removes its own file now.
  package func removeFile() { folder?.remove() }
}
