/// Why a server refuses a request.
///
/// After any of them the start of the next request is unknown: response and close.
public enum Refusal: Error, Hashable, Sendable, CaseIterable {
  case tooSlow, noRoomForBody, noMemoryForBody
  case emptyLines, tlsHandshake, socksHandshake
  case requestLineInvalid, methodInvalid, methodTooLong
  case targetInvalid, targetFragment, targetForm, targetTooLong, connectTarget
  case http2Preface, versionInvalid, versionUnsupported
  case bareCarriageReturn, bareLineFeed, controlCharacter
  case obsoleteFold, fieldNameInvalid, spaceBeforeColon, colonMissing
  case headTooLarge, tooManyFields
  case hostMissing, hostRepeated, hostInvalid, hostDiffersFromTarget
  case tabAroundFraming, contentLengthInvalid, contentLengthRepeated, lengthAndTransferEncoding
  case transferEncodingInHTTP10, transferEncodingInvalid, transferEncodingRepeated
  case transferCodingUnknown, chunkedNotLast
  case expectationUnknown
  case bodyTooLarge
  case chunkSizeInvalid, chunkExtensionInvalid, chunkExtensionsTooLarge, chunkEndMissing
  case trailerInvalid, trailersTooLarge

  /// The status of the response.
  package var status: Int {
    switch self {
    case .tooSlow: 408
    case .noRoomForBody, .noMemoryForBody: 503
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .expectationUnknown: 417
    case .headTooLarge, .tooManyFields, .trailersTooLarge: 431
    case .methodTooLong, .transferCodingUnknown: 501
    case .http2Preface, .versionUnsupported: 505
    default: 400
    }
  }

  /// One sentence without a full stop.
  package var message: String {
    switch self {
    case .tooSlow: "the request did not arrive in time"
    case .noRoomForBody:
      "the bodies of other open requests take all the room: send it again later"
    case .noMemoryForBody:
      "this machine gives the server no memory for the body: send it again later, or a smaller one"
    case .emptyLines: "more than one empty line before the request line"
    case .tlsHandshake: "found the beginning of a TLS handshake, expected plain HTTP: use http://"
    case .socksHandshake:
      "found the beginning of SOCKS, expected HTTP: give clients an address that begins with http://"
    case .requestLineInvalid:
      "expected a request line like \"GET /path HTTP/1.1\", with one space between its parts"
    case .methodInvalid: "the method has a character that is not allowed in it"
    case .methodTooLong: "the method is longer than any known method"
    case .targetInvalid: "the request target has a character that must be percent-encoded"
    case .targetFragment: "the request target has a fragment: \"#\" must be sent as %23"
    case .targetForm:
      "expected a request target that begins with \"/\", an http:// URL, or \"*\" with OPTIONS"
    case .connectTarget: "expected a host and a port after CONNECT, such as api.example.com:443"
    case .targetTooLong: "the request target is too long"
    case .http2Preface:
      "found the beginning of HTTP/2, expected HTTP/1.1: let the client use that, as curl --http1.1 does"
    case .versionInvalid: "expected the version HTTP/1.1 or HTTP/1.0 at the end of the request line"
    case .versionUnsupported: "only HTTP/1.1 and HTTP/1.0 are supported"
    case .bareCarriageReturn: "a carriage return without a line feed in the head"
    case .bareLineFeed: "a line feed without a carriage return in the head"
    case .controlCharacter: "a control character in the value of a field"
    case .obsoleteFold: "a line begins with whitespace: folding values over lines is obsolete"
    case .fieldNameInvalid: "the name of a field is empty or has a character not allowed in it"
    case .spaceBeforeColon: "whitespace between the name of a field and its colon"
    case .colonMissing: "a line without a colon among the fields"
    case .headTooLarge: "the head of the request is too large"
    case .tooManyFields: "the request has too many header fields"
    case .hostMissing: "the Host field is missing"
    case .hostRepeated: "there is more than one Host field"
    case .hostInvalid: "expected a host name or address with an optional port as the host"
    case .hostDiffersFromTarget: "the Host field and the request target name different hosts"
    case .tabAroundFraming:
      "found a tab around the value of Content-Length or Transfer-Encoding, expected only spaces"
    case .contentLengthInvalid: "Content-Length is not a number of 1 to 18 digits"
    case .contentLengthRepeated: "there is more than one Content-Length field"
    case .lengthAndTransferEncoding: "both Content-Length and Transfer-Encoding"
    case .transferEncodingInHTTP10: "Transfer-Encoding in an HTTP/1.0 request"
    case .transferEncodingInvalid: "Transfer-Encoding is not a list of transfer codings"
    case .transferEncodingRepeated: "the transfer coding chunked is given more than once"
    case .transferCodingUnknown: "the only transfer coding supported is chunked"
    case .chunkedNotLast: "the transfer coding chunked is not the last one"
    case .expectationUnknown: "the only expectation supported is 100-continue"
    case .bodyTooLarge: "the body of the request is too large"
    case .chunkSizeInvalid: "expected the size of a chunk: 1 to 16 hexadecimal digits, then CRLF"
    case .chunkExtensionInvalid:
      "expected chunk extensions like \";name\", \";name=token\" or \";name=\"text\"\", then CRLF"
    case .chunkExtensionsTooLarge: "the chunk extensions of the body are too large"
    case .chunkEndMissing: "the data of a chunk is not followed by CRLF"
    case .trailerInvalid: "a malformed field in the trailers of the body"
    case .trailersTooLarge: "the trailers of the body are too large"
    }
  }
}

extension Refusal: CustomStringConvertible {
  public var description: String { message }
}
