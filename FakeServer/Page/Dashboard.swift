import UnderstudyContractModel
import UnderstudyCore

/// The page by which people watch and steer a server, at the address of the admin API.
///
/// The page's text is generated from its data files, and compressed once. It uses the admin API like any other client,
/// and the policy lets it load nothing from elsewhere. A client that does not ask for HTML gets no
/// page.
enum Dashboard {
  /// What a browser lets the page do: its own style and script, and requests to the same server.
  /// The icon is part of the page too, or browsers would ask the fake for one.
  static let policy = [
    "default-src 'none'", "connect-src 'self'", "img-src data:",
    "style-src '\(DashboardPage.styleHash)'", "script-src '\(DashboardPage.scriptHash)'",
    "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")

  private static let plain = OwnResponse(
    status: 200, contentType: "text/html; charset=utf-8",
    headers: [
      HeaderField(name: "Content-Security-Policy", value: policy),
      HeaderField(name: "X-Content-Type-Options", value: "nosniff"),
      HeaderField(name: "Referrer-Policy", value: "no-referrer"),
      HeaderField(name: "Cross-Origin-Opener-Policy", value: "same-origin"),
      HeaderField(name: "Cache-Control", value: "no-store"),
      HeaderField(name: "Vary", value: "Accept, Accept-Encoding"),
    ], body: Array(DashboardPage.html.utf8))

  private static let compressed = {
    var response = plain
    response.add(HeaderField(name: "Content-Encoding", value: "gzip"))
    response.body = Deflate.gzip(plain.body)
    return response
  }()

  /// `nil` for a request that is not a browser's for the page.
  static func respond(to request: Request, below prefix: String) -> OwnResponse? {
    guard request.method == "GET" || request.method == "HEAD",
      request.path == prefix || request.path == "\(prefix)/",
      request.headerValue("accept")?.contains("text/html") ?? false
    else { return nil }
    let codings = request.headerValue("accept-encoding") ?? ""
    return codings.contains("gzip") && !codings.contains("gzip;q=0") ? compressed : plain
  }
}
