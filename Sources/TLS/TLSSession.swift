import UnderstudyCOpenSSL
package import UnderstudyCore

/// What a server does when a client begins TLS.
package enum TLSGreeting: Sendable {
  /// Shows this certificate.
  case show(TLSIdentity)
  /// Shows it, and lets nobody avoid it by resuming an earlier connection.
  case insistOn(TLSIdentity)
  /// Nobody has the name.
  case refuse
  /// The authority may not sign for the name.
  case refuseUnsigned
  /// Ends the connection without a word.
  case abort
  /// Speaks TLS 1.0 only.
  case speakOldProtocol
}

/// Decides what a server does when a client begins TLS.
package protocol TLSGreeter: AnyObject {
  /// - Parameters:
  ///   - name: the host that the client asks for, in lower case; `nil` for none.
  ///   - descriptor: of the connection.
  func greeting(for name: String?, on descriptor: Int32) -> TLSGreeting
}

/// An encrypted connection of a server, without its socket: bytes in, bytes out.
///
/// Used only on the thread of its buffers. States: `handshaking` → `open` → `ended`, and from the
/// first two → `failed`.
package final class TLSSession {
  package enum State: Equatable, Sendable {
    case handshaking, open
    /// The client sends nothing more.
    case ended
    /// With the reason; `nil` for a handshake that the greeter has broken.
    case failed(String?)
  }

  package private(set) var state = State.handshaking
  /// What its owner knows it by.
  package var number: Int
  /// The host that the client asked for.
  package private(set) var serverName: String?
  /// Whether the end of the connection was announced, or must not be.
  private var isSilent = false
  /// How many bytes arrived since the client last said something.
  private var silentByteCount = 0
  /// What the greeter decided about the client's first message, which it may have to send again.
  private var greeting: TLSGreeting?
  /// What is sent instead of OpenSSL's alert when the handshake ends.
  private var farewell: [UInt8]?
  private let ownIdentity: TLSIdentity
  private let openssl: copenssl
  // SAFETY: freed by deinit, and used only on the thread of its buffers.
  private let ssl: OpaquePointer
  private let buffers: TLSBuffers
  private let greeter: any TLSGreeter
  private let descriptor: Int32

  /// Much more than any handshake takes.
  private static let silentByteCountMax = 64 << 10

  package init(
    _ context: TLSContext, _ buffers: TLSBuffers, _ greeter: any TLSGreeter, descriptor: Int32,
    number: Int
  ) throws(Failure) {
    self.number = number
    openssl = context.openssl
    ownIdentity = context.identity
    guard let made = openssl.pointee.SSL_new(context.object) else {
      throw OpenSSL.failure("begin TLS", openssl)
    }
    (ssl, self.buffers, self.greeter, self.descriptor) = (made, buffers, greeter, descriptor)
    _ = openssl.pointee.BIO_up_ref(buffers.input)
    _ = openssl.pointee.BIO_up_ref(buffers.output)
    openssl.pointee.SSL_set_bio(made, buffers.input, buffers.output)
    openssl.pointee.SSL_set_accept_state(made)
    _ = openssl.pointee.SSL_set_ex_data(made, 0, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { openssl.pointee.SSL_free(ssl) }

  /// Takes what arrived, and returns what the client said, valid until the next call on this
  /// thread. What is to be sent is in the buffers then.
  package func receive(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    guard state == .handshaking || state == .open else { return none }
    // What is left of other sessions would be taken for an error of this one.
    openssl.pointee.ERR_clear_error()
    silentByteCount += bytes.count
    _ = openssl.pointee.BIO_write(buffers.input, bytes.baseAddress, CInt(bytes.count))
    if state == .handshaking { shakeHands() }
    let count = state == .open ? decrypt() : 0
    if count > 0 { silentByteCount = 0 }
    if silentByteCount > Self.silentByteCountMax {
      state = .failed("the client sends records without content")
    }
    if buffers.hasInput { buffers.clearInput() }
    // SAFETY: OpenSSL wrote `count` bytes.
    return UnsafeRawBufferPointer(rebasing: buffers.plain[..<count])
  }

  private func shakeHands() {
    let result = openssl.pointee.SSL_do_handshake(ssl)
    if result == 1 { return state = .open }
    guard openssl.pointee.SSL_get_error(ssl, result) != Self.wantsInput else { return }
    fail(for: reason(of: OpenSSL.takeError(openssl)))
    if let farewell {
      buffers.clearOutput()
      _ = farewell.withUnsafeBytes {
        openssl.pointee.BIO_write(buffers.output, $0.baseAddress, CInt($0.count))
      }
    }
  }

  private func decrypt() -> Int {
    var count = 0
    while buffers.hasInput {
      // SAFETY: OpenSSL writes no more than there is room for.
      let room = UnsafeMutableRawBufferPointer(rebasing: buffers.plain[count...])
      let result = openssl.pointee.SSL_read(ssl, room.baseAddress, CInt(room.count))
      if result > 0 {
        count += Int(result)
        continue
      }
      switch openssl.pointee.SSL_get_error(ssl, result) {
      case Self.wantsInput: break
      case Self.hasEnded: state = .ended
      default: fail(for: OpenSSL.takeError(openssl).words)
      }
      break
    }
    return count
  }

  private func fail(for reason: String?) {
    state = .failed(reason)
    isSilent = true
  }

  /// Why a handshake ended with this error.
  private func reason(of error: (number: UInt, words: String)) -> String? {
    if error.number == Self.noCommonProtocol {
      return "it offers HTTP/2 alone, expected HTTP/1.1: let it use that, as curl --http1.1 does"
    }
    return switch greeting {
    case .refuse: "no upstream has this host"
    case .refuseUnsigned: "the authority does not sign for this host"
    case .abort, .speakOldProtocol: nil
    case .show where Self.distrusts.contains(error.number):
      "the client refuses our authority (\(error.words))"
    case .show, .insistOn, nil: error.words
    }
  }

  /// Encrypts the first of these bytes, as many as the buffers take, and returns how many; 0 for a
  /// connection that cannot send any more.
  package func encrypt(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard state == .open || state == .ended else { return 0 }
    // SAFETY: OpenSSL reads these bytes, all of them since memory takes everything.
    let count = openssl.pointee.SSL_write(
      ssl, bytes.baseAddress, CInt(min(bytes.count, Self.pieceByteCount)))
    if count <= 0 { fail(for: OpenSSL.takeError(openssl).words) }
    return max(0, Int(count))
  }

  /// Announces the end of the connection, once, unless it failed or must not be announced.
  package func announceEnd() {
    guard !isSilent, state == .open || state == .ended else { return }
    isSilent = true
    _ = openssl.pointee.SSL_shutdown(ssl)
    openssl.pointee.ERR_clear_error()
  }

  /// Lets the connection end without notice.
  package func endSilently() { isSilent = true }

  // MARK: - The beginning

  /// Called by OpenSSL when the client's first message is complete. Returns the alert by which it is
  /// refused, if it is.
  func helloArrived() -> CInt? {
    serverName = nameInHello
    let greeting = self.greeting ?? greeter.greeting(for: serverName, on: descriptor)
    self.greeting = greeting
    switch greeting {
    case .show(let identity): return use(identity) ? nil : Self.internalError
    case .insistOn(let identity):
      _ = openssl.pointee.SSL_set_options(ssl, Self.resumesNothing)
      return use(identity) ? nil : Self.internalError
    case .refuse, .refuseUnsigned: return Self.unrecognizedName
    case .abort:
      farewell = []
      return Self.internalError
    case .speakOldProtocol:
      farewell = Self.oldServerHello
      return Self.internalError
    }
  }

  private func use(_ identity: TLSIdentity) -> Bool {
    // Most clients get the same one, which the context has at no cost.
    if identity.certificate === ownIdentity.certificate { return true }
    return openssl.pointee.SSL_use_certificate(ssl, identity.certificate.object) == 1
      && openssl.pointee.SSL_use_PrivateKey(ssl, identity.key.object) == 1
  }

  /// The name in the extension `server_name` (RFC 6066, section 3).
  private var nameInHello: String? {
    var start: UnsafePointer<UInt8>?
    var count = 0
    guard
      openssl.pointee.SSL_client_hello_get0_ext(ssl, Self.serverNameExtension, &start, &count) == 1
    else { return nil }
    // SAFETY: OpenSSL keeps the extension until the callback has returned.
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard bytes.count > 5, bytes[2] == 0 else { return nil }
    let length = Int(bytes[3]) << 8 | Int(bytes[4])
    guard length > 0, 5 + length <= bytes.count else { return nil }
    return String(decoding: bytes[5..<5 + length], as: UTF8.self).lowercased()
  }

  /// A ServerHello of TLS 1.0 that chooses AES-128 with SHA-1 and continues no session (RFC 2246,
  /// section 7.4.1.3).
  private static var oldServerHello: [UInt8] {
    let version: [UInt8] = [3, 1]
    let hello = version + (0..<32).map { _ in .random(in: 0...255) } + [0, 0, 0x2F, 0]
    let message = [2, 0, 0, UInt8(hello.count)] + hello
    return [22] + version + [0, UInt8(message.count)] + message
  }

  /// What one call of `SSL_write` gets, so that the output fits into the buffers.
  private static let pieceByteCount = 48 << 10
  /// The client's alerts bad_certificate, certificate_unknown and unknown_ca, by OpenSSL's numbers.
  private static let distrusts: Set<UInt> = [1042, 1046, 1048]
  /// That no protocol is chosen, by OpenSSL's number.
  private static let noCommonProtocol: UInt = 235
  private static let wantsInput: CInt = 2
  private static let hasEnded: CInt = 6
  private static let serverNameExtension: UInt32 = 0
  private static let internalError: CInt = 80
  private static let unrecognizedName: CInt = 112
  private static let resumesNothing: UInt64 = 1 << 14
}
