import UnderstudyServices

extension ServiceError {
  /// A short message for users.
  var message: String {
    switch self {
    case .connectivity: "No connection"
    case .invalidData: "Invalid response"
    case .unexpectedStatus(let status): "Error \(status)"
    case .rateLimited: "Too many requests"
    case .invalidURL: "Invalid address"
    }
  }
}
