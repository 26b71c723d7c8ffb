package import UnderstudyCore
package import UnderstudyFakeServer
import UnderstudySystem
import UnderstudyTLS

/// An authority for the fake of one run, and a file of its certificate for those who are to trust
/// it, which goes with it.
package final class RunAuthority: Sendable {
  package let certificates: ServerCertificates
  package let trustFile: String

  /// Fails when OpenSSL is missing.
  package init() throws(Failure) {
    let authority = try TLSAuthority(for: [], at: .now)
    certificates = try ServerCertificates(authority)
    let folder = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    trustFile = "\(folder)/understudy-\(UInt64.random(in: 0 ... .max)).pem"
    try FileRoot.anywhere.write(authority.certificatePEM, to: trustFile)
  }

  deinit { try? FileRoot.anywhere.remove(trustFile) }
}
