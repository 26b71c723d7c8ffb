import UnderstudyCOpenSSL
package import UnderstudyCore

/// The memory through which the connections of one thread pass their bytes, one after the other, so
/// that an idle connection has none.
///
/// Used only on that thread.
package final class TLSBuffers {
  /// How much may be decrypted at once: what one read from a socket brings, and what was left of a
  /// record before.
  private static let plainByteCount = 96 << 10
  private static let sealedByteCount = 64 << 10

  let openssl: copenssl
  /// What arrived and is not decrypted yet; empty between two connections.
  let input: OpaquePointer
  /// What is to be sent; empty between two connections.
  let output: OpaquePointer
  // SAFETY: freed by deinit; only bytes that OpenSSL wrote are used.
  let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: plainByteCount, alignment: 64)
  private let sealed = UnsafeMutableRawBufferPointer.allocate(
    byteCount: sealedByteCount, alignment: 64)

  package init(_ context: TLSContext) throws(Failure) {
    openssl = context.openssl
    guard let input = openssl.pointee.BIO_new(openssl.pointee.BIO_s_mem()),
      let output = openssl.pointee.BIO_new(openssl.pointee.BIO_s_mem())
    else { throw OpenSSL.failure("prepare TLS", openssl) }
    (self.input, self.output) = (input, output)
  }

  deinit {
    plain.deallocate()
    sealed.deallocate()
    _ = openssl.pointee.BIO_free(input)
    _ = openssl.pointee.BIO_free(output)
  }

  /// What is to be sent next, valid until the next call; `nil` when that was all. Whoever uses a
  /// session takes all of it before another session is used.
  package func takeOutput() -> UnsafeRawBufferPointer? {
    let count = openssl.pointee.BIO_read(output, sealed.baseAddress, CInt(sealed.count))
    // SAFETY: OpenSSL wrote `count` bytes.
    return count > 0 ? UnsafeRawBufferPointer(rebasing: sealed[..<Int(count)]) : nil
  }

  /// Whether input waits to be decrypted.
  var hasInput: Bool { openssl.pointee.BIO_ctrl(input, Self.pending, 0, nil) > 0 }

  /// Forgets what a connection that has ended left.
  func clearInput() { _ = openssl.pointee.BIO_ctrl(input, Self.reset, 0, nil) }

  func clearOutput() { _ = openssl.pointee.BIO_ctrl(output, Self.reset, 0, nil) }

  private static let reset: CInt = 1
  private static let pending: CInt = 10
}
