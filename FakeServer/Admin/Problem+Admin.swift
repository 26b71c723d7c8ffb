import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Why the admin API rejects a request.
extension Problem {
  static func badRequest(
    _ detail: String, fix: String? = nil, at position: SourcePosition? = nil
  ) -> Self {
    Self(
      status: 400, title: "The request cannot be understood", detail: detail, fix: fix,
      writeMore: { object in
        guard let position else { return }
        object.key("line")
        object.int(position.line)
        object.key("column")
        object.int(position.column)
      })
  }

  static func badBody(_ error: JSONError) -> Self {
    badRequest("the body is not valid JSON: \(error.message)", fix: error.fix, at: error.position)
  }

  static func unexpected(_ value: JSONValue, expected: String) -> Self {
    .badRequest("found \(value.summary), expected \(expected)", at: value.position)
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
      status: 405, title: "The method is not allowed here",
      detail: "found method \(method) on \(path), expected \(list)",
      headers: [HeaderField(name: "Allow", value: list)])
  }

  /// What lint finds in a contract.
  static func wrongContract(_ findings: [Finding]) -> Self {
    let first = findings.first
    return Self(
      status: 422, title: "The contract has errors",
      detail: first?.message ?? "found no contract", fix: first?.fix,
      writeMore: { object in
        object.list("diagnostics", findings) { writer, finding in
          writer.object { object in
            object.member("severity", finding.severity.word)
            object.member("rule", finding.type.rawValue)
            object.member("message", finding.message)
            object.member("fix", finding.fix)
            object.member("line", finding.position?.line)
            object.member("column", finding.position?.column)
          }
        }
      })
  }

  static func tooManyStubs(_ full: StubShelf.Full) -> Self {
    Self(
      status: 507, title: "The session has too many contracts",
      detail: "the contracts made at run time would be more than \(full.limit)",
      fix: "delete some, or reset the session")
  }

  static let noSaving = Self(
    status: 403, title: "The server may not write files",
    detail: "only a server that was started with --allow-save writes contracts",
    fix: "understudy serve --allow-save")

  init(_ refusal: AccessGate.Refusal, authority: String) {
    switch refusal {
    case .host(let host): self = .foreign("Host", host, expected: authority)
    case .origin(let origin):
      self = .foreign("Origin", origin, expected: "http://\(authority) or none")
    case .token:
      self.init(
        status: 401, title: "The admin token is required",
        detail:
          "found no valid token, expected Authorization: Bearer with the server's admin token",
        headers: [HeaderField(name: "WWW-Authenticate", value: "Bearer")])
    }
  }

  private static func foreign(_ header: String, _ value: String, expected: String) -> Self {
    Self(
      status: 403, title: "Only programs on this machine may control the server",
      detail: "found \(header) \"\(value)\", expected \(expected)",
      fix: "use the address the server printed when it started")
  }

  static let masked = Self(
    status: 403, title: "Only programs on this machine may see secrets",
    detail: "found unmasked=true from another machine, expected a client on the server's own",
    fix: "leave out unmasked, or run the client where the server runs")

  static let noShutdown = Self(
    status: 501, title: "The server cannot be stopped over HTTP",
    detail: "only the program that started this server can stop it")
}
