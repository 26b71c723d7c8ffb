import UnderstudyCore
import UnderstudyCCurl

/// How the driver was done with a transfer.
enum CurlEnding: Sendable {
  case curl(CURLcode)
  /// Ended by the driver, for a reason curl does not see.
  case overdue, stalled
  case cancelled
  /// The transport is closed.
  case closed
  /// Curl takes no more transfers.
  case refused
}

/// The sender of a request, while the driver has it.
typealias CurlWaiter = CheckedContinuation<CurlEnding, Never>

/// What curl knows about a transfer that failed, and what that means.
struct CurlFailure {
  let code: Int
  let words: String
  /// OpenSSL's verdict on the certificate.
  let certificateCode: Int
  let timing: HTTPTiming
  /// Whether the connection stood and the request could be sent.
  let isReady: Bool
  let hasBegunAnswer: Bool

  var phase: TransportError.Phase {
    if hasBegunAnswer { return .receiving }
    if isReady { return .waiting }
    // The time of connecting is not set before the encryption stands.
    if timing.connected > .zero || words.hasPrefix("SSL ") { return .securing }
    return timing.resolved > .zero ? .connecting : .resolving
  }

  var kind: TransportError.Kind {
    switch code {
    // HTTP/0.9 counts as a protocol it does not speak; the scheme of the URL was looked at before.
    case 1, 8, 16: .malformedResponse
    // So do some versions say of a head whose first line continues nothing.
    case 43 where isReady: .malformedResponse
    case 3, 4, 43: .invalidRequest
    case 5, 6: .cannotResolve
    case 7, 45, 89, 97: .cannotConnect
    case 18: .truncated
    case 23: .badEncoding
    // What curl keeps of the answer is a line of its head, and it keeps no long ones.
    case 27 where isReady: .tooLarge
    case 28: .timedOut(phase)
    case 35: isReset ? .reset : .tls(.handshake)
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

  /// Curl has one code for a peer that breaks off and for one that talks nonsense, within the
  /// encryption too: then OpenSSL names the part of itself that complains.
  private var receiveFailure: TransportError.Kind {
    if words.contains("unexpected eof") { return hasBegunAnswer ? .truncated : .emptyReply }
    if words.hasPrefix("Too large response headers") { return .tooLarge }
    if words.contains("CONNECT tunnel failed") || words.lowercased().contains("proxy") {
      return .cannotConnect
    }
    if words.contains(":SSL routines:") { return .tls(.handshake) }
    return isReset ? .reset : .malformedResponse
  }

  /// By curl's words: what it knows of the system's last error may be an earlier address's.
  private var isReset: Bool {
    ["Recv failure", "reset by peer", "SSL_ERROR_SYSCALL", "SSL_read"].contains(
      where: words.contains)
  }

  /// The words without users and passwords, which curl shows with the address of a proxy.
  var harmlessWords: String {
    // Its own are about arguments of functions.
    if code == 43, isReady { return "a line of the head is not a header (RFC 9112, section 5)" }
    var result = ""
    var rest = words[...]
    while let at = rest.firstIndex(of: "@") {
      let word = rest[..<at].lastIndex { " '\"".contains($0) }.map(rest.index(after:))
      let begin = word ?? rest.startIndex
      let scheme = rest[begin..<at].firstRange(of: "://")?.upperBound ?? begin
      result += rest[..<scheme]
      rest = rest[rest.index(after: at)...]
    }
    return result + rest
  }

  private var certificateFailure: TransportError.TLSFailure {
    // Curl compares names by itself.
    if words.contains("certificate subject name") { return .wrongHost }
    return switch certificateCode {
    case 9, 10, 11, 12: .expired
    case 18, 19: .selfSigned
    case 2, 20, 21, 27: .unknownIssuer
    case 62: .wrongHost
    default: .badCertificate
    }
  }
}
