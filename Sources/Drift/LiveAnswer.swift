package import UnderstudyContractModel

/// What a live API answered, or what was kept of it.
package struct LiveAnswer: Hashable, Sendable {
  package let status: Int
  /// As they came, with duplicates.
  package let headers: [HeaderField]
  /// Decoded.
  package let body: [UInt8]
  /// From the request to the last byte of the answer.
  package let latency: Duration
  /// When it was sent, in seconds since 1970, if that was in an earlier run and the upstream said now
  /// that it still holds.
  package let wholeAt: Int?

  package init(
    status: Int, headers: [HeaderField], body: [UInt8], latency: Duration, wholeAt: Int? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.latency = latency
    self.wholeAt = wholeAt
  }

  /// How long it took to answer; zero when it was not sent.
  var ownLatency: Duration { wholeAt == nil ? latency : .zero }
}
