import Synchronization
import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyTLS

/// The certificates of a server, each made when a client first asks for its host.
///
/// Any thread may use it.
package final class ServerCertificates: Sendable {
  let context: TLSContext
  private let authority: TLSAuthority
  private let made: Mutex<[[String]: TLSIdentity]>
  /// Signs what no client should trust; `nil` until a case asks for it.
  private let stranger = Mutex<TLSAuthority?>(nil)

  /// How long a certificate is shown before its end, so that no client finds it too old.
  private static let reserve = Duration.seconds(6 * 3_600)

  /// Fails when OpenSSL is missing.
  package init(_ authority: TLSAuthority) throws(Failure) {
    self.authority = authority
    let identity = try authority.identity(for: Self.ownHosts, at: .now)
    made = Mutex([Self.ownHosts: identity])
    context = try TLSContext(identity)
  }

  /// More names below localhost than any test has.
  private static let keptCountMax = 256

  /// The names and addresses of this machine.
  static let ownHosts = ["localhost", "127.0.0.1", "::1"]

  /// What breaks a handshake.
  func greeting(with fault: Fault, for hosts: [String], at now: Moment) -> TLSGreeting {
    let day = Duration.seconds(24 * 3_600)
    do throws(Failure) {
      switch fault {
      case .tlsExpired:
        return .insistOn(try authority.identity(for: hosts, valid: now - day * 2...now - day))
      case .tlsNotYetValid:
        return .insistOn(try authority.identity(for: hosts, valid: now + day...now + day * 2))
      case .tlsSelfSigned: return .insistOn(try TLSAuthority.selfSigned(for: hosts, at: now))
      case .tlsWrongHost:
        // A name that the authority may sign for, so that only the host is wrong.
        return .insistOn(try authority.identity(for: ["wrong-host.localhost"], at: now))
      case .tlsUnknownAuthority:
        return .insistOn(try strangeAuthority(at: now).identity(for: hosts, at: now))
      case .tlsOldProtocol: return .speakOldProtocol
      default: return .abort
      }
    } catch {
      return .abort
    }
  }

  private func strangeAuthority(at now: Moment) throws(Failure) -> TLSAuthority {
    try stranger.withLock { stranger throws(Failure) in
      if let stranger { return stranger }
      let made = try TLSAuthority(for: [], at: now, subject: "An authority that nobody knows")
      stranger = made
      return made
    }
  }

  /// A certificate for these hosts; `nil` for one that the authority may not sign. Where it may not
  /// sign for an address of this machine, the certificate is for the others.
  func identity(for hosts: [String], at now: Moment) -> TLSIdentity? {
    made.withLock { made in
      if let known = made[hosts], known.end - now > Self.reserve { return known }
      let isOwn = hosts.starts(with: Self.ownHosts)
      guard
        let identity = signed(for: hosts, at: now)
          ?? (isOwn ? signed(for: Self.ownHosts, at: now) : nil)
      else { return nil }
      if made.count >= Self.keptCountMax { made = made.filter { $0.key == Self.ownHosts } }
      made[hosts] = identity
      return identity
    }
  }

  private func signed(for hosts: [String], at now: Moment) -> TLSIdentity? {
    guard let identity = try? authority.identity(for: hosts, at: now),
      authority.permits(identity)
    else { return nil }
    return identity
  }
}
