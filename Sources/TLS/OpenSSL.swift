import UnderstudyCOpenSSL
package import UnderstudyCore

/// OpenSSL 3, which is loaded on first use: it comes with libcurl, and whoever serves no HTTPS
/// starts without it.
///
/// The target gives a server certificates and encrypted connections, without sockets. Read
/// `TLSAuthority`, which signs a `TLSIdentity` for a host, then `TLSContext`, which all connections
/// of a server share, and `TLSSession`, which is one of them.
package enum OpenSSL {
  // SAFETY: complete before anyone receives it, then never changed or freed.
  private nonisolated(unsafe) static let loaded = Result { () throws(Failure) in try load() }

  /// The first call loads OpenSSL, for the whole process.
  static func functions() throws(Failure) -> copenssl { try loaded.get() }

  /// Fails when HTTPS cannot be served because OpenSSL is missing.
  package static func check() throws(Failure) { _ = try functions() }

  private static func load() throws(Failure) -> copenssl {
    // SAFETY: C makes an empty table of nulls, which `copenssl_load` fills.
    let functions = UnsafeMutablePointer<copenssl_functions>.allocate(capacity: 1)
    functions.initialize(to: copenssl_functions())
    if let reason = copenssl_load(functions) {
      throw Failure(
        message: "cannot load OpenSSL 3, which HTTPS needs: \(String(cString: reason))",
        fix: "install it: apt-get install libssl3, or brew install openssl@3")
    }
    return copenssl(functions)
  }

  /// The first error of this thread by its number and OpenSSL's words. The list of errors is empty
  /// then.
  static func takeError(_ openssl: copenssl) -> (number: UInt, words: String) {
    let code = openssl.pointee.ERR_get_error()
    defer { openssl.pointee.ERR_clear_error() }
    // SAFETY: the text is OpenSSL's own, and lasts as long as the process.
    let words = openssl.pointee.ERR_reason_error_string(code).map { String(cString: $0) }
    return (code & reasonMask, words ?? "error \(code)")
  }

  /// Errors have the number of their library above these bits.
  private static let reasonMask: UInt = 0x7F_FFFF

  /// Knows no password: without it, OpenSSL would ask at the terminal.
  static let noPassword: copenssl_password_callback = { _, _, _, _ in -1 }

  static func failure(_ attempt: String, _ openssl: copenssl) -> Failure {
    Failure(message: "cannot \(attempt): \(takeError(openssl).words)")
  }

  /// What `write` writes to memory.
  static func bytes(
    _ openssl: copenssl, _ write: (OpaquePointer?) -> CInt
  ) -> [UInt8]? {
    let memory = openssl.pointee.BIO_new(openssl.pointee.BIO_s_mem())
    defer { _ = openssl.pointee.BIO_free(memory) }
    guard write(memory) == 1 else { return nil }
    var (bytes, room) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while case let count = Int(openssl.pointee.BIO_read(memory, &room, CInt(room.count))), count > 0
    {
      bytes += room[..<count]
    }
    return bytes
  }

  /// What `read` finds in the bytes.
  static func object(
    _ openssl: copenssl, in bytes: [UInt8], _ read: (OpaquePointer?) -> OpaquePointer?
  ) -> OpaquePointer? {
    // SAFETY: the memory is read within the closure alone.
    bytes.withUnsafeBufferPointer { bytes in
      let memory = openssl.pointee.BIO_new_mem_buf(bytes.baseAddress, CInt(bytes.count))
      defer { _ = openssl.pointee.BIO_free(memory) }
      return read(memory)
    }
  }
}
