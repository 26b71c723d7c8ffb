package import UnderstudyCore

/// A certificate and its key, which a server shows its clients.
package struct TLSIdentity: Sendable {
  let certificate: Certificate
  let key: PrivateKey
  /// When it has to be replaced.
  package let end: Moment
}

/// Signs the certificates of servers on this machine.
///
/// Whoever trusts it trusts little: it signs for this machine, for private networks and for the
/// hosts that it was made for, for a year, and no other authority.
package struct TLSAuthority: Sendable {
  private let certificate: Certificate
  private let key: PrivateKey
  /// The key of all certificates that it signs, made anew with each start.
  private let leafKey: PrivateKey

  /// Makes a new authority.
  ///
  /// - Parameter hosts: for which it may sign besides this machine and private networks; `nil` for
  ///   all, which is for an authority that nobody keeps.
  package init(
    for hosts: [String]?, at now: Moment, subject: String = "Understudy local authority"
  ) throws(Failure) {
    key = try PrivateKey()
    leafKey = try PrivateKey()
    let permitted = hosts.map { hosts in
      Self.ownNames + hosts.compactMap { Self.text(of: $0, asNetwork: true) }
    }
    certificate = try Certificate(
      subject: subject, of: key, issuer: nil,
      validity: now + Self.anHourAgo...now + Self.year,
      [
        (.basicConstraints, "critical,CA:TRUE,pathlen:0"),
        (.keyUsage, "critical,keyCertSign,cRLSign"),
        (.extendedKeyUsage, "serverAuth"),
        (.subjectKeyIdentifier, "hash"),
      ]
        + (permitted.map { names in
          [
            (
              .nameConstraints,
              "critical," + names.map { "permitted;\($0)" }.joined(separator: ",")
            )
          ]
        } ?? []))
  }

  /// Reads an authority that was made before.
  package init(certificate: [UInt8], key: [UInt8]) throws(Failure) {
    self.certificate = try Certificate(pem: certificate)
    self.key = try PrivateKey(pem: key)
    leafKey = try PrivateKey()
    guard self.certificate.belongs(to: self.key) else {
      throw Failure(message: "the key is not that of the certificate")
    }
  }

  package var certificatePEM: [UInt8] { certificate.pem }
  package var keyPEM: [UInt8] { key.pem }
  /// When its certificate ends.
  package var end: Moment { certificate.end }

  /// Whether clients accept that it signs for a host.
  package func permits(_ host: String) -> Bool {
    (try? identity(for: [host], at: end)).map(permits) ?? false
  }

  /// Whether clients accept that it signs for the hosts of a certificate.
  package func permits(_ identity: TLSIdentity) -> Bool {
    certificate.permitsNames(of: identity.certificate)
  }

  /// A certificate for these names and addresses, valid from an hour ago for a day.
  package func identity(for hosts: [String], at now: Moment) throws(Failure) -> TLSIdentity {
    try identity(for: hosts, valid: now + Self.anHourAgo...now + Self.day)
  }

  package func identity(
    for hosts: [String], valid validity: ClosedRange<Moment>
  ) throws(Failure) -> TLSIdentity {
    try Self.identity(for: hosts, leafKey, issuer: (certificate, key), validity)
  }

  /// A certificate that only its own key has signed.
  package static func selfSigned(for hosts: [String], at now: Moment) throws(Failure) -> TLSIdentity
  {
    try identity(
      for: hosts, PrivateKey(), issuer: nil,
      now + anHourAgo...now + day)
  }

  private static func identity(
    for hosts: [String], _ key: PrivateKey, issuer: (Certificate, PrivateKey)?,
    _ validity: ClosedRange<Moment>
  ) throws(Failure) -> TLSIdentity {
    let names = hosts.compactMap { text(of: $0, asNetwork: false) }.joined(separator: ",")
    let certificate = try Certificate(
      subject: "Understudy", of: key, issuer: issuer, validity: validity,
      [
        (.basicConstraints, "critical,CA:FALSE"),
        (.keyUsage, "critical,digitalSignature"),
        (.extendedKeyUsage, "serverAuth"),
        (.subjectAlternativeName, names),
        (.subjectKeyIdentifier, "hash"),
        (.authorityKeyIdentifier, "keyid:always"),
      ])
    return TLSIdentity(certificate: certificate, key: key, end: validity.upperBound)
  }

  /// Clocks of other machines may be behind.
  private static let anHourAgo = Duration.seconds(-3_600)
  private static let day = Duration.seconds(24 * 3_600)
  private static let year = day * 365

  /// This machine, and networks that no public address belongs to.
  private static let ownNames = [
    "DNS:localhost", "IP:127.0.0.0/255.0.0.0", "IP:10.0.0.0/255.0.0.0",
    "IP:172.16.0.0/255.240.0.0", "IP:192.168.0.0/255.255.0.0", "IP:169.254.0.0/255.255.0.0",
    "IP:100.64.0.0/255.192.0.0",
    "IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "IP:fc00::/fe00::", "IP:fe80::/ffc0::",
  ]

  /// A host in OpenSSL's notation; `nil` for one that no certificate can have.
  private static func text(of host: String, asNetwork: Bool) -> String? {
    let host = NetworkHost(host.prefix { $0 != "%" })
    if let address = host.address {
      let isShort = !host.text.contains(":")
      let mask =
        isShort ? "255.255.255.255" : Array(repeating: "ffff", count: 8).joined(separator: ":")
      return "IP:\(address)\(asNetwork ? "/\(mask)" : "")"
    }
    let isName =
      !host.text.isEmpty
      && host.text.utf8.allSatisfy {
        0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || "-._".utf8.contains($0)
      }
    return isName ? "DNS:\(host.text)" : nil
  }
}
