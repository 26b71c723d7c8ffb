import UnderstudyClient
import UnderstudyJSON

/// What an answer says about how often one may ask.
enum RateLimit {
  /// The error when an answer of 403 or 429 means a limit of the rate, as GitHub documents it;
  /// `nil` when it is refused for another reason. It says until when only if the answer names a
  /// moment: seconds from now, as `Retry-After` may have them, name none.
  static func error(in answer: HTTPResponse) -> ServiceError? {
    let retryAfter = answer.headers["Retry-After"]
    let isUsedUp = answer.headers["X-RateLimit-Remaining"] == "0"
    guard
      answer.status == 429
        || answer.status == 403 && (retryAfter != nil || isUsedUp || speaksOfLimit(answer))
    else { return nil }
    if let retryAfter { return .rateLimited(until: Moment(httpDate: retryAfter)?.unixSeconds) }
    return .rateLimited(
      until: isUsedUp ? answer.headers["X-RateLimit-Reset"].flatMap { Int(digits: $0) } : nil)
  }

  /// The secondary limit shows in nothing but the words.
  private static func speaksOfLimit(_ answer: HTTPResponse) -> Bool {
    let refusal = try? JSONTreeDecoder().decode(Refusal.self, from: answer.body)
    return refusal?.message.lowercased().contains("rate limit") ?? false
  }

  private struct Refusal: Decodable {
    let message: String
  }
}
