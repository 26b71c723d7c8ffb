import UnderstudyContractModel
import UnderstudyCore

/// The server's page for people who open it in a browser.
enum Welcome {
  /// `nil` for a request to any other path.
  static func respond(
    to request: Request, upstreams: [(name: String, summary: String?, baseURL: String)],
    relays: Bool, passesOn: Bool = false
  ) -> OwnResponse? {
    guard request.method == "GET" || request.method == "HEAD", request.path == "/" else {
      return nil
    }
    let wantsHTML = request.headerValue("accept")?.contains("text/html") ?? false
    let text = text(upstreams, relays: relays, passesOn: passesOn)
    return OwnResponse(
      status: 200,
      headerLines: "Content-Type: text/\(wantsHTML ? "html" : "plain"); charset=utf-8\r\n",
      body: Array((wantsHTML ? html(text) : text).utf8))
  }

  private static func text(
    _ upstreams: [(name: String, summary: String?, baseURL: String)], relays: Bool,
    passesOn: Bool
  ) -> String {
    let width = upstreams.map { $0.baseURL.count }.max() ?? 0
    let rows = upstreams.map { upstream in
      let gap = String(repeating: " ", count: width - upstream.baseURL.count + 2)
      return "  \(upstream.baseURL)\(upstream.summary.map { gap + $0 } ?? "")\n"
    }
    let introduction =
      passesOn
      ? """
      This is Understudy, a fake of these APIs. It responds from their contracts, except where the
      mode is live: there it forwards requests to the live ones. Give your client one of these base
      URLs:
      """
      : relays
        ? """
        This is Understudy, a fake of these APIs that records: it forwards unmatched requests to the
        live ones. Give your client one of these base URLs:
        """
        : """
        This is Understudy, a fake of these APIs. It responds from their contracts and never forwards
        requests to the live ones. Give your client one of these base URLs:
        """
    return """
      \(introduction)

      \(rows.joined())
      The headers Understudy-Contract and Understudy-Case of a response name its contract and case. To
      get another case, send the header "Prefer: example=NAME" or "Prefer: code=404"; "understudy
      list" shows the cases. An unmatched request gets the nearest ones. To watch and
      steer all this, open /__understudy/ in a browser.

      """
  }

  private static func html(_ text: String) -> String {
    let escaped = text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }.joined()
    return "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Understudy</title>\n"
      + "<pre>\n\(escaped)</pre>\n"
  }
}
