import Glibc
import Synchronization
import UnderstudyCCurl

/// The thread that drives curl, as others see it: a mailbox to leave work in, and handles to lend.
///
/// Connections, and addresses that were looked up, belong to the thread, not to the handles.
final class CurlDriver: Sendable {
  let mailbox: CurlMailbox
  private let configuration: CurlConfiguration
  /// Kept by the thread and by every handle.
  let time = LoopTime()
  private let idle = Mutex<[CurlHandle]>([])

  /// Starts the thread; a `close` command ends it.
  init(_ configuration: CurlConfiguration) throws(TransportError) {
    guard Self.curlIsReady else { throw TransportError(.failed, "libcurl cannot be initialized") }
    mailbox = try CurlMailbox()
    self.configuration = configuration
    let loop = try CurlLoop(configuration, mailbox, time)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(loop)
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        // SAFETY: retained for this thread alone, by the call that started it.
        Unmanaged<CurlLoop>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw TransportError(.failed, "cannot start a thread: \(String(cString: strerror(code)))")
    }
  }

  /// A handle to send one request by.
  func takeHandle() throws(TransportError) -> CurlHandle {
    if let handle = idle.withLock({ $0.popLast() }) ?? CurlHandle(configuration, time) {
      return handle
    }
    throw TransportError(.failed, "libcurl lacks memory")
  }

  /// Keeps a handle for the next request. Not after a failure: what it knows of the last error would
  /// be taken for the next one's.
  func giveBack(_ handle: CurlHandle) {
    guard Self.handlesCanBeReused else { return }
    handle.clear()
    idle.withLock { idle in
      if idle.count < configuration.connectionCountMax { idle.append(handle) }
    }
  }

  /// Whether the libcurl of this machine forgets an answer's headers before the next. Older ones keep
  /// a pointer to the last of them, which is used once it is freed when the next answer begins with
  /// a folded line: whoever answers could corrupt memory (curl's pull request 11103, of May 2023).
  private static let handlesCanBeReused =
    curl_version_info(CURLVERSION_FIRST).map { $0.pointee.version_num >= 0x08_0200 } ?? false

  /// Once in a process, whichever thread comes first.
  private static let curlIsReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
