import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// Why the admin API does not do what it is asked, as `application/problem+json` (RFC 9457).
struct AdminProblem: Error {
  let status: Int
  let title: String
  let detail: String
  /// What to do about it, as an instruction.
  var fix: String?
  /// Where in the body.
  var position: SourcePosition?
  var headers: [HeaderField] = []

  var answer: OwnAnswer {
    var writer = JSONWriter()
    writer.object { object in
      object.member("title", title)
      object.key("status")
      object.int(status)
      object.member("detail", detail)
      if let fix { object.member("fix", fix) }
      if let position {
        object.key("line")
        object.int(position.line)
        object.key("column")
        object.int(position.column)
      }
    }
    return OwnAnswer(
      status: status, contentType: "application/problem+json", headers: headers, json: writer)
  }
}

extension AdminProblem {
  static func badRequest(
    _ detail: String, fix: String? = nil, at position: SourcePosition? = nil
  ) -> Self {
    Self(
      status: 400, title: "The request cannot be understood", detail: detail, fix: fix,
      position: position)
  }

  static func badBody(_ error: JSONError) -> Self {
    badRequest("the body is no JSON: \(error.message)", fix: error.fix, at: error.position)
  }

  static func missing(_ noun: String, _ name: String, among known: [String]) -> Self {
    Self(
      status: 404, title: "There is no such \(noun)", detail: "found no \(noun) \"\(name)\"",
      fix: Spelling.suggestion(for: name, among: known)
        ?? (known.isEmpty || known.count > 12 ? nil : "there are \(known.joined(separator: ", "))"))
  }

  static func wrongMethod(_ method: String, path: String, allowed: [String]) -> Self {
    let list = allowed.joined(separator: ", ")
    return Self(
      status: 405, title: "The method does not apply here",
      detail: "found method \(method) on \(path), expected \(list)",
      headers: [HeaderField(name: "Allow", value: list)])
  }

  init(_ refusal: AccessGate.Refusal, authority: String) {
    switch refusal {
    case .host(let host): self = .foreign("Host", host, expected: authority)
    case .origin(let origin):
      self = .foreign("Origin", origin, expected: "http://\(authority) or none")
    case .token:
      self.init(
        status: 401, title: "The admin token is needed",
        detail:
          "found no valid token, expected Authorization: Bearer with the server's admin token",
        headers: [HeaderField(name: "WWW-Authenticate", value: "Bearer")])
    }
  }

  private static func foreign(_ header: String, _ value: String, expected: String) -> Self {
    Self(
      status: 403, title: "Only programs on this machine may steer the server",
      detail: "found \(header) \"\(value)\", expected \(expected)",
      fix: "use the address the server printed when it started")
  }

  static let noShutdown = Self(
    status: 501, title: "The server cannot be ended from outside",
    detail: "the program that started this server ends it")
}
