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
      status: 404, title: "There is no such \(noun)", detail: "no \(noun) \"\(name)\"",
      fix: Spelling.suggestion(for: name, among: known)
        ?? (known.isEmpty || known.count > 12 ? nil : "known: \(known.joined(separator: ", "))"))
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
      detail: first?.message ?? "no contract", fix: first?.fix,
      writeMore: { $0.diagnostics(findings, namingFiles: false) })
  }

  /// - Parameter fix: what to do instead with the contract of a file.
  static func notMade(_ contract: Contract, fix: String) -> Self {
    Self(
      status: 409, title: "The contract was not made at run time",
      detail: "found \(contract.id) in \(contract.file), expected one made with PUT", fix: fix)
  }

  static func noFile(of contract: Contract) -> Self {
    Self(
      status: 409, title: "The contract has no file",
      detail: "no \(contract.file): \(contract.id) was imported, or its file is gone")
  }

  static func changedFile(of contract: Contract) -> Self {
    Self(
      status: 409, title: "The file has changed",
      detail: "the file of \(contract.id) has changed since the contract was made",
      fix: "DELETE the contract, take the file's text from its source, and PUT it with your changes"
    )
  }

  static func tooManyStubs(_ full: StubShelf.Full) -> Self {
    Self(
      status: 507, title: "The session has too many contracts",
      detail: "the contracts made at run time would be more than \(full.limit)",
      fix: "delete some, or reset the session")
  }

  static func notInHandshake(_ refusal: HandshakeRefusal) -> Self {
    Self(
      status: 409, title: "No connection can meet the case", detail: refusal.message,
      fix: refusal.fix)
  }

  static let noSaving = Self(
    status: 403, title: "The server may not write files",
    detail: "only a server that was started with --allow-save writes contracts",
    fix: "understudy serve --allow-save")

  init(_ refusal: AccessGate.Refusal, origin: Origin) {
    let detail = refusal.detail(at: origin)
    switch refusal {
    case .host, .origin, .site:
      self.init(
        status: 403, title: "Only programs on this machine may control the server",
        detail: detail, fix: "use the address the server printed when it started")
    case .token:
      self.init(
        status: 401, title: "The admin token is required", detail: detail,
        headers: [HeaderField(name: "WWW-Authenticate", value: "Bearer")])
    }
  }

  static let masked = Self(
    status: 403, title: "Only programs on this machine may see secrets",
    detail: "found unmasked=true from another machine, expected a client on the server's own",
    fix: "leave out unmasked, or run the client where the server runs")

  static let noShutdown = Self(
    status: 501, title: "The server cannot be stopped over HTTP",
    detail: "only the program that started this server can stop it")
}
