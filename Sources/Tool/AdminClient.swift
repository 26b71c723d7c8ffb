import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySystem

/// A client of a running server's admin API: one request per connection, blocking.
struct AdminClient {
  static let urlOption = Parameter.option(
    "url", "URL",
    ValueFormat(
      .other("an address such as http://127.0.0.1:8080"), write: { $0.description },
      fix: { text in
        text.lowercased().hasPrefix("https://") && WebURL(base: text) != nil
          ? "begin it with http://: https is for a server on this machine"
          : WebURL.fix(for: text, scheme: "http")
      },
      // Every port of a server responds to HTTP, and no other machine sees what stays on this one.
      parse: { text in
        WebURL(base: text).flatMap { $0.scheme == "http" || $0.isLoopback ? $0 : nil }
      }),
    default: WebURL(scheme: "http", host: "127.0.0.1", port: 8080),
    environmentVariable: "UNDERSTUDY_URL", "The address that the server printed when it started.")

  private static let responseByteCountMax = 64 << 20

  let url: WebURL
  let session: String?
  let token: String?
  /// The limit for connecting, sending and receiving together.
  var timeMax = Duration.seconds(10)

  /// The JSON of the response, if any; throws the error that the server reports.
  @discardableResult
  func send(
    _ method: String, _ path: String, body: [UInt8] = []
  ) throws(Failure) -> JSONValue? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try exchange(request(method, path, body))
    } catch {
      throw .noServer(url, error)
    }
    let response: ReceivedResponse?
    do throws(ResponseError) {
      response = try ReceivedResponse.parse(bytes, isClosed: true)
    } catch {
      throw .noUnderstudy(url, "\(error)")
    }
    guard let response else { throw .noUnderstudy(url, "it sent no response") }
    let json = (try? JSONDocument(parsing: response.body))?.root
    guard !(200..<300 ~= response.status) else { return json }
    guard let detail = json?["detail"]?.string else {
      throw .noUnderstudy(url, "it responded with status \(response.status)")
    }
    throw response.status == 401
      ? .wrongAdminToken(url) : Failure(message: detail, fix: json?["fix"]?.string)
  }

  private func request(_ method: String, _ path: String, _ body: [UInt8]) -> [UInt8] {
    let prefix = url.path + (session.map { "/~\(PercentEncoding.encode($0))" } ?? "")
    var lines = [
      "\(method) \(prefix)\(Admin.prefix)\(path) HTTP/1.1", "Host: \(url.authority)",
      "Connection: close", "Content-Length: \(body.count)",
    ]
    if let token { lines.append("Authorization: Bearer \(token)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// Sends the bytes and returns everything received until the server closes the connection.
  private func exchange(_ request: [UInt8]) throws(SystemError) -> [UInt8] {
    let socket = try ClientSocket(
      to: NetworkHost(url.host).text, port: url.port ?? (url.scheme == "https" ? 443 : 80),
      until: .now + timeMax)
    try socket.send(request)
    return try socket.receiveAll(byteCountMax: Self.responseByteCountMax)
  }
}
