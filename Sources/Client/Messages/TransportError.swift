/// Why a request got no response.
public struct TransportError: Error, Hashable, Sendable {
  /// What went wrong.
  public let kind: Kind
  /// The number of libcurl for it, if it has one. Rely on the kind: numbers differ between versions
  /// of libcurl.
  public let curlCode: Int?
  /// The request and what was found; empty if the kind says it all.
  public let message: String

  /// Makes an error, for a transport of your own or for a test.
  public init(_ kind: Kind, _ message: String = "", curlCode: Int? = nil) {
    self.kind = kind
    self.message = message
    self.curlCode = curlCode
  }

  /// The kinds of failures. Contracts know them by ``name``.
  public enum Kind: Hashable, Sendable {
    /// The name of the host has no address.
    case cannotResolve
    /// Nothing listens there, or the way is blocked.
    case cannotConnect
    /// A time-out or the deadline passed.
    case timedOut(Phase)
    /// The upstream reset the connection.
    case reset
    /// The upstream closed the connection before the first byte of a response.
    case emptyReply
    /// The upstream closed the connection in the middle of the response.
    case truncated
    /// The body is not in the encoding that its header names.
    case badEncoding
    /// The head or the decoded body exceeds its limit.
    case tooLarge
    /// The connection could not be encrypted.
    case tls(TLSFailure)
    /// The response is not HTTP.
    case malformedResponse
    /// The task was cancelled, or the transport closed.
    case cancelled
    /// There were more redirects than the options of the request allow.
    case tooManyRedirects
    /// The request cannot be sent to any upstream: its URL is not valid, or a header has a line
    /// end.
    case invalidRequest
    /// The file or closure that was to take the body did not.
    case cannotStore
    /// This machine lacks memory, descriptors or threads, or libcurl failed in another way.
    case failed
  }

  /// What a request was doing when its time was over.
  public enum Phase: String, Hashable, Sendable {
    /// Waiting for a free connection, or for the address of the host.
    case resolving
    /// Connecting.
    case connecting
    /// Agreeing on encryption.
    case securing
    /// Sending the request and waiting for the first byte of the response.
    case waiting
    /// Receiving the rest of the response.
    case receiving
  }

  /// What is wrong with the encryption of an upstream.
  public enum TLSFailure: String, Hashable, Sendable {
    /// The certificate has expired.
    case expired
    /// The certificate is not valid yet.
    case notYetValid
    /// The certificate is signed by itself.
    case selfSigned
    /// The certificate is for another host.
    case wrongHost
    /// The issuer of the certificate is not trusted.
    case unknownIssuer
    /// The certificate is not valid for another reason.
    case badCertificate
    /// There is no common version or cipher, or the upstream does not speak TLS.
    case handshake
    /// The file of trusted certificates cannot be read.
    case trustFile
  }
}

extension TransportError.Kind {
  /// As written in contracts.
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
    case .emptyReply: "the connection was closed without a response"
    case .truncated: "the connection was closed in the middle of the response"
    case .badEncoding: "the body cannot be decoded"
    case .tooLarge: "the response is too large"
    case .tls(let failure): failure.words
    case .malformedResponse: "the response is not HTTP"
    case .cancelled: "cancelled"
    case .tooManyRedirects: "too many redirects"
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
    case .notYetValid: "the certificate is not valid yet"
    case .selfSigned: "the certificate is self-signed"
    case .wrongHost: "the certificate is for another host"
    case .unknownIssuer: "the certificate's issuer is not trusted"
    case .badCertificate: "the certificate is not valid"
    case .handshake: "the TLS handshake failed"
    case .trustFile: "the trusted certificates cannot be read"
    }
  }
}

extension TransportError {
  static let outOfMemory = TransportError(.failed, "libcurl is out of memory")
}

extension TransportError {
  /// The kind in words and the message, without the request that it begins with: for a sentence
  /// that names the request.
  package var reason: String {
    let words = message.split(separator: " ", maxSplits: 2)
    guard words.count > 1, words[1].hasPrefix("http://") || words[1].hasPrefix("https://") else {
      return description
    }
    let end = message.utf8.firstRange(ofBytes: ": ".utf8)?.upperBound ?? message.endIndex
    return TransportError(kind, String(message[end...]), curlCode: curlCode).description
  }
}

extension TransportError: CustomStringConvertible {
  /// The kind in words, and the message.
  public var description: String {
    kind.words + (message.isEmpty ? "" : ": \(message)")
      + (curlCode.map { " (curl \($0))" } ?? "")
  }
}
