import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON

/// A received request as WireMock's clients read it.
struct LoggedRequest {
  private let request: Request
  private let moment: Moment
  private let origin: Origin

  init(_ request: Request, at moment: Moment, origin: Origin) {
    self.request = request
    self.moment = moment
    self.origin = origin
  }

  var json: JSONText {
    let host = request.headerValue("host") ?? origin.authority
    let url = request.query.map { "\(request.path)?\($0)" } ?? request.path
    let name = WebURL.host(of: host[...])
    let scheme = origin.isSecure ? "https" : "http"
    let port = host.dropFirst(name.count).split(separator: ":").last.flatMap { Int($0) }
    return .object([
      ("url", .string(url)), ("absoluteUrl", .string("\(scheme)://\(host)\(url)")),
      ("method", .string(request.method)), ("clientIp", .string("127.0.0.1")),
      ("headers", headers), ("cookies", cookies), ("browserProxyRequest", .bool(false)),
      ("loggedDate", .int(Int(moment.microseconds / 1_000))),
      ("bodyAsBase64", .string(Base64.encode(request.body))),
      ("body", .string(String(decoding: request.body, as: UTF8.self))),
      ("protocol", .string("HTTP/1.1")), ("scheme", .string(scheme)),
      ("host", .string(String(name))),
      ("port", .int(port ?? (origin.isSecure ? 443 : 80))),
      ("loggedDateString", .string(moment.rfc3339)),
      ("queryParams", query),
    ])
  }

  /// A string for each name, or an array of those that came more than once.
  private var headers: JSONText {
    var fields: [(name: String, values: [String])] = []
    for field in request.headers {
      let place = fields.firstIndex { HeaderName($0.name) == field.key }
      if let place {
        fields[place].values.append(field.value)
      } else {
        fields.append((field.name, [field.value]))
      }
    }
    return .object(
      fields.map { name, values in
        (name, values.count == 1 ? .string(values.first ?? "") : .strings(values))
      })
  }

  private var cookies: JSONText {
    let pairs = request.headers.filter { $0.key == "cookie" }.flatMap {
      $0.value.split(separator: ";")
    }
    return .object(
      pairs.compactMap { pair in
        let text = pair.drop { $0 == " " }
        let name = text.prefix { $0 != "=" }
        guard name.endIndex < text.endIndex else { return nil }
        return (String(name), .string(String(text[name.endIndex...].dropFirst())))
      })
  }

  private var query: JSONText {
    .object(
      PercentEncoding.parameters(of: request.query ?? "").map { name, values in
        (name, ["key": .string(name), "values": .strings(values)])
      })
  }
}
