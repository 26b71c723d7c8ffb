import Testing

@testable import UnderstudyClient

/// What curl reports and no peer of these tests can be made to provoke.
@Suite struct CurlFailureMeaningTests {
  private func failure(
    _ code: Int, _ words: String = "", certificateCode: Int = 0,
    resolved: Duration = .zero, connected: Duration = .zero, isReady: Bool = false,
    hasBegunResponse: Bool = false
  ) -> CurlFailure {
    var timing = HTTPTiming()
    (timing.resolved, timing.connected) = (resolved, connected)
    return CurlFailure(
      code: code, words: words, certificateCode: certificateCode, timing: timing,
      isReady: isReady, hasBegunResponse: hasBegunResponse)
  }

  @Test("a time-out belongs to the stage that was not reached")
  func phases() {
    let stage = Duration.milliseconds(1)
    #expect(failure(28).kind == .timedOut(.resolving))
    #expect(failure(28, resolved: stage).kind == .timedOut(.connecting))
    #expect(failure(28, resolved: stage, connected: stage).kind == .timedOut(.securing))
    #expect(failure(28, isReady: true).kind == .timedOut(.waiting))
    #expect(failure(28, isReady: true, hasBegunResponse: true).kind == .timedOut(.receiving))
  }

  @Test(
    "codes of later versions and of rare failures have their kinds",
    arguments: [
      (5, .cannotResolve), (16, .malformedResponse), (27, .failed), (55, .reset), (63, .tooLarge),
      (92, .reset), (97, .cannotConnect), (100, .tooLarge), (91, .tls(.badCertificate)),
      (2, .failed),
    ] as [(Int, TransportError.Kind)])
  func codes(code: Int, kind: TransportError.Kind) {
    #expect(failure(code).kind == kind)
  }

  @Test(
    "one code for several receive errors is distinguished by its text",
    arguments: [
      ("Recv failure: Connection reset by peer", false, .reset),
      ("OpenSSL SSL_read: SSL_ERROR_SYSCALL, errno 104", true, .reset),
      (
        "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading", true,
        .truncated
      ),
      (
        "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading", false,
        .emptyReply
      ),
      ("OpenSSL SSL_read: SSL_ERROR_SYSCALL, errno 0", true, .truncated),
      (
        "OpenSSL SSL_read: OpenSSL/3.0: error:0A00045C:SSL routines::tlsv13 alert certificate"
          + " required, errno 0", false, .tls(.handshake)
      ),
      ("chunk hex-length char not a hex digit: 0x7a", true, .malformedResponse),
      ("Too large response headers: 307261 > 307200", false, .tooLarge),
      ("CONNECT tunnel failed, response 403", false, .cannotConnect),
      ("Proxy CONNECT aborted", false, .cannotConnect),
    ] as [(String, Bool, TransportError.Kind)])
  func receiving(words: String, hasBegunResponse: Bool, kind: TransportError.Kind) {
    #expect(failure(56, words, isReady: true, hasBegunResponse: hasBegunResponse).kind == kind)
  }

  @Test(
    "a TLS handshake that ends early has failed, whatever the version says, unless it was reset",
    arguments: [
      // 7.88
      "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a:443",
      "OpenSSL/3.0.19: error:0A000152:SSL routines::unsafe legacy renegotiation disabled",
      // 8.12
      "TLS connect error: error:00000000:lib(0)::reason(0)",
      // 8.14
      "TLS connect error: error:0A000126:SSL routines::unexpected eof while reading",
      "TLS connect error: error:0A000102:SSL routines::unsupported protocol",
    ])
  func brokenHandshake(words: String) {
    #expect(failure(35, words).kind == .tls(.handshake))
    #expect(failure(35, "Recv failure: Connection reset by peer").kind == .reset)
  }

  @Test(
    "shows no user and no password of a proxy",
    arguments: [
      ("Could not resolve proxy: p.example", "Could not resolve proxy: p.example"),
      (
        "Unsupported proxy syntax in 'http://me:p@ss@p.example:x': Bad port",
        "Unsupported proxy syntax in 'http://p.example:x': Bad port"
      ),
      (
        "Unsupported proxy syntax in 'me:secret@p.example:x'",
        "Unsupported proxy syntax in 'p.example:x'"
      ),
      ("http://a@b and https://c@d", "http://b and https://d"),
    ])
  func proxies(words: String, shown: String) {
    #expect(failure(5, words).harmlessWords == shown)
  }

  @Test(
    "faults of certificates by OpenSSL's result",
    arguments: [
      (9, .notYetValid), (10, .expired), (18, .selfSigned), (19, .unknownIssuer),
      (20, .unknownIssuer),
      (62, .wrongHost), (23, .badCertificate),
    ] as [(Int, TransportError.TLSFailure)])
  func certificates(code: Int, failure expected: TransportError.TLSFailure) {
    #expect(failure(60, certificateCode: code).kind == .tls(expected))
  }
}
