import Synchronization

/// An API with the habits of many: the same request gets the same response, unless its path says
/// that it does not. Everything is made of what is asked, so that any seed gives another API.
package final class StrangeAPI: Sendable {
  private let upstream: ScriptedUpstream
  package var url: String { upstream.url }
  package var port: UInt16 { upstream.port }

  package init() throws {
    let counts = Counts()
    upstream = try ScriptedUpstream { Self.response($0, counts) }
  }

  /// How often each target was asked for.
  private final class Counts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func next(_ target: String) -> Int {
      counts.withLock { counts in
        counts[target, default: 0] += 1
        return counts[target] ?? 0
      }
    }
  }

  // MARK: - Its responses

  private static let json = ["Content-Type", "application/json"]

  private static func response(_ asked: WireMessage, _ counts: Counts) -> WireMessage {
    let tag = tag(of: asked.path, asked.query)
    let whole = "{\"path\": \(quoted(asked.path)), \"query\": \(quoted(meaning(asked.query)))}\n"
    switch asked.path.split(separator: "/").first.map(String.init) ?? "" {
    case "items" where asked.method == "GET", "":
      if asked.values("If-None-Match") == [tag] {
        return WireMessage(status: 304, [["ETag", tag]])
      }
      if asked.values("Range") == ["bytes=0-3"] {
        return WireMessage(
          status: 206, [json, ["Content-Range", "bytes 0-3/\(whole.utf8.count)"]],
          body: String(whole.prefix(4)))
      }
      return WireMessage(
        status: 200,
        [
          json, ["ETag", tag], ["Vary", "Accept"], ["Vary", "Accept-Language"],
          ["Cache-Control", "max-age=60"], ["X-RateLimit-Limit", "60"],
          ["Set-Cookie", "session=\(hash(asked.path)); Path=/; HttpOnly"],
          ["Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"],
        ], body: whole)
    case "items" where asked.method == "DELETE": return WireMessage(status: 204)
    case "items":
      return WireMessage(
        status: asked.body.isEmpty ? 422 : 201,
        [json, ["Location", "/items/\(hash(asked.body))"]],
        body: "{\"sent\": \(hash(asked.body)), \"by\": \"\(asked.method)\"}")
    case "lines":
      return WireMessage(status: 200, [json], body: "{\"a\":1}\n{\"a\":\(hash(asked.target))}\n")
    case "feed":
      return WireMessage(
        status: 200, [["Content-Type", "application/x-ndjson"]], body: "{\"a\": 1}\n")
    case "page":
      return WireMessage(
        status: 200, [["Content-Type", "text/html; charset=utf-8"]],
        body: "<p>é {x} \(asked.target)</p>\r\n")
    case "picture":
      return WireMessage(
        status: 200, [["Content-Type", "image/png"]],
        bytes: (0..<600).map { UInt8(truncatingIfNeeded: $0 &+ Int(hash(asked.path))) })
    case "moved":
      return WireMessage(
        status: 302, [["Location", "http://\(asked.values("Host").first ?? "")/items/1"]])
    case "secure":
      let isKnown = asked.values("Authorization") == ["Bearer sesame-open-now"]
      return isKnown
        ? WireMessage(status: 200, [json], body: whole)
        : WireMessage(
          status: 401, [json, ["WWW-Authenticate", "Bearer"]], body: "{\"error\": \"who?\"}")
    case "language":
      let language = asked.values("Accept-Language").first ?? "en"
      return WireMessage(
        status: 200, [json, ["Content-Language", language], ["Vary", "Accept-Language"]],
        body: "{\"in\": \(quoted(language))}")
    case "twice":
      return counts.next(asked.target) == 1
        ? WireMessage(status: 202, [json, ["Retry-After", "1"]], body: "{\"state\": \"pending\"}")
        : WireMessage(status: 200, [json], body: "{\"state\": \"done\", \"at\": [1, 2]}")
    case "upload":
      return WireMessage(status: 201, [json], body: "{\"bytes\": \(hash(content(of: asked)))}")
    case "limited":
      return WireMessage(
        status: 429, [json, ["Retry-After", "30"], ["X-RateLimit-Remaining", "0"]], body: "{}")
    default:
      return WireMessage(status: 404, [json], body: "{\"error\": \"no such page\"}")
    }
  }

  /// As the response it is the same for all spellings of a query; it is not the session's value,
  /// which is a secret wherever it stands.
  private static func tag(of path: String, _ query: String) -> String {
    "\"\(hash("\(path)?\(meaning(query))"))\""
  }

  /// The same for all spellings of a query that mean the same.
  private static func meaning(_ query: String) -> String {
    query.split(separator: "&").map { $0.contains("=") ? String($0) : "\($0)=" }
      .map { $0.replacing("+", with: "%20") }
      .enumerated().sorted {
        let (left, right) = ($0.element.prefix { $0 != "=" }, $1.element.prefix { $0 != "=" })
        return (String(left), $0.offset) < (String(right), $1.offset)
      }.map(\.element).joined(separator: "&")
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  private static func hash(_ text: String) -> UInt32 { hash(Array(text.utf8)) }

  /// A body without what separates its parts.
  private static func content(of asked: WireMessage) -> [UInt8] {
    let boundary = asked.values("Content-Type").first?.split(separator: "boundary=").dropFirst()
      .first
    guard let boundary else { return asked.body }
    return Array(
      String(decoding: asked.body, as: UTF8.self).replacing("--\(boundary)", with: "").utf8)
  }

  private static func hash(_ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  // MARK: - What is asked of it

  private static let queries = [
    "", "", "?", "?page=1", "?page=2", "?tag=a&tag=b", "?tag=b&tag=a", "?tag=a",
    "?q=%E2%82%AC+x&page=1",
    "?page=1&q=%E2%82%AC%20x", "?empty=", "?empty", "?a%26b=%3D",
  ]
  private static let bodies: [(type: String, text: String)] = [
    ("application/json", #"{"item":"A"}"#), ("application/json", #"{"item":"B"}"#),
    ("application/json", #"{ "item": "C", "count": [1, 2.50, null] }"#), ("application/json", ""),
    ("application/json", "[]"), ("application/x-www-form-urlencoded", "item=A&item=B"),
    ("application/x-www-form-urlencoded", "item=C+D%26"), ("text/plain", "just \"words\"\n"),
    ("application/x-ndjson", "{\"a\":1}\n{\"a\":2}\n"),
  ]

  /// A request of any shape.
  package static func request(_ dice: inout Dice) -> WireMessage {
    let number = dice.below(3) + 1
    switch dice.below(16) {
    case 0...3: return WireMessage("GET", "/items/\(number)\(dice.pick(queries))")
    case 4:
      return WireMessage(
        "GET", "/items/\(number)", [["If-None-Match", tag(of: "/items/\(number)", "")]])
    case 5: return WireMessage("GET", "/items/\(number)", [["Range", "bytes=0-3"]])
    case 6...8:
      let body = dice.pick(bodies)
      return WireMessage(
        dice.pick(["POST", "PUT", "PATCH"]), "/items", [["Content-Type", body.type]],
        body: Array(body.text.utf8))
    case 9: return WireMessage("DELETE", "/items/\(number)")
    case 10:
      let boundary = "x\(dice.below(1_000_000))"
      return WireMessage(
        "POST", "/upload", [["Content-Type", "multipart/form-data; boundary=\(boundary)"]],
        body: Array(
          "--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n\(number)\r\n--\(boundary)--\r\n"
            .utf8))
    case 11:
      return WireMessage(
        "GET", "/secure", dice.below(2) == 0 ? [] : [["Authorization", "Bearer sesame-open-now"]])
    case 12:
      return WireMessage(
        "GET", "/language",
        dice.below(3) == 0 ? [] : [["Accept-Language", dice.pick(["de", "fr"])]])
    case 13: return WireMessage("GET", "/twice/\(number)")
    default:
      return WireMessage(
        "GET",
        dice.pick(["/lines", "/feed", "/page", "/picture", "/moved", "/limited", "/nothing/a"]))
    }
  }
}
