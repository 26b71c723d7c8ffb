import Foundation
public import FoundationNetworking
public import Transport

/// Sends requests by `URLSession`, so that an app is tested with what it ships.
///
/// `URLSession` itself chooses its connections and may send a request again; of a request's options
/// the total time-out, the deadline and the size of the body hold. Redirects are answers, but Swift's
/// Foundation on Linux drops their bodies.
public struct URLSessionTransport: HTTPTransport {
  private let session: URLSession

  /// Redirects are answers like others, which takes a delegate: the session is made here.
  public init(_ configuration: URLSessionConfiguration = .ephemeral) {
    session = URLSession(
      configuration: configuration, delegate: StayingDelegate(), delegateQueue: nil)
  }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if Task.isCancelled { throw TransportError(.cancelled) }
    guard let url = URL(string: request.url), ["http", "https"].contains(url.scheme?.lowercased())
    else { throw TransportError(.invalidRequest, "\(request.url) is no HTTP address") }
    var sent = URLRequest(url: url)
    sent.httpMethod = request.method.rawValue
    sent.httpBody = request.body.map { Data($0) }
    for field in request.headers.fields {
      sent.addValue(field.value, forHTTPHeaderField: field.name)
    }
    let seconds = [
      request.options.totalTimeout, request.options.deadline.map { $0 - .now },
    ].compactMap { $0 }.min().map { $0 / .seconds(1) }
    if let seconds {
      guard seconds > 0 else { throw TransportError(.timedOut(.resolving), "too late") }
      sent.timeoutInterval = seconds
    }
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await session.data(for: sent)
    } catch {
      throw TransportError(error)
    }
    guard let response = response as? HTTPURLResponse else {
      throw TransportError(.malformedResponse, "what came is no HTTP")
    }
    guard data.count <= request.options.bodyBytesMax else {
      throw TransportError(
        .tooLarge, "the body has more than \(request.options.bodyBytesMax) bytes")
    }
    return HTTPResponse(response, body: data, for: request)
  }

  /// Cancels what is under way; requests that come later are cancelled too.
  public func close() { session.invalidateAndCancel() }
}

private final class StayingDelegate: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) { completionHandler(nil) }
}

extension HTTPResponse {
  fileprivate init(_ response: HTTPURLResponse, body: Data, for request: HTTPRequest) {
    let fields = response.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
      guard let name = name as? String, let value = value as? String else { return nil }
      return HTTPHeaders.Field(name, value)
    }
    self.init(
      status: response.statusCode,
      headers: HTTPHeaders(fields.sorted { $0.name < $1.name }), body: Array(body),
      url: response.url?.absoluteString ?? request.url)
  }
}

extension TransportError {
  fileprivate init(_ error: any Error) {
    let kind: Kind =
      switch (error as? URLError)?.code {
      case .cannotFindHost, .dnsLookupFailed: .cannotResolve
      case .cannotConnectToHost, .notConnectedToInternet: .cannotConnect
      case .timedOut: .timedOut(.waiting)
      case .networkConnectionLost: .reset
      case .badServerResponse, .cannotParseResponse: .malformedResponse
      case .cannotDecodeContentData, .cannotDecodeRawData: .badEncoding
      case .dataLengthExceedsMaximum: .tooLarge
      case .cancelled: .cancelled
      case .badURL, .unsupportedURL: .invalidRequest
      case .serverCertificateHasBadDate: .tls(.expired)
      case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: .tls(.unknownIssuer)
      case .secureConnectionFailed: .tls(.handshake)
      default: error is CancellationError ? .cancelled : .failed
      }
    self.init(kind, "\((error as NSError).localizedDescription)")
  }
}
