import Synchronization
package import UnderstudyClient
import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting
package import UnderstudyFakeServer
import UnderstudyJSON
import UnderstudySecrets

/// Sends clients' requests to live APIs, and turns the responses into ones for the clients.
///
/// libcurl is loaded for the first request. Any thread may use it.
package final class LiveForwarder: Sendable {
  private static let underWayCountMax = 64

  /// Request headers for the fake itself, or set by the transport.
  private static let ownRequestFields: Set<HeaderName> = [
    "host", "prefer", "accept-encoding", "expect", "proxy-authorization",
  ]
  private static let ownResponseFields: Set<HeaderName> = [
    "content-encoding", "date", "proxy-authenticate",
  ]

  private struct State {
    /// By whether it reaches only this machine.
    var transports: [Bool: CurlTransport] = [:]
    var underWayCount = 0
  }

  private let state = Mutex(State())
  private let timeout: Duration
  let isLedAway: Bool

  /// - Parameter timeout: from the first byte of a request to the last of its response, however slowly
  ///   it comes.
  /// - Parameter isLedAway: whether clients, and no files, say which hosts are asked: some addresses
  ///   are not for them.
  package init(timeout: Duration = .seconds(60), isLedAway: Bool = false) {
    self.timeout = timeout
    self.isLedAway = isLedAway
  }

  /// What came of a request.
  enum Outcome {
    case responded(LiveResponse)
    /// With the reason if it cannot be recorded for its size.
    case failed(RelayedResponse, unrecorded: String?)
  }

  /// For a server; the response is kept nowhere.
  package var ask: Relay.Ask {
    { [self] relayed, then in
      Errand {
        switch await self.send(relayed) {
        case .responded(let response): then(Self.response(response))
        case .failed(let response, _): then(response)
        }
      }
    }
  }

  func send(_ relayed: RelayedRequest) async -> Outcome {
    let asked = relayed.request
    // Clients and servers resolve such segments, and paths above the base URL must not be reached.
    guard !RecordedExchange.climbs(path: asked.path) else {
      return .problem(400, "the path has a . or .. segment, which is not forwarded")
    }
    let transport = state.withLock { state -> CurlTransport? in
      guard state.underWayCount < Self.underWayCountMax else { return nil }
      state.underWayCount += 1
      let isLocal = relayed.baseURL.isLoopback
      let transport = state.transports[isLocal] ?? .direct(to: [relayed.baseURL])
      state.transports[isLocal] = transport
      return transport
    }
    guard let transport else {
      return .problem(
        503, "\(Self.underWayCountMax) requests to live APIs are under way, which is the maximum")
    }
    defer { state.withLock { $0.underWayCount -= 1 } }
    let query = asked.query.map { "?\($0)" } ?? ""
    var request = ClientRequest(
      HTTPMethod(rawValue: asked.method), url: "\(relayed.baseURL)\(asked.path)\(query)",
      body: asked.body.isEmpty ? nil : asked.body)
    request.options.bodyBytesMax = RecordingClient.bodyBytesMax
    request.options.totalTimeout = timeout
    request.isLedAway = isLedAway
    if isLedAway, let address = request.closedAddress {
      return .problem(403, address.refusalOfRedirect)
    }
    // A client that knows of no fake says to the live API what it prefers.
    let own = isLedAway ? Self.ownRequestFields.subtracting(["prefer"]) : Self.ownRequestFields
    for field in asked.headers where !Self.isLeft(field, own) {
      request.headers.append(field.name, field.value)
    }
    do throws(TransportError) {
      return .responded(LiveResponse(try await transport.send(request)))
    } catch {
      let shown = SecretMask.standard.masked(target: request.url)
      let reason = "\(error)".replacing(request.url, with: shown)
      let isTooLarge = error.kind == .tooLarge
      return .problem(
        502, "no response from \(relayed.baseURL): \(reason)",
        unrecorded: isTooLarge
          ? "the response has more than \(RecordingClient.bodyBytesMax >> 20) MiB" : nil)
    }
  }

  /// As the client gets it.
  static func response(_ response: LiveResponse) -> RelayedResponse {
    RelayedResponse(
      status: response.status, headers: response.headers.filter { !isLeft($0, ownResponseFields) },
      body: response.body, contentLength: response.contentLength)
  }

  private static func isLeft(_ field: HeaderField, _ own: Set<HeaderName>) -> Bool {
    HeaderName.ofConnection.contains(field.key) || own.contains(field.key)
  }
}

extension LiveForwarder.Outcome {
  fileprivate static func problem(
    _ status: Int, _ detail: String, unrecorded: String? = nil
  ) -> Self {
    var writer = JSONWriter()
    writer.object { object in
      object.member(
        "title", status == 502 ? "The live API did not respond" : "The request was not forwarded")
      object.member("status", status)
      object.member("detail", detail)
    }
    let response = RelayedResponse(
      status: status,
      headers: [HeaderField(name: "Content-Type", value: "application/problem+json")],
      body: writer.bytes + Array("\n".utf8), problem: detail)
    return .failed(response, unrecorded: unrecorded)
  }
}

extension LiveResponse {
  /// The declared length, if the body was not decoded.
  fileprivate var contentLength: Int? {
    let names = Set(headers.map(\.key))
    guard !names.contains("content-encoding") else { return nil }
    return headers.first { $0.key == "content-length" }.flatMap { Int($0.value) }
      .flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension CurlTransport {
  /// Uses the environment's proxies unless all of these URLs are on this machine.
  package static func direct(to baseURLs: some Sequence<WebURL>) -> CurlTransport {
    var configuration = CurlConfiguration.ofUser
    configuration.ignoresProxies = baseURLs.allSatisfy(\.isLoopback)
    return CurlTransport(configuration)
  }
}
