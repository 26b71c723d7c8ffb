import Synchronization
package import UnderstudyCore
package import UnderstudyTLS

/// The certificates of a server, each made when a client first asks for its host.
///
/// Any thread may use it.
package final class ServerCertificates: Sendable {
  let context: TLSContext
  private let authority: TLSAuthority
  private let made = Mutex<[[String]: TLSIdentity]>([:])

  /// How long a certificate is shown before its end, so that no client finds it too old.
  private static let reserve = Duration.seconds(6 * 3_600)

  /// Fails when OpenSSL is missing.
  package init(_ authority: TLSAuthority) throws(Failure) {
    self.authority = authority
    context = try TLSContext()
  }

  /// A certificate for these hosts; `nil` for one that the authority may not sign.
  func identity(for hosts: [String], at now: Moment) -> TLSIdentity? {
    made.withLock { made in
      if let known = made[hosts], known.end - now > Self.reserve { return known }
      guard let identity = try? authority.identity(for: hosts, at: now),
        authority.permits(identity)
      else { return nil }
      made[hosts] = identity
      return identity
    }
  }
}
