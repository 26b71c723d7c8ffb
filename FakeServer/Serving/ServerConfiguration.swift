import UnderstudyContractModel
package import UnderstudyHTTP
package import UnderstudySystem

/// How a server is to behave.
package struct ServerConfiguration: Sendable {
  package var address = SocketAddress(host: "127.0.0.1", port: 0)
  package var threadCount = 1
  package var limits = ServerLimits()
  /// Factor by which every delay is multiplied.
  package var timeScale = 1.0
  /// For everything that is drawn.
  package var seed: UInt64 = 0
  /// Whether answers tell the contract and the case they come from.
  package var namesCases = true
  /// Whether browsers on any page may read the answers.
  package var allowsCORS = false
  /// Whose pages may read the answers, and send requests that are relayed: as browsers write it.
  package var allowedOrigins: Set<String> = []
  /// Whether links to live APIs in answers lead to the fake instead.
  package var rewritesLinks = false
  /// Whether each upstream has a port of its own besides the one they share.
  package var givesPorts = false
  /// What the admin API asks for as `Authorization: Bearer …` or `Understudy-Token`, nothing if it is
  /// `nil`; must be there to listen to more than this machine, where the relay asks for it, too.
  package var adminToken: String?
  /// Headers and query parameters the journal does not show, beside those that carry credentials
  /// anyway.
  package var redactedNames: [String] = []
  /// Who answers what no contract does, or all of it.
  package var relay: Relay?
  /// Called when the admin API is asked to end the server, which is its owner's to do.
  package var shutdownRequested: (@Sendable () -> Void)?
  /// Told of every request that is over, in batches, on a thread that must not be kept.
  package var listener: (@Sendable ([Exchange]) -> Void)?

  package init() {}
}

extension ServerConfiguration {
  /// Whether the page that asks may read the answer.
  func opens(to request: Request) -> Bool {
    allowsCORS
      || request.headerValue("origin").map { allowedOrigins.contains($0.lowercased()) } ?? false
  }
}

/// How much a server takes from its clients, and how long it waits for them.
package struct ServerLimits: Sendable {
  package var message = MessageLimits()
  /// On one loop.
  package var connectionCountMax = 20_000
  /// Of all requests under way together, on all connections; what passes it waits in the kernel.
  package var bodiesByteCountMax = 256 << 20
  /// Without a request.
  package var idleMax: Duration = .seconds(75)
  /// From the first byte of a request to its last.
  package var requestMax: Duration = .seconds(30)
  /// After the last answer of a connection, for the client to notice.
  var drainMax: Duration = .seconds(2)
  /// Beside the main one.
  package var sessionCountMax = 1_000
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
