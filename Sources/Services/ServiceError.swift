public import UnderstudyClient

/// Why a service has nothing to give.
public enum ServiceError: Error, Hashable, Sendable {
  /// No answer came, or not all of one.
  case connectivity(TransportError)
  /// An answer came, and is not what the upstream promises; says where and why.
  case invalidData(String)
  case unexpectedStatus(Int)
  /// Asked too often. Until when, in seconds since 1970, if the upstream names a moment.
  case rateLimited(until: Int?)
  /// What was to be asked is no address of the upstream.
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

  /// Whether it is only that nobody waits for the answer any more.
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
    case .rateLimited(nil): "asked too often"
    case .rateLimited(let until?):
      "asked too often, wait until \(Moment(unixSeconds: until).httpDate)"
    case .invalidURL(let text): "found no address of the upstream: \(text)"
    }
  }
}
