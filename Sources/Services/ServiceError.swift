public import UnderstudyClient

/// Why a service has nothing to give.
public enum ServiceError: Error, Hashable, Sendable {
  /// No response came, or not all of one.
  case connectivity(TransportError)
  /// The response is not what the upstream promises; with the place and reason.
  case invalidData(String)
  case unexpectedStatus(Int)
  /// Too many requests; with the end of the limit in seconds since 1970, if the upstream gives it.
  case rateLimited(until: Int?)
  /// The requested URL is not an address of the upstream.
  case invalidURL(String)

  /// As `consumers.json` calls it.
  public var name: String {
    switch self {
    case .connectivity: "connectivity"
    case .invalidData: "invalidData"
    case .unexpectedStatus: "unexpectedStatus"
    case .rateLimited: "rateLimited"
    case .invalidURL: "invalidURL"
    }
  }

  /// Whether it is only that nobody waits for the response any more.
  public var isCancellation: Bool {
    if case .connectivity(let error) = self { error.kind == .cancelled } else { false }
  }
}

extension ServiceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .connectivity(let error): "\(error)"
    case .invalidData(let reason): reason
    case .unexpectedStatus(let status): "found status \(status), expected 200"
    case .rateLimited(nil): "too many requests"
    case .rateLimited(let until?):
      "too many requests, wait until \(Moment(unixSeconds: until).httpDate)"
    case .invalidURL(let text): "this URL is not the upstream's: \(text)"
    }
  }
}
