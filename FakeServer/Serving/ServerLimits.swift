package import HTTP

/// How much a server takes from its clients, and how long it waits for them.
package struct ServerLimits: Sendable {
  package var message = MessageLimits()
  /// On one loop.
  package var connectionCountMax = 20_000
  /// Without a request.
  package var idleMax: Duration = .seconds(75)
  /// From the first byte of a request to its last.
  package var requestMax: Duration = .seconds(30)
  /// After the last answer of a connection, for the client to notice.
  package var drainMax: Duration = .seconds(2)
  package var journalRecordCountMax = 10_000
  package var journalByteCountMax = 8 << 20
  package var journalBodyByteCountMax = 64 << 10

  package init() {}
}

extension Duration {
  var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
