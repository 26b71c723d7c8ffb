import Synchronization
import UnderstudyCCurl
import UnderstudyCore
import UnderstudySystem

/// Sends requests with libcurl, on one thread of its own.
///
/// Connections are kept open and shared between requests, over HTTP/2 where the host offers it.
/// Certificates are always checked. The transport runs until it is closed or released.
public final class CurlTransport: Transport {
  let driver: Result<CurlDriver, TransportError>

  /// Starts the thread. If that fails, every request fails with the reason.
  public init(_ configuration: CurlConfiguration = CurlConfiguration()) {
    driver = Result { () throws(TransportError) in try CurlDriver(configuration) }
  }

  deinit {
    if case .success(let driver) = driver { _ = driver.mailbox.post(.close(nil)) }
  }

  /// Sends a request and waits for the whole response.
  public func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    try await send(request, to: .memory)
  }

  /// Sends a request and passes the body of the response on as it arrives. The body in the response
  /// is empty then, unless the destination is memory.
  ///
  /// A redirect that would take the body of the request to another origin is not followed; its
  /// response stays in memory.
  public func send(
    _ request: ClientRequest, to destination: BodyDestination
  ) async throws(TransportError) -> ClientResponse {
    try await request.followingRedirects { request throws(TransportError) in
      try await exchange(request, destination)
    }
  }

  /// Cancels all requests, closes all connections and ends the thread. Later requests are cancelled
  /// at once.
  public func close() async {
    guard case .success(let driver) = driver else { return }
    await withCheckedContinuation { continuation in
      if !driver.mailbox.post(.close(continuation)) { continuation.resume() }
    }
  }

  private func exchange(
    _ request: ClientRequest, _ destination: BodyDestination
  ) async throws(TransportError) -> ClientResponse {
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

/// The thread that drives curl, as seen by others: a mailbox for commands, and handles to borrow.
///
/// Connections and resolved addresses belong to the thread, not to the handles.
final class CurlDriver: Sendable {
  let mailbox: CurlMailbox
  // SAFETY: the functions never change.
  private nonisolated(unsafe) let curl: ccurl
  private let configuration: CurlConfiguration
  /// Shared by the thread and every handle.
  let time = LoopTime()
  private let idle = Mutex<[CurlHandle]>([])

  /// Starts the thread; a `close` command ends it.
  init(_ configuration: CurlConfiguration) throws(TransportError) {
    do throws(Failure) {
      curl = try CurlLibrary.functions()
    } catch {
      throw TransportError(.failed, "\(error)")
    }
    mailbox = try CurlMailbox()
    self.configuration = configuration
    let loop = try CurlLoop(curl, configuration, mailbox, time)
    do throws(SystemError) {
      try SystemThread { loop.run() }.detach()
    } catch {
      throw TransportError(error)
    }
  }

  /// A handle to send one request with.
  func takeHandle() throws(TransportError) -> CurlHandle {
    if let handle = idle.withLock({ $0.popLast() }) { return handle }
    return try CurlHandle(curl, configuration, time)
  }

  /// Keeps a handle for the next request. Not after a failure: its last error would be taken for
  /// the next request's.
  func giveBack(_ handle: CurlHandle) {
    handle.clear()
    idle.withLock { idle in
      if idle.count < configuration.connectionCountMax { idle.append(handle) }
    }
  }
}
