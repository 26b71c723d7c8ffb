package import UnderstudyContractModel
package import UnderstudyCore

/// A live API's response, or the part of it that was kept.
package struct LiveResponse: Hashable, Sendable {
  package let status: Int
  /// As received, with duplicates.
  package let headers: [HeaderField]
  /// Decoded.
  package let body: [UInt8]
  /// The full size of a body of which only the beginning was kept.
  package let cutFromByteCount: Int?
  /// From the request to the last byte of the response.
  package let latency: Duration
  /// When it was sent, if that was in an earlier run and the upstream has now revalidated it.
  package let wholeAt: Moment?

  package init(
    status: Int, headers: [HeaderField], body: [UInt8], cutFromByteCount: Int? = nil,
    latency: Duration, wholeAt: Moment? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.cutFromByteCount = cutFromByteCount
    self.latency = latency
    self.wholeAt = wholeAt
  }

  /// This response, with the body of the other if both are equal, so that it takes memory only
  /// once.
  package func sharingBody(with other: LiveResponse?) -> LiveResponse {
    guard let other, other.body == body else { return self }
    return LiveResponse(
      status: status, headers: headers, body: other.body, latency: latency, wholeAt: wholeAt)
  }

  /// The latency of the response; zero when it was not sent again.
  package var ownLatency: Duration { wholeAt == nil ? latency : .zero }

  /// All values of a header joined, or `nil` without it.
  package func header(_ name: String) -> String? { headers.value(of: name) }
}

/// Whether a response differs from a contract's case.
package typealias ResponseComparison = @Sendable (LiveResponse, Case, Contract) -> Bool

extension [HeaderField] {
  /// All values, each as `value(of:)` returns it.
  package var valuesByName: [HeaderName: String] {
    var values: [HeaderName: String] = [:]
    values.reserveCapacity(count)
    for field in self {
      let key = field.key
      if let place = values.index(forKey: key) {
        values.values[place] += ", \(field.value)"
      } else {
        values[key] = field.value
      }
    }
    return values
  }

  package func value(of name: String) -> String? {
    let key = HeaderName(name)
    var value: String?
    for field in self where key.isSpelled(field.name) {
      value = value.map { "\($0), \(field.value)" } ?? field.value
    }
    return value
  }
}

extension [UInt8] {
  /// The bytes as text; `nil` for invalid UTF-8 or control characters.
  var plainText: String? {
    guard !contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }) else {
      return nil
    }
    return String(validating: self, as: UTF8.self)
  }
}
