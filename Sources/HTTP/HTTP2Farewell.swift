/// What a client of HTTP/2 is told by a server that does not speak it (RFC 9113, section 6).
package enum HTTP2Farewell {
  private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
  private static let goAway: UInt8 = 7
  /// HTTP_1_1_REQUIRED.
  private static let reason: [UInt8] = [0, 0, 0, 13]

  /// Frames that name the reason, and have a message that many clients show.
  package static func bytes(_ message: String) -> [UInt8] {
    let payload = [0, 0, 0, 0] + reason + Array(message.utf8)
    let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
    return settings + length + [goAway, 0, 0, 0, 0, 0] + payload
  }
}
