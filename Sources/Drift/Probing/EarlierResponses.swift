import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudySecrets

/// Stored responses of earlier runs, revalidated by `ETag`: an upstream that responds with 304 need
/// not send the response again.
package struct EarlierResponses: Sendable {
  private struct Key: Hashable {
    let method: String
    /// No upstream gets the tag of another.
    let baseURL: WebURL
    let target: String
  }

  private var responses: [Key: EarlierResponse] = [:]
  private let mask: SecretMask

  /// No responses: nothing is revalidated.
  package init() { self.init(of: []) }

  init(of upstreams: [LiveUpstream]) { mask = SecretMask(of: upstreams) }

  mutating func add(
    _ response: EarlierResponse, to method: String, at baseURL: WebURL, _ target: String
  ) {
    responses[Key(method: method, baseURL: baseURL, target: target)] = response
  }

  /// The response that an upstream may confirm; `nil` for a request with its own conditions.
  func response(
    to request: ClientRequest, of upstream: LiveUpstream, target: String
  ) -> EarlierResponse? {
    let key = Key(
      method: request.method.rawValue, baseURL: upstream.baseURL,
      target: mask.masked(target))
    guard let earlier = responses[key], key.target == target, !request.hasConditions,
      earlier.response.body.count <= request.options.bodyBytesMax,
      mask.selectors(of: earlier.response, in: request, to: upstream) == earlier.selectors
    else { return nil }
    return earlier
  }
}

extension SecretMask {
  /// A fingerprint of the request headers that select a response: those in `Vary`, and two that it
  /// need not name. `nil` if unknown.
  ///
  /// Secrets are masked, so a new secret does not change the fingerprint; the upstream gets the new
  /// one anyway.
  func selectors(
    of response: LiveResponse, in request: ClientRequest, to upstream: LiveUpstream
  ) -> String? {
    let varying = (response.header("vary") ?? "").lowercased().split(separator: ",").map {
      $0.filter { $0 != " " && $0 != "\t" }
    }
    guard !varying.contains("*") else { return nil }
    let sent =
      request.headers.fields.map { HeaderField(name: $0.name, value: $0.value) }
      + upstream.secrets
    let selectors = Set(varying + ["accept", "accept-language"]).sorted().compactMap { name in
      sent.value(of: name).map { HeaderField(name: name, value: $0) }
    }
    var fingerprint = Fingerprint()
    for field in masked(selectors) { fingerprint.add("\(field.name): \(field.value)\n".utf8) }
    return fingerprint.hex
  }
}

extension ClientRequest {
  /// Whether it is a range or conditional request.
  var hasConditions: Bool {
    headers.fields.contains { RequestHeaders.conditional.contains(HeaderName($0.name)) }
  }
}
