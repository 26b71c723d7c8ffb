import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON

/// An error of the server itself, as `application/problem+json` (RFC 9457).
struct Problem: Error {
  let status: Int
  let title: String
  let detail: String
  /// How to fix it, as an instruction.
  var fix: String?
  var headers: [HeaderField] = []
  /// Writes additional members.
  var writeMore: @Sendable (inout JSONWriter) -> Void = { _ in }

  var response: OwnResponse {
    var writer = JSONWriter()
    writer.object { object in
      object.member("title", title)
      object.key("status")
      object.int(status)
      // Clients print these two.
      object.member("detail", detail.visible)
      if let fix { object.member("fix", fix.visible) }
      writeMore(&object)
    }
    return OwnResponse(
      status: status, contentType: "application/problem+json", headers: headers, json: writer)
  }
}

extension Problem {
  static func noContract(_ explanation: Explanation) -> Self {
    Self(
      status: 404, title: "No contract matches this request", detail: explanation.complaint,
      writeMore: { object in
        object.key("nearest")
        object.array { array in
          for near in explanation.nearMisses { array.object { near.write(to: &$0) } }
        }
      })
  }

  static func unchosen(_ error: ChoiceError) -> Self {
    switch error {
    case .noSuchCase(let message, let contract):
      Self(
        status: 400, title: "The requested case does not exist", detail: message,
        writeMore: { $0.member("cases", contract.cases.map(\.name)) })
    case .inHandshake:
      Self(
        status: 400, title: "The requested case comes before any request", detail: error.message)
    case .stateFull(let full): stateFull(full)
    }
  }

  static func stateFull(_ full: SessionMemory.Full) -> Self {
    Self(
      status: 507, title: "The session's state is full",
      detail: ChoiceError.stateFull(full).message,
      fix: "forget names with null in a \"then\", or reset the session")
  }

  static func webSocket(at host: String) -> Self {
    Self(
      status: 501, title: "WebSockets are not served",
      detail: "a WebSocket of \(host.quotedAndCut), expected a request that gets one response",
      fix:
        "run a server of your own for it and list its host in NO_PROXY, or do without it in tests")
  }

  static func unservable(_ contract: Contract, _ caseName: String) -> Self {
    Self(
      status: 500, title: "The case cannot be served",
      detail: "\(contract.id)#\(caseName) has errors: run understudy lint")
  }

  static func refused(_ refusal: Refusal) -> Self {
    Self(
      status: refusal.status, title: "The request is malformed", detail: refusal.message)
  }

  static func tooManyClients(max: Int) -> Self {
    Self(
      status: 503, title: "Too many clients are connected",
      detail: "the limit of \(max) connections is reached")
  }

  static func notRelayed(_ refusal: AccessGate.Refusal, origin: Origin) -> Self {
    let title = "The request was not forwarded"
    switch refusal {
    case .host(let host):
      return Self(
        status: 403, title: title,
        detail:
          "found Host \"\(host)\", expected \(origin.authority), a name of this machine, or the host of an upstream",
        fix: "use the address the server printed when it started")
    case .origin(let found):
      return Self(
        status: 403, title: title,
        detail:
          "found Origin \"\(found)\", expected none, \(origin), or one allowed at the start",
        fix:
          "if pages from there may use the live API, start the server with --allow-origin and their origin"
      )
    case .site:
      return Self(
        status: 403, title: title, detail: refusal.detail(at: origin),
        fix: "if it comes from a page of yours, let that page request it with fetch")
    case .token:
      return Self(
        status: 401, title: title,
        detail:
          "no valid token in the header Understudy-Token, which is required when others can reach"
          + " the server",
        fix:
          "send Understudy-Token with the token the server was started with; it is not forwarded",
        // RFC 9110, section 15.5.2, requires a challenge.
        headers: [HeaderField(name: "WWW-Authenticate", value: "Understudy-Token")])
    }
  }
}
