import UnderstudyCore
import UnderstudyCCurl

/// How the driver finished a transfer.
enum CurlEnding: Sendable {
  case curl(CURLcode)
  /// Ended by the driver, for a reason curl does not see.
  case overdue, stalled
  case cancelled
  /// The transport is closed.
  case closed
  /// Curl accepts no more transfers.
  case refused
}

/// The sender of a request, while the driver has it.
typealias CurlWaiter = CheckedContinuation<CurlEnding, Never>

/// What curl reports about a failed transfer, and what that means.
struct CurlFailure {
  let code: Int
  let words: String
  /// OpenSSL's result on the certificate.
  let certificateCode: Int
  let timing: HTTPTiming
  /// Whether the connection was ready and the request could be sent.
  let isReady: Bool
  let hasBegunResponse: Bool

  var phase: TransportError.Phase {
    if hasBegunResponse { return .receiving }
    if isReady { return .waiting }
    // The connection time is not set before encryption is established.
    if timing.connected > .zero || words.hasPrefix("SSL ") { return .securing }
    return timing.resolved > .zero ? .connecting : .resolving
  }

  var kind: TransportError.Kind {
    switch code {
    // HTTP/0.9 counts as an unsupported protocol; the URL's scheme was checked before.
    case 1, 8, 16: .malformedResponse
    // Some versions report this for a head whose first line is a continuation.
    case 43 where isReady: .malformedResponse
    case 3, 4, 43: .invalidRequest
    case 5, 6: .cannotResolve
    case 7, 45, 89, 97: .cannotConnect
    case 18: .truncated
    case 23: .badEncoding
    // Curl stores only single lines of the head, and no long ones.
    case 27 where isReady: .tooLarge
    case 28: .timedOut(phase)
    // Some versions say SSL_ERROR_SYSCALL when the peer just ends the connection.
    case 35: namesReset ? .reset : .tls(.handshake)
    case 51, 60: .tls(certificateFailure)
    case 52: .emptyReply
    case 53, 54, 58, 59, 64, 66, 80, 83, 90, 91, 98: .tls(.badCertificate)
    case 55, 65, 92: .reset
    case 56: receiveFailure
    case 61: .badEncoding
    case 63, 100: .tooLarge
    case 77, 82: .tls(.trustFile)
    default: .failed
    }
  }

  /// Curl has one code both for a peer that closes early and for one that sends garbage, even
  /// within TLS: then OpenSSL names the part of itself that reports it.
  private var receiveFailure: TransportError.Kind {
    // An end without TLS's close_notify, before curl 8.14 without a cause.
    if words.contains("unexpected eof") || words.hasSuffix("SSL_ERROR_SYSCALL, errno 0") {
      return hasBegunResponse ? .truncated : .emptyReply
    }
    if words.hasPrefix("Too large response headers") { return .tooLarge }
    if words.contains("CONNECT tunnel failed") || words.lowercased().contains("proxy") {
      return .cannotConnect
    }
    if words.contains(":SSL routines:") { return .tls(.handshake) }
    return isReset ? .reset : .malformedResponse
  }

  /// By curl's words: its last system error may concern an earlier address.
  private var isReset: Bool {
    namesReset || ["SSL_ERROR_SYSCALL", "SSL_read"].contains(where: words.contains)
  }

  private var namesReset: Bool {
    ["Recv failure", "reset by peer"].contains(where: words.contains)
  }

  /// The harmless words without the host that a request to this place connects to, and the time
  /// that it took. Another host is a proxy.
  func words(besides place: String) -> String {
    let words = harmlessWords
    let start = "Failed to connect to "
    guard words.hasPrefix(start), let end = words.utf8.firstRange(ofBytes: " ms: ".utf8) else {
      return words
    }
    let host = words.dropFirst(start.count).prefix { $0 != " " }
    return place.contains("://\(host)") ? String(words[end.upperBound...]) : words
  }

  /// The words without users and passwords, which curl shows with a proxy's address.
  var harmlessWords: String {
    // Curl's own words are about function arguments.
    if code == 43, isReady { return "a line of the head is not a header (RFC 9112, section 5)" }
    var result = ""
    var rest = words[...]
    while let at = rest.firstIndex(of: "@") {
      let word = rest[..<at].lastIndex { " '\"".contains($0) }.map(rest.index(after:))
      let begin = word ?? rest.startIndex
      let scheme = rest[begin..<at].utf8.firstRange(ofBytes: "://".utf8)?.upperBound ?? begin
      result += rest[..<scheme]
      rest = rest[rest.index(after: at)...]
    }
    return result + rest
  }

  private var certificateFailure: TransportError.TLSFailure {
    // Curl compares names itself.
    if words.contains("certificate subject name") { return .wrongHost }
    return switch certificateCode {
    case 9: .notYetValid
    case 10, 11, 12: .expired
    case 18: .selfSigned
    case 2, 19, 20, 21, 27: .unknownIssuer
    case 62, 64: .wrongHost
    default: .badCertificate
    }
  }
}
