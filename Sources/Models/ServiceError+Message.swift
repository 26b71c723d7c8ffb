import UnderstudyServices

extension ServiceError {
  /// For somebody who wanted to see something else.
  var message: String {
    switch self {
    case .connectivity: "No connection"
    case .invalidData: "Unreadable answer"
    case .unexpectedStatus(let status): "Error \(status)"
    case .rateLimited: "Asked too often"
    case .invalidURL: "Invalid address"
    }
  }
}
