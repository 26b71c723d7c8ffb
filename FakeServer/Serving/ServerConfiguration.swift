package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyHTTP
package import UnderstudySystem

/// The options of a server.
package struct ServerConfiguration: Sendable {
  package var address = SocketAddress(host: "127.0.0.1", port: 0)
  package var threadCount = 1
  package var limits = ServerLimits()
  /// The factor for every delay.
  package var timeScale = 1.0
  /// For all random values.
  package var seed: UInt64 = 0
  /// Whether responses name their contract and case.
  package var namesCases = true
  /// Whether pages of any origin may read the responses.
  package var allowsCORS = false
  /// The origins whose pages may read responses and send forwarded requests, as browsers write
  /// them.
  package var allowedOrigins: Set<String> = []
  /// Whether links to live APIs in responses are rewritten to the fake.
  package var rewritesLinks = false
  /// Whether each upstream has its own port besides the shared one.
  package var givesPorts = false
  /// The upstream that the shared port stands for: clients leave out its name.
  package var rootUpstream: String?
  /// The token that the admin API requires as `Authorization: Bearer …` or `Understudy-Token`;
  /// `nil` for none. Required when listening to other machines; forwarding then requires it, too.
  package var adminToken: String?
  /// For clients that have it as their proxy; `nil` where they may not.
  package var proxy: ForwardProxy?
  /// For clients that begin TLS, on every port; `nil` where none may.
  package var certificates: ServerCertificates?
  /// Whether its own addresses are `https` where clients may begin TLS.
  package var announcesTLS = true
  /// Additional headers and query parameters to redact in the request log.
  package var redactedNames: [String] = []
  /// Where requests without a contract, or all requests, are forwarded.
  package var relay: Relay?
  /// Sends requests to the live APIs of upstreams whose mode is `live`; `nil` where none can be.
  package var live: Relay.Ask?
  /// Sends callbacks; `nil` where none can be sent.
  package var callbackSender: (any CallbackSender)?
  /// Called when a callback is over, without secrets, on a thread that it must not block.
  package var callbackListener: (@Sendable (ServedCase, CallbackAttempt) -> Void)?
  /// What controls the server besides its own API.
  package var apis: [any ServerAPI] = []
  /// Writes contracts made at run time to their files; `nil` where clients may not.
  package var saving: (any ContractSaving)?
  /// Records for clients that start and stop it; `nil` where they may not.
  package var recording: (any ContractRecording)?
  /// Called when the admin API is asked to stop the server, which its owner must do.
  package var shutdownRequested: (@Sendable () -> Void)?
  /// Receives all completed requests in batches, on a thread that it must not block.
  package var listener: (@Sendable (ExchangeBatch) -> Void)?

  package init() {}
}

/// Writes contracts to their files, on a thread that may wait.
package protocol ContractSaving: Sendable {
  /// What the file of a contract has; `nil` where there is none.
  func text(of name: String, in upstreamName: String) throws(Failure) -> [UInt8]?

  /// Returns the file's path.
  func save(_ text: [UInt8], as name: String, of upstream: Upstream) throws(Failure) -> String
}

extension ServerConfiguration {
  /// Whether the requesting page may read the response.
  func opens(to request: Request) -> Bool {
    allowsCORS
      || request.headerValue("origin").map { allowedOrigins.contains($0.lowercased()) } ?? false
  }
}

/// Limits for a server's clients: sizes, counts and times.
package struct ServerLimits: Sendable {
  package var message = MessageLimits()
  /// For each loop.
  package var connectionCountMax = 20_000
  /// For all incomplete requests on all connections; the rest waits in the kernel.
  package var bodiesByteCountMax = 256 << 20
  /// Without a request.
  package var idleMax: Duration = .seconds(75)
  /// From the first byte of a request to its last.
  package var requestMax: Duration = .seconds(30)
  /// After the last response of a connection, for the client to notice.
  var drainMax: Duration = .seconds(2)
  /// Besides the main session.
  package var sessionCountMax = 1_000
  /// Responses that are held at the same time; further ones are not held.
  package var heldCountMax = 1_000
  /// For the bodies of requests whose responses are held; one of them may exceed it.
  var heldByteCountMax = 64 << 20
  /// How long a response is held before it is released by itself.
  var heldMax: Duration = .seconds(300)
  /// Callbacks that wait or are under way at the same time; further ones are refused.
  package var callbackCountMax = 1_000
  var events = EventFeed.Limits()
  package var journalRecordCountMax = 10_000
  var journalByteCountMax = 8 << 20
  package var journalBodyByteCountMax = 64 << 10

  package init() {}
}

extension Listener.Limits {
  init(_ limits: ServerLimits) {
    self.init(
      message: limits.message, connectionCountMax: limits.connectionCountMax,
      idle: limits.idleMax.nanoseconds, request: limits.requestMax.nanoseconds,
      drain: limits.drainMax.nanoseconds)
  }
}
