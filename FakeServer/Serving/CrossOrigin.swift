import ContractModel

/// What a page of another origin has to be told before its browser lets it read an answer.
///
/// The admin API is never opened so: any page could steer the server then.
enum CrossOrigin {
  /// The headers that open an answer to the page that asked; empty for a request of no page.
  static func addedLines(for request: Request) -> [UInt8] {
    guard let origin = request.headerValue("origin"), !Welcome.owns(request.path) else { return [] }
    let lines = [
      "", "Access-Control-Allow-Origin: \(origin)", "Access-Control-Allow-Credentials: true",
      "Access-Control-Expose-Headers: *", "Vary: Origin",
    ]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// Whether a case speaks of this itself, and so nothing is to be added.
  static func isSettled(by played: Case) -> Bool {
    let name = "access-control-allow-origin"
    return played.response?.headers.contains { $0.name.lowercased() == name } ?? false
  }

  /// The answer to a browser that asks beforehand whether a page may send a request; `nil` when
  /// this is no such question.
  static func preflight(_ request: Request) -> OwnAnswer? {
    guard request.method == "OPTIONS", !Welcome.owns(request.path),
      request.headerValue("origin") != nil,
      let method = request.headerValue("access-control-request-method")
    else { return nil }
    var lines = "Access-Control-Allow-Methods: \(method)\r\n"
    if let names = request.headerValue("access-control-request-headers") {
      lines += "Access-Control-Allow-Headers: \(names)\r\n"
    }
    return OwnAnswer(status: 204, headerLines: lines)
  }
}

extension Request {
  /// The first line of this name, which is in small letters.
  func headerValue(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }
}
