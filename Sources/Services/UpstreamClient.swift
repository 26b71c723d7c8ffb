import UnderstudyClient
import UnderstudyJSON

/// The client that a service uses for its upstream.
struct UpstreamClient: Sendable {
  typealias Header = (name: String, value: String)

  let baseURL: WebURL
  private let wiring: Wiring
  private let headers: [Header]
  private let secrets: [Header]
  private let limitsRate: Bool
  private let revalidation = Revalidation()

  /// - Parameters:
  ///   - headers: of every request.
  ///   - secrets: of requests below the base URL only.
  ///   - limitsRate: whether 403 and 429 may mean a rate limit.
  init(
    _ baseURL: WebURL, _ wiring: Wiring, headers: [Header] = [("Accept", "application/json")],
    secrets: [Header] = [], limitsRate: Bool = false
  ) {
    self.baseURL = baseURL
    self.wiring = wiring
    self.headers = headers + [("User-Agent", "understudy")]
    self.secrets = secrets
    self.limitsRate = limitsRate
  }

  /// The value in a response of 200; anything else is an error.
  func get<Value: Decodable & Sendable>(
    _ type: Value.Type, _ url: WebURL, revalidates: Bool = false
  ) async throws(ServiceError) -> Value {
    try value(type, in: await get(url, revalidates: revalidates))
  }

  /// A response of 200.
  ///
  /// - Parameter revalidates: whether a response with an `ETag` is stored, and returned again after
  ///   a 304.
  func get(
    _ url: WebURL, revalidates: Bool = false
  ) async throws(ServiceError) -> ClientResponse {
    var request = request(.get, url)
    let kept = revalidates ? revalidation.kept(for: url) : nil
    if let kept { request.headers["If-None-Match"] = kept.tag }
    let response = try await send(request)
    if response.status == 304, let kept { return kept.response }
    let good = try accept(response)
    if revalidates { revalidation.keep(good, for: url) }
    return good
  }

  /// The value in the response to a request that changes something, which is never retried.
  func change<Value: Decodable & Sendable>(
    _ type: Value.Type, _ method: HTTPMethod, _ url: WebURL, body: [UInt8]? = nil
  ) async throws(ServiceError) -> Value {
    var request = request(method, url)
    request.options.goesOnce = true
    request.body = body
    if body != nil { request.headers["Content-Type"] = "application/json" }
    return try value(type, in: accept(await send(request)))
  }

  func value<Value: Decodable>(
    _ type: Value.Type, in response: ClientResponse
  ) throws(ServiceError) -> Value {
    do throws(JSONDecodingError) {
      return try wiring.decoder.decode(type, from: response.body)
    } catch {
      let place = error.path.isEmpty ? "" : "\(error.path): "
      throw .invalidData("\(error.line):\(error.column): \(place)\(error.message)")
    }
  }

  private func request(_ method: HTTPMethod, _ url: WebURL) -> ClientRequest {
    let fields = baseURL.contains(url) ? headers + secrets : headers
    return ClientRequest(
      method, url: url.text, headers: HTTPHeaders(fields.map { .init($0.name, $0.value) }),
      options: wiring.options)
  }

  private func send(_ request: ClientRequest) async throws(ServiceError) -> ClientResponse {
    do throws(TransportError) {
      return try await wiring.transport.send(request)
    } catch {
      throw .connectivity(error)
    }
  }

  private func accept(_ response: ClientResponse) throws(ServiceError) -> ClientResponse {
    guard response.status != 200 else { return response }
    throw (limitsRate ? RateLimit.error(in: response) : nil) ?? .unexpectedStatus(response.status)
  }
}
