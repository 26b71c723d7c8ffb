import UnderstudyContractModel

/// What a page of another origin has to be told before its browser lets it read an answer.
///
/// The admin API is never opened so: any page could steer the server then.
enum CrossOrigin {
  /// The headers that open an answer to the page that asked; empty for a request of no page, and
  /// for one whose own headers speak of this.
  static func addedLines(for request: Request, beside headers: [HeaderField] = []) -> [UInt8] {
    guard let origin = request.headerValue("origin"),
      !headers.contains(where: { $0.name.lowercased() == "access-control-allow-origin" })
    else { return [] }
    // To a page that sends credentials the star is a name like any other.
    let exposed = ["*", "Understudy-Contract", "Understudy-Case"] + headers.map(\.name)
    let lines = [
      "", "Access-Control-Allow-Origin: \(origin)", "Access-Control-Allow-Credentials: true",
      "Access-Control-Expose-Headers: \(exposed.joined(separator: ", "))", "Vary: Origin",
    ]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// The answer to a browser that asks beforehand whether a page may send a request; `nil` when
  /// this is no such question.
  static func preflight(_ request: Request) -> OwnAnswer? {
    guard request.method == "OPTIONS", request.headerValue("origin") != nil,
      let method = request.headerValue("access-control-request-method")
    else { return nil }
    var lines = "Access-Control-Allow-Methods: \(method)\r\n"
    if let names = request.headerValue("access-control-request-headers") {
      lines += "Access-Control-Allow-Headers: \(names)\r\n"
    }
    return OwnAnswer(status: 204, headerLines: lines)
  }
}
