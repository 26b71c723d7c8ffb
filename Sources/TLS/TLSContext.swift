import UnderstudyCOpenSSL
package import UnderstudyCore

/// What all encrypted connections of a server share: its limits, and the keys of the tickets by
/// which clients resume.
///
/// Any thread may use it. Only TLS 1.2 and 1.3 with forward secrecy are offered, and nobody may
/// renegotiate.
package final class TLSContext: Sendable {
  // SAFETY: OpenSSL's context is only read once it is complete, and counted by OpenSSL.
  nonisolated(unsafe) let object: OpaquePointer
  nonisolated(unsafe) let openssl: copenssl
  /// What a connection shows unless it is told to show another.
  let identity: TLSIdentity

  package init(_ identity: TLSIdentity) throws(Failure) {
    self.identity = identity
    openssl = try OpenSSL.functions()
    guard let made = openssl.pointee.SSL_CTX_new(openssl.pointee.TLS_server_method()) else {
      throw OpenSSL.failure("prepare TLS", openssl)
    }
    object = made
    _ = openssl.pointee.SSL_CTX_ctrl(made, Control.minimumVersion, Self.tls12, nil)
    _ = openssl.pointee.SSL_CTX_ctrl(made, Control.mode, Self.releasesBuffers, nil)
    // Tickets hold what a resumed connection needs, so nothing is kept here.
    _ = openssl.pointee.SSL_CTX_ctrl(made, Control.sessionCacheMode, 0, nil)
    _ = openssl.pointee.SSL_CTX_set_num_tickets(made, 1)
    _ = openssl.pointee.SSL_CTX_set_options(made, Self.options)
    guard openssl.pointee.SSL_CTX_set_cipher_list(made, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1,
      openssl.pointee.SSL_CTX_use_certificate(made, identity.certificate.object) == 1,
      openssl.pointee.SSL_CTX_use_PrivateKey(made, identity.key.object) == 1
    else {
      throw OpenSSL.failure("prepare TLS", openssl)
    }
    // SAFETY: the table of functions lasts as long as the process.
    let functions = UnsafeMutableRawPointer(mutating: openssl)
    openssl.pointee.SSL_CTX_set_client_hello_cb(made, Self.helloArrived, functions)
    openssl.pointee.SSL_CTX_set_alpn_select_cb(made, Self.chooseProtocol, nil)
  }

  deinit { openssl.pointee.SSL_CTX_free(object) }

  private static let helloArrived: copenssl_hello_callback = { ssl, alert, functions in
    // SAFETY: `functions` is the table, and the data is the session whose handshake runs.
    guard let functions, let ssl,
      let data = functions.load(as: copenssl_functions.self).SSL_get_ex_data(ssl, 0)
    else { return 0 }
    let session = Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
    guard let refused = session.helloArrived() else { return 1 }
    alert?.pointee = refused
    return 0
  }

  /// Chooses HTTP/1.1 where a client offers it. Whoever offers HTTP/2 without it is refused, and
  /// whoever offers only others gets it too, as from most servers.
  private static let chooseProtocol: copenssl_protocol_callback = {
    _, chosen, chosenLength, offered, offeredLength, _ in
    // SAFETY: OpenSSL checked that the offer is a list of names, each after its length.
    let names = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
    var (start, isHTTP2) = (0, false)
    while start < names.count {
      let end = start + 1 + Int(names[start])
      guard end <= names.count else { break }
      if names[(start + 1)..<end].elementsEqual("http/1.1".utf8) {
        chosen?.pointee = names.baseAddress.map { $0 + start + 1 }
        chosenLength?.pointee = names[start]
        return TLSContext.isChosen
      }
      isHTTP2 = isHTTP2 || names[(start + 1)..<end].elementsEqual("h2".utf8)
      start = end
    }
    return isHTTP2 ? TLSContext.isRefused : TLSContext.isIgnored
  }

  /// OpenSSL's numbers of what its macros set.
  private enum Control {
    static let mode: CInt = 33
    static let sessionCacheMode: CInt = 44
    static let minimumVersion: CInt = 123
  }

  private static let tls12 = 0x0303
  /// Idle connections keep no buffers.
  private static let releasesBuffers = 0x10
  /// No compression, no renegotiation, and the server's order of ciphers.
  private static let options: UInt64 = 1 << 17 | 1 << 30 | 1 << 22
  private static let isChosen: CInt = 0
  private static let isRefused: CInt = 2
  private static let isIgnored: CInt = 3
}
