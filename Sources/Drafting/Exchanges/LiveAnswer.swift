package import UnderstudyContractModel
package import UnderstudyCore

/// What a live API answered, or what was kept of it.
package struct LiveAnswer: Hashable, Sendable {
  package let status: Int
  /// As they came, with duplicates.
  package let headers: [HeaderField]
  /// Decoded.
  package let body: [UInt8]
  /// From the request to the last byte of the answer.
  package let latency: Duration
  /// When it was sent, if that was in an earlier run and the upstream said now
  /// that it still holds.
  package let wholeAt: Moment?

  package init(
    status: Int, headers: [HeaderField], body: [UInt8], latency: Duration, wholeAt: Moment? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.latency = latency
    self.wholeAt = wholeAt
  }

  /// How long it took to answer; zero when it was not sent.
  package var ownLatency: Duration { wholeAt == nil ? latency : .zero }

  /// The values of a header as one, or `nil` without it.
  package func header(_ name: String) -> String? { headers.value(of: name) }
}

/// Whether an answer is another than a case of a contract says.
package typealias AnswerComparison = @Sendable (LiveAnswer, Case, Contract) -> Bool

extension [HeaderField] {
  package func value(of name: String) -> String? {
    let values = filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

extension [UInt8] {
  /// These bytes as text; `nil` where no text is, or control characters are among it.
  var plainText: String? {
    guard !contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }) else {
      return nil
    }
    return String(validating: self, as: UTF8.self)
  }
}
