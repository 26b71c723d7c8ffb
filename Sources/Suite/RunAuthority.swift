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
  ///
  /// - Parameter path: of the file.
  package init(trustFile path: String = newPath) throws(Failure) {
    let authority = try TLSAuthority(for: [], at: .now)
    certificates = try ServerCertificates(authority)
    trustFile = path
    try FileRoot.anywhere.write(authority.certificatePEM, to: trustFile)
  }

  deinit { Self.remove(trustFile) }

  /// A path for the file of a run.
  package static var newPath: String {
    let folder = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    return "\(folder)/understudy-\(UInt64.random(in: 0 ... .max)).pem"
  }

  /// Removes a file, if there is one.
  static func remove(_ trustFile: String) { try? FileRoot.anywhere.remove(trustFile) }
}
