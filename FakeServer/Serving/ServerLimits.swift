package import UnderstudyHTTP

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
  package var drainMax: Duration = .seconds(2)
  /// Beside the main one.
  package var sessionCountMax = 1_000
  package var journalRecordCountMax = 10_000
  package var journalByteCountMax = 8 << 20
  package var journalBodyByteCountMax = 64 << 10

  package init() {}
}

extension Duration {
  /// Thirty years: what is longer is cut to it, so that a time can be reckoned from any other.
  static let nanosecondsMax: Int64 = 1_000_000_000_000_000_000

  var nanoseconds: Int64 {
    guard components.seconds < Self.nanosecondsMax / 1_000_000_000 else {
      return Self.nanosecondsMax
    }
    return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
