import CCurl
import Glibc

/// The thread that owns curl, as others see it: a mailbox to leave work in.
final class CurlDriver: Sendable {
  let mailbox: CurlMailbox

  /// Starts the thread; a `close` command ends it.
  init(_ configuration: CurlConfiguration) throws(TransportError) {
    guard Self.curlIsReady else { throw TransportError(.failed, "libcurl cannot be initialized") }
    mailbox = try CurlMailbox()
    let loop = try CurlLoop(configuration, mailbox)
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

  /// Once in a process, whichever thread comes first.
  private static let curlIsReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
