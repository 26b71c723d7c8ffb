public import UnderstudyClient

// On Apple's systems Foundation has URLSession.
#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

// The only file of its target, and the only one in the package that imports Foundation: the
// product is of its own so that nobody else carries that.

/// Sends requests with `URLSession`, so that an app is tested with the client it ships.
///
/// `URLSession` chooses its connections itself and may send a request again. Of the options of a
/// request, the total time-out, the deadline and the size of the body apply; the size is checked
/// when the whole body is in memory. Redirects are responses, but Swift's Foundation on Linux drops
/// their bodies.
///
/// Call ``close()`` when you are done: a `URLSession` with a delegate lives until then.
public struct URLSessionTransport: Transport {
  private let session: URLSession

  /// A session that stores no cookies and no responses, like the other transports.
  public init() { self.init(Self.forgetful) }

  package static var forgetful: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    return configuration
  }

  /// A session with this configuration. It is made here, since redirects need a delegate.
  public init(_ configuration: URLSessionConfiguration) {
    session = URLSession(
      configuration: configuration, delegate: StayingDelegate(), delegateQueue: nil)
  }

  /// Sends a request and waits for the whole response.
  public func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    if Task.isCancelled { throw TransportError(.cancelled) }
    if let complaint = request.complaint {
      throw TransportError(.invalidRequest, "\(request.place): \(complaint)")
    }
    guard let url = URL(string: request.url) else {
      throw TransportError(.invalidRequest, "\(request.place): Foundation does not accept the URL")
    }
    var sent = URLRequest(url: url)
    sent.httpMethod = request.method.rawValue
    sent.httpBody = request.body.map { Data($0) }
    for field in request.headers.fields {
      sent.addValue(field.value, forHTTPHeaderField: field.name)
    }
    // Foundation's limit is for pauses between bytes, and on Linux in whole seconds.
    sent.timeoutInterval = Self.longest / .seconds(1)
    let timeout =
      [
        request.options.totalTimeout, request.options.deadline.map { $0 - .now }, Self.longest,
      ].compactMap { $0 }.min() ?? Self.longest
    guard timeout > .zero else {
      throw TransportError(.timedOut(.resolving), "\(request.place): the deadline has passed")
    }
    let (data, response) = try await exchange(sent, for: request, within: timeout)
    guard let response = response as? HTTPURLResponse else {
      throw TransportError(.malformedResponse, "\(request.place): no HTTP response")
    }
    guard data.count <= request.options.bodyBytesMax else {
      throw TransportError(
        .tooLarge,
        "\(request.place): the body has more than \(request.options.bodyBytesMax) bytes")
    }
    return ClientResponse(response, body: data, for: request)
  }

  /// Within the range of clocks, and longer than anybody waits.
  private static let longest = Duration.seconds(1_000_000)

  private func exchange(
    _ sent: URLRequest, for request: ClientRequest, within timeout: Duration
  ) async throws(TransportError) -> (Data, URLResponse) {
    let session = session
    let result = await withTaskGroup(
      of: Result<(Data, URLResponse), TransportError>?.self
    ) { group in
      group.addTask {
        do {
          return .success(try await session.data(for: sent))
        } catch {
          return .failure(TransportError(error, place: request.place))
        }
      }
      group.addTask {
        // When cancelled, it leaves the result to the other task.
        guard (try? await Task.sleep(for: timeout)) != nil else { return nil }
        return .failure(
          TransportError(.timedOut(.waiting), "\(request.place): not finished in time"))
      }
      defer { group.cancelAll() }
      for await result in group { if let result { return result } }
      return .failure(TransportError(.cancelled, request.place))
    }
    return try result.get()
  }

  /// Cancels all requests and releases the session. Later requests are cancelled at once.
  public func close() { session.invalidateAndCancel() }
}

private final class StayingDelegate: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) { completionHandler(nil) }
}

extension ClientResponse {
  fileprivate init(_ response: HTTPURLResponse, body: Data, for request: ClientRequest) {
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
  fileprivate init(_ error: any Error, place: String) {
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
    self.init(kind, "\(place): \((error as NSError).localizedDescription)")
  }
}
