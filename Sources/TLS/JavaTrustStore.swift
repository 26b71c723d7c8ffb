import UnderstudyCOpenSSL
package import UnderstudyCore

/// A file of certificates that Java trusts, in its format JKS, which every version reads.
package struct JavaTrustStore {
  package let bytes: [UInt8]
  /// By which Java checks that the file is whole.
  package static let password = "understudy"

  private static let magic: UInt32 = 0xFEED_FEED
  private static let version: UInt32 = 2
  private static let trustedCertificate: UInt32 = 2

  /// - Parameter pem: the certificates, with any other text between them.
  package init(pem: [UInt8]) throws(Failure) {
    let openssl = try OpenSSL.functions()
    let certificates = Self.certificates(in: pem)
    var bytes = Self.bytes(Self.magic) + Self.bytes(Self.version)
    bytes += Self.bytes(UInt32(certificates.count))
    for (number, certificate) in certificates.enumerated() {
      bytes += Self.bytes(Self.trustedCertificate) + Self.text("\(number)")
      bytes += Self.bytes(UInt64(0)) + Self.text("X.509")
      bytes += Self.bytes(UInt32(certificate.count)) + certificate
    }
    var digest = [UInt8](repeating: 0, count: 20)
    let sealed =
      Self.password.utf16.flatMap(Self.bytes) + Array("Mighty Aphrodite".utf8) + bytes
    _ = openssl.pointee.SHA1(sealed, sealed.count, &digest)
    self.bytes = bytes + digest
  }

  private static func certificates(in pem: [UInt8]) -> [[UInt8]] {
    var certificates: [[UInt8]] = []
    var contentStart: Int?
    var start = 0
    while start < pem.count {
      let end = pem[start...].firstIndex(of: UInt8(ascii: "\n")) ?? pem.count
      // Most lines are within a certificate.
      if pem[start] == UInt8(ascii: "-") {
        let line = pem[start..<end]
        if line.starts(with: "-----BEGIN CERTIFICATE-----".utf8) {
          contentStart = end
        } else if line.starts(with: "-----END CERTIFICATE-----".utf8) {
          if let contentStart, let bytes = Base64.decode(pem[contentStart..<start]) {
            certificates.append(bytes)
          }
          contentStart = nil
        }
      }
      start = end + 1
    }
    return certificates
  }

  private static func text(_ text: String) -> [UInt8] {
    bytes(UInt16(text.utf8.count)) + text.utf8
  }

  /// The most significant byte first.
  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    stride(from: Number.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: number >> $0)
    }
  }
}
