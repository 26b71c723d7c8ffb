/// Why there is no answer.
public struct TransportError: Error, Hashable, Sendable {
  public let kind: Kind
  /// libcurl's number for it, if it has one. The kind is what counts: numbers differ between versions
  /// of libcurl.
  public let curlCode: Int?
  /// The request and what was found, in words; empty if the kind says it all.
  public let message: String

  public init(_ kind: Kind, _ message: String = "", curlCode: Int? = nil) {
    self.kind = kind
    self.message = message
    self.curlCode = curlCode
  }

  /// What went wrong; contracts know these by `name`.
  public enum Kind: Hashable, Sendable {
    /// The host's name has no address.
    case cannotResolve
    /// Nobody listens there, or the way is barred.
    case cannotConnect
    case timedOut(Phase)
    /// The upstream broke the connection off.
    case reset
    /// The upstream closed the connection before the first byte of an answer.
    case emptyReply
    /// The upstream closed the connection in the middle of the answer.
    case truncated
    /// The body is not in the encoding its header names.
    case badEncoding
    /// The head, or the decoded body, passes the limit.
    case tooLarge
    case tls(TLSFailure)
    /// What came is no HTTP.
    case malformedResponse
    /// The task was cancelled, or the transport closed.
    case cancelled
    case tooManyRedirects
    /// No upstream could be sent this: a URL that is none, a header with a line end.
    case invalidRequest
    /// The body had a place to go that did not take it.
    case cannotStore
    /// This machine lacks memory, descriptors or threads, or libcurl refused something else.
    case failed
  }

  /// How far a request had come when its time was over.
  public enum Phase: String, Hashable, Sendable {
    /// Until there is an address; waiting for a free connection comes before.
    case resolving
    case connecting, securing
    /// Sending the request and waiting for the first byte of the answer.
    case waiting
    case receiving
  }

  /// What is wrong with an upstream's encryption.
  public enum TLSFailure: String, Hashable, Sendable {
    case expired, selfSigned, wrongHost, unknownIssuer
    /// Another fault of the certificate.
    case badCertificate
    /// The peers agree on no version or cipher, or what came is no TLS.
    case handshake
    /// The file of trusted certificates cannot be read.
    case trustFile
  }
}

extension TransportError.Kind {
  /// As contracts write it.
  public var name: String {
    switch self {
    case .cannotResolve: "cannotResolve"
    case .cannotConnect: "cannotConnect"
    case .timedOut: "timedOut"
    case .reset: "reset"
    case .emptyReply: "emptyReply"
    case .truncated: "truncated"
    case .badEncoding: "badEncoding"
    case .tooLarge: "tooLarge"
    case .tls: "tls"
    case .malformedResponse: "malformedResponse"
    case .cancelled: "cancelled"
    case .tooManyRedirects: "tooManyRedirects"
    case .invalidRequest: "invalidRequest"
    case .cannotStore: "cannotStore"
    case .failed: "failed"
    }
  }

  var words: String {
    switch self {
    case .cannotResolve: "cannot resolve the host"
    case .cannotConnect: "cannot connect"
    case .timedOut(let phase): "timed out while \(phase.rawValue)"
    case .reset: "the connection was reset"
    case .emptyReply: "the connection was closed without an answer"
    case .truncated: "the connection was closed in the middle of the answer"
    case .badEncoding: "the body cannot be decoded"
    case .tooLarge: "the answer is too large"
    case .tls(let failure): failure.words
    case .malformedResponse: "the answer is not HTTP"
    case .cancelled: "cancelled"
    case .tooManyRedirects: "redirected too often"
    case .invalidRequest: "the request cannot be sent"
    case .cannotStore: "the body cannot be stored"
    case .failed: "the transport failed"
    }
  }
}

extension TransportError.TLSFailure {
  var words: String {
    switch self {
    case .expired: "the certificate has expired"
    case .selfSigned: "the certificate is self-signed"
    case .wrongHost: "the certificate is for another host"
    case .unknownIssuer: "the certificate's issuer is not trusted"
    case .badCertificate: "the certificate is not valid"
    case .handshake: "no encryption could be agreed on"
    case .trustFile: "the trusted certificates cannot be read"
    }
  }
}

extension TransportError: CustomStringConvertible {
  public var description: String {
    kind.words + (message.isEmpty ? "" : ": \(message)")
      + (curlCode.map { " (curl \($0))" } ?? "")
  }
}
