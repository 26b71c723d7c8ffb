import UnderstudyClient
import UnderstudyJSON

/// The rate limit in a response.
enum RateLimit {
  /// The error when a status of 403 or 429 means a rate limit, as GitHub documents it; `nil` when
  /// access is refused for another reason. It includes the end of the limit only if the response
  /// gives a date, not seconds from now as in `Retry-After`.
  static func error(in response: ClientResponse) -> ServiceError? {
    let retryAfter = response.headers["Retry-After"]
    let isUsedUp = response.headers["X-RateLimit-Remaining"] == "0"
    guard
      response.status == 429
        || response.status == 403 && (retryAfter != nil || isUsedUp || speaksOfLimit(response))
    else { return nil }
    if let retryAfter { return .rateLimited(until: Moment(httpDate: retryAfter)?.unixSeconds) }
    return .rateLimited(
      until: isUsedUp ? response.headers["X-RateLimit-Reset"].flatMap { Int(digits: $0) } : nil)
  }

  /// Only the message identifies the secondary limit.
  private static func speaksOfLimit(_ response: ClientResponse) -> Bool {
    let refusal = try? JSONTreeDecoder().decode(Refusal.self, from: response.body)
    return refusal?.message.lowercased().contains("rate limit") ?? false
  }

  private struct Refusal: Decodable {
    let message: String
  }
}
