/// Sends requests by libcurl, on one thread of its own.
///
/// Connections are kept and shared between requests; those to hosts that speak it are HTTP/2.
/// Certificates are always checked. It runs until it is closed or nobody refers to it any more.
public final class CurlTransport: HTTPTransport {
  let driver: Result<CurlDriver, TransportError>

  public init(_ configuration: CurlConfiguration = CurlConfiguration()) {
    driver = Result { () throws(TransportError) in try CurlDriver(configuration) }
  }

  deinit {
    if case .success(let driver) = driver { _ = driver.mailbox.post(.close(nil)) }
  }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await send(request, to: .memory)
  }

  /// Sends a request, and the body of its answer to where it shall go; the answer's own is empty
  /// unless that is memory. Nothing goes there when redirects are followed but one is not, since it
  /// would take the request's body to another origin: its answer is in memory.
  public func send(
    _ request: HTTPRequest, to destination: BodyDestination
  ) async throws(TransportError) -> HTTPResponse {
    try await request.followingRedirects { request throws(TransportError) in
      try await exchange(request, destination)
    }
  }

  /// Cancels what is under way, closes every connection and ends the thread. Requests that come
  /// later are cancelled too.
  public func close() async {
    guard case .success(let driver) = driver else { return }
    await withCheckedContinuation { continuation in
      if !driver.mailbox.post(.close(continuation)) { continuation.resume() }
    }
  }

  private func exchange(
    _ request: HTTPRequest, _ destination: BodyDestination
  ) async throws(TransportError) -> HTTPResponse {
    guard !Task.isCancelled else { throw TransportError(.cancelled) }
    if let complaint = request.complaint {
      throw TransportError(.invalidRequest, "\(request.place): \(complaint)")
    }
    let driver = try driver.get()
    let handle = try driver.takeHandle()
    try handle.prepare(request, destination)
    let ending = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        handle.waiter = continuation
        if let refusal = driver.mailbox.place(handle) { continuation.resume(returning: refusal) }
      }
    } onCancel: {
      _ = driver.mailbox.post(.cancel(handle))
    }
    let response = try handle.outcome(ending, of: request)
    driver.giveBack(handle)
    return response
  }
}

/// What holds for every request of a `CurlTransport`.
public struct CurlConfiguration: Hashable, Sendable {
  /// A file of certificates in PEM to trust instead of the system's.
  public var trustFile: String?
  /// Connects directly, whatever `http_proxy` and its like say in the environment.
  public var ignoresProxies = false
  /// Open at the same time; requests beyond wait for one that is free.
  public var connectionCountMax = 256

  public init() {}
}

/// Where the body of an answer goes.
public enum BodyDestination: Sendable {
  case memory
  /// A file at this path, which is there when the body is complete and not before; one that was
  /// there is replaced.
  case file(String)
  /// A closure that is called for every piece, in order, and must not block: other transfers wait
  /// for it. `false` ends the transfer with `cannotStore`.
  case handler(@Sendable (ArraySlice<UInt8>) -> Bool)
}

extension HTTPRequestOptions {
  /// When a request that starts now must be over.
  func end(from now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard let totalTimeout else { return deadline }
    let end = now + totalTimeout
    return deadline.map { min($0, end) } ?? end
  }
}
