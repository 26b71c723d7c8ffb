import Synchronization
import UnderstudyClient
package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyFakeServer

/// Sends the callbacks of a fake over libcurl, which is loaded for the first of them.
///
/// Redirects are not followed. Each callback has a connection of its own, to an address that is not
/// link-local, whatever the name of its host resolves to. Any thread may use it.
package final class CallbackClient: CallbackSender {
  private static let bodyBytesMax = 1 << 20

  private let timeout: Duration
  /// By whether it reaches only this machine.
  private let transports = Mutex<[Bool: CurlTransport]>([:])

  /// - Parameter timeout: until the whole response of the receiver is there.
  package init(timeout: Duration = .seconds(10)) { self.timeout = timeout }

  package func send(
    _ method: String, _ url: WebURL, _ headers: [HeaderField], _ body: [UInt8]
  ) async throws(Failure) -> Int {
    let transport = transports.withLock { transports in
      let transport = transports[url.isLoopback] ?? .direct(to: [url])
      transports[url.isLoopback] = transport
      return transport
    }
    var request = ClientRequest(
      HTTPMethod(rawValue: method), url: url.text, body: body.isEmpty ? nil : body)
    for field in headers { request.headers.append(field.name, field.value) }
    request.options.bodyBytesMax = Self.bodyBytesMax
    request.options.totalTimeout = timeout
    request.options.goesOnce = true
    request.isLedAway = true
    do throws(TransportError) {
      return try await transport.send(request).status
    } catch {
      throw Failure(message: "\(error)")
    }
  }
}
