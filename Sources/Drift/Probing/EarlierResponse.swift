import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyRecording

/// A response stored whole, with nothing relevant masked.
struct EarlierResponse: Sendable {
  let tag: String
  let response: LiveResponse
  /// A fingerprint of the request headers that selected it.
  let selectors: String
  /// When it was sent whole.
  let wholeAt: Moment

  /// RFC 9110, section 8.8.3.
  static func isTag(_ text: String) -> Bool {
    let quoted = opaque(text)
    return quoted.utf8.count >= 2 && quoted.hasPrefix("\"") && quoted.hasSuffix("\"")
      && quoted.dropFirst().dropLast().utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
  }

  /// Without the mark of a weak tag: equivalent responses count as the same here.
  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag)
  }

  /// The response updated by a 304 (RFC 9111, section 4.3.4); `nil` if the 304 is for another one.
  func confirmed(by confirmation: ClientResponse) -> LiveResponse? {
    if let found = confirmation.headers["ETag"], Self.opaque(found) != Self.opaque(tag) {
      return nil
    }
    let news = LiveResponse(confirmation).headers.filter {
      !Self.ofMessage.contains($0.key)
    }
    let names = Set(news.map(\.key))
    return LiveResponse(
      status: response.status,
      headers: response.headers.filter { !names.contains($0.key) } + news,
      body: response.body, latency: confirmation.timing.total, wholeAt: wholeAt)
  }

  /// Headers of a 304 that describe its own message, or a body it does not have.
  private static let ofMessage = HeaderName.ofConnection.union([
    "content-encoding", "content-range", "content-type",
  ])
}
