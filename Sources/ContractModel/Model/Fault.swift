/// How a response breaks on the wire, or its connection in TLS. The first four use WireMock's
/// names.
package enum Fault: String, Sendable, CaseIterable {
  case emptyResponse = "EMPTY_RESPONSE"
  case malformedResponseChunk = "MALFORMED_RESPONSE_CHUNK"
  case randomDataThenClose = "RANDOM_DATA_THEN_CLOSE"
  case connectionResetByPeer = "CONNECTION_RESET_BY_PEER"
  case connectionResetInBody = "CONNECTION_RESET_IN_BODY"
  case connectionClosedInBody = "CONNECTION_CLOSED_IN_BODY"
  case malformedStatusLine = "MALFORMED_STATUS_LINE"
  case malformedHeader = "MALFORMED_HEADER"
  /// The certificate's time has passed.
  case tlsExpired = "TLS_EXPIRED"
  /// The certificate's time has not begun.
  case tlsNotYetValid = "TLS_NOT_YET_VALID"
  /// The certificate is signed by itself.
  case tlsSelfSigned = "TLS_SELF_SIGNED"
  /// The certificate is for another name.
  case tlsWrongHost = "TLS_WRONG_HOST"
  /// The certificate is signed by an authority that nobody knows.
  case tlsUnknownAuthority = "TLS_UNKNOWN_AUTHORITY"
  /// The connection ends after the ClientHello.
  case tlsHandshakeAborted = "TLS_HANDSHAKE_ABORTED"
  /// The server accepts TLS 1.0 only.
  case tlsOldProtocol = "TLS_OLD_PROTOCOL"
  /// The connection ends without TLS's close_notify, so it could have been cut off by anybody.
  case tlsClosedWithoutNotice = "TLS_CLOSED_WITHOUT_NOTICE"

  /// Whether only clients that speak TLS meet it.
  package var needsTLS: Bool { rawValue.hasPrefix("TLS_") }

  /// Whether it breaks the TLS handshake, before anything is known of a request.
  package var isInHandshake: Bool { needsTLS && !servesResponse }

  /// Whether it cuts off a body that was good so far.
  package var isInBody: Bool { self == .connectionResetInBody || self == .connectionClosedInBody }

  /// Whether part of a response is sent first, which the case then has to define.
  package var servesResponse: Bool {
    switch self {
    case .emptyResponse, .randomDataThenClose, .connectionResetByPeer, .malformedStatusLine: false
    case .malformedResponseChunk, .connectionResetInBody, .connectionClosedInBody,
      .malformedHeader, .tlsClosedWithoutNotice:
      true
    case .tlsExpired, .tlsNotYetValid, .tlsSelfSigned, .tlsWrongHost, .tlsUnknownAuthority,
      .tlsHandshakeAborted, .tlsOldProtocol:
      false
    }
  }
}
