import UnderstudyCOpenSSL
import UnderstudyCore

/// A private key on the curve P-256.
final class PrivateKey: Sendable {
  // SAFETY: OpenSSL's objects are never changed after `init`, and counted by OpenSSL.
  nonisolated(unsafe) let object: OpaquePointer
  private nonisolated(unsafe) let openssl: copenssl

  /// Makes a new key.
  init() throws(Failure) {
    let openssl = try OpenSSL.functions()
    self.openssl = openssl
    let maker = openssl.pointee.EVP_PKEY_CTX_new_id(Self.ellipticCurve, nil)
    defer { openssl.pointee.EVP_PKEY_CTX_free(maker) }
    var made: OpaquePointer?
    guard openssl.pointee.EVP_PKEY_keygen_init(maker) == 1,
      openssl.pointee.EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, Self.p256) == 1,
      openssl.pointee.EVP_PKEY_keygen(maker, &made) == 1, let made
    else { throw OpenSSL.failure("make a key", openssl) }
    object = made
  }

  init(pem: [UInt8]) throws(Failure) {
    let openssl = try OpenSSL.functions()
    self.openssl = openssl
    let found = OpenSSL.object(openssl, in: pem) {
      openssl.pointee.PEM_read_bio_PrivateKey($0, nil, OpenSSL.noPassword, nil)
    }
    guard let found else {
      let failure = OpenSSL.failure("read the key", openssl)
      // As both forms of encrypted keys have it in their first lines.
      guard pem.firstRange(of: "ENCRYPTED".utf8) != nil else { throw failure }
      throw Failure(message: "the key is encrypted", fix: "decrypt it with \"openssl pkey\"")
    }
    object = found
  }

  deinit { openssl.pointee.EVP_PKEY_free(object) }

  var pem: [UInt8] {
    OpenSSL.bytes(openssl) {
      openssl.pointee.PEM_write_bio_PrivateKey($0, object, nil, nil, 0, nil, nil)
    } ?? []
  }

  private static let ellipticCurve: CInt = 408
  private static let p256: CInt = 415
}

/// A certificate of X.509.
final class Certificate: Sendable {
  /// The kinds of extensions that ours have, by OpenSSL's numbers.
  enum Extension: CInt {
    case subjectKeyIdentifier = 82
    case keyUsage = 83
    case subjectAlternativeName = 85
    case basicConstraints = 87
    case authorityKeyIdentifier = 90
    case extendedKeyUsage = 126
    case nameConstraints = 666
  }

  // SAFETY: OpenSSL's objects are never changed after `init`, and counted by OpenSSL.
  nonisolated(unsafe) let object: OpaquePointer
  private nonisolated(unsafe) let openssl: copenssl

  /// Makes a new certificate.
  ///
  /// - Parameters:
  ///   - issuer: who signs it; `nil` for itself.
  ///   - extensions: in OpenSSL's notation.
  init(
    subject: String, of key: PrivateKey, issuer: (certificate: Certificate, key: PrivateKey)?,
    validity: ClosedRange<Moment>, _ extensions: [(Extension, String)]
  ) throws(Failure) {
    openssl = try OpenSSL.functions()
    guard let made = openssl.pointee.X509_new() else {
      throw OpenSSL.failure("make a certificate", openssl)
    }
    object = made
    let name = openssl.pointee.X509_get_subject_name(made)
    let words = Array(subject.utf8)
    let isStated =
      openssl.pointee.X509_set_version(made, 2) == 1
      && openssl.pointee.ASN1_INTEGER_set_uint64(
        openssl.pointee.X509_get_serialNumber(made), .random(in: 1 ... .max >> 1)) == 1
      && openssl.pointee.ASN1_TIME_set(
        openssl.pointee.X509_getm_notBefore(made), validity.lowerBound.unixSeconds) != nil
      && openssl.pointee.ASN1_TIME_set(
        openssl.pointee.X509_getm_notAfter(made), validity.upperBound.unixSeconds) != nil
      && openssl.pointee.X509_NAME_add_entry_by_txt(
        name, "CN", Self.utf8, words, CInt(words.count), -1, 0) == 1
      && openssl.pointee.X509_set_issuer_name(
        made, issuer.map { openssl.pointee.X509_get_subject_name($0.certificate.object) } ?? name)
        == 1
      && openssl.pointee.X509_set_pubkey(made, key.object) == 1
    guard isStated, add(extensions, issuer: issuer?.certificate ?? self),
      openssl.pointee.X509_sign(
        made, (issuer?.key ?? key).object, openssl.pointee.EVP_sha256()) > 0
    else { throw OpenSSL.failure("make a certificate", openssl) }
  }

  init(pem: [UInt8]) throws(Failure) {
    let openssl = try OpenSSL.functions()
    self.openssl = openssl
    let found = OpenSSL.object(openssl, in: pem) {
      openssl.pointee.PEM_read_bio_X509($0, nil, OpenSSL.noPassword, nil)
    }
    guard let found else { throw OpenSSL.failure("read the certificate", openssl) }
    object = found
  }

  deinit { openssl.pointee.X509_free(object) }

  var pem: [UInt8] {
    OpenSSL.bytes(openssl) { openssl.pointee.PEM_write_bio_X509($0, object) } ?? []
  }

  var end: Moment {
    var time = tm()
    _ = openssl.pointee.ASN1_TIME_to_tm(openssl.pointee.X509_getm_notAfter(object), &time)
    return Moment(unixSeconds: timegm(&time))
  }

  func belongs(to key: PrivateKey) -> Bool {
    let isSame = openssl.pointee.X509_check_private_key(object, key.object) == 1
    if !isSame { openssl.pointee.ERR_clear_error() }
    return isSame
  }

  /// Whether the names of a certificate are among those that this one may sign.
  func permitsNames(of leaf: Certificate) -> Bool {
    let constraints = openssl.pointee.X509_get_ext_d2i(
      object, Extension.nameConstraints.rawValue, nil, nil)
    guard let constraints else { return true }
    defer { openssl.pointee.NAME_CONSTRAINTS_free(constraints) }
    // Reads the names of the certificate, which are compared.
    _ = openssl.pointee.X509_check_purpose(leaf.object, -1, 0)
    return openssl.pointee.NAME_CONSTRAINTS_check(leaf.object, constraints) == 0
  }

  private func add(_ extensions: [(Extension, String)], issuer: Certificate) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: Self.contextByteCountMax, alignment: 16) { context in
      // SAFETY: OpenSSL 3 uses 64 bytes of it, while the closure runs.
      context.initializeMemory(as: UInt8.self, repeating: 0)
      openssl.pointee.X509V3_set_ctx(context.baseAddress, issuer.object, object, nil, nil, 0)
      return extensions.allSatisfy { kind, text in
        guard
          let made = openssl.pointee.X509V3_EXT_nconf_nid(
            nil, context.baseAddress, kind.rawValue, text)
        else { return false }
        defer { openssl.pointee.X509_EXTENSION_free(made) }
        return openssl.pointee.X509_add_ext(object, made, -1) == 1
      }
    }
  }

  private static let utf8: CInt = 0x1000
  private static let contextByteCountMax = 256
}
