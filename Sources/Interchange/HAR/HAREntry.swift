import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySecrets

/// A request and its response, as read from an entry of a HAR.
struct HAREntry {
  /// Why an entry has nothing for a contract.
  struct Unusable: Error {
    let reason: String
  }

  let url: WebURL
  let method: String
  let headers: [HeaderField]
  let body: [UInt8]
  let response: LiveResponse
  /// Whether a script asked for it, as far as the browser says.
  let isFetched: Bool
  /// Why requests with another body get the same response, if that is so.
  let widening: String?

  init(_ entry: JSONValue) throws(Unusable) {
    guard let request = entry["request"], request.kind == .object else {
      throw Unusable(reason: "it has no request")
    }
    guard let response = entry["response"], response.kind == .object else {
      throw Unusable(reason: "it has no response")
    }
    let type = entry["_resourceType"]?.string
    let status = response["status"]?.int ?? 0
    url = try Self.url(of: request, isSocket: type == "websocket" || status == 101)
    guard let method = request["method"]?.string?.uppercased() else {
      throw Unusable(reason: "its request has no method")
    }
    guard RequestPattern.methods.contains(method) else {
      throw Unusable(reason: "no contract can have the method \(method.quotedAndCut)")
    }
    guard method != "HEAD" else {
      throw Unusable(reason: "a contract for HEAD must be written by hand")
    }
    self.method = method
    isFetched = type == "xhr" || type == "fetch"
    try Self.checkResponded(status, entry, response)
    let sent = HARBody(sentIn: request)
    headers = Self.headers(of: request, type: sent.type)
    guard Request(method, "/", headers: headers).preflightedMethod == nil else {
      throw Unusable(reason: "\"understudy serve --cors\" responds to preflights of browsers")
    }
    body = sent.bytes
    widening = sent.widening
    let received = try HARBody(receivedIn: response, status: status)
    self.response = LiveResponse(
      status: status,
      headers: Self.headers(of: response, type: received.type, isUTF8: received.isText),
      body: received.bytes, latency: Self.latency(of: entry))
  }

  /// `GET https://api.example.com/users?page=2`, safe to show, also for an unusable one.
  static func title(of entry: JSONValue, _ mask: SecretMask) -> String {
    let request = entry["request"]
    let url = request?["url"]?.string ?? "no URL"
    let shown = mask.masked(target: String(url.prefix { $0 != "#" }.prefix(200))).visible
    return request?["method"]?.string.map { "\($0.prefix(20).description.visible) \(shown)" }
      ?? shown
  }

  // MARK: - Parts

  private static func url(of request: JSONValue, isSocket: Bool) throws(Unusable) -> WebURL {
    guard let text = request["url"]?.string else {
      throw Unusable(reason: "its request has no URL")
    }
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard !isSocket, scheme != "ws", scheme != "wss" else {
      throw Unusable(reason: "it is a WebSocket")
    }
    guard scheme == "http" || scheme == "https" else {
      throw Unusable(reason: "its URL is neither http nor https")
    }
    guard let url = WebURL(recording: text) else {
      throw Unusable(reason: "no contract can have its URL")
    }
    return url
  }

  private static func checkResponded(
    _ status: Int, _ entry: JSONValue, _ response: JSONValue
  ) throws(Unusable) {
    let error = response["_error"]?.string ?? entry["_error"]?.string
    guard status > 0, error?.isEmpty ?? true else {
      let words = error.map { $0.isEmpty ? "" : ": \($0.prefix(80).description.visible)" }
      throw Unusable(reason: "no response came\(words ?? "")")
    }
    guard status != 304 else {
      throw Unusable(reason: "304 stands for a body that the client had already")
    }
    guard 200..<600 ~= status else {
      throw Unusable(reason: "no contract can have the status \(status)")
    }
  }

  /// Pseudo-headers of HTTP/2 are left out. Chrome joins fields of one name by line breaks.
  ///
  /// - Parameters:
  ///   - type: that of the body, where no header says it.
  ///   - isUTF8: whether the body was decoded, whatever its charset was.
  private static func headers(
    of message: JSONValue, type: String?, isUTF8: Bool = false
  ) -> [HeaderField] {
    var fields: [HeaderField] = []
    for header in message["headers"]?.elements ?? JSONValue.null.elements {
      guard let name = header["name"]?.string, let value = header["value"]?.string,
        !name.isEmpty, name.utf8.allSatisfy(\.isInFieldName)
      else { continue }
      for line in value.split(whereSeparator: \.isNewline) where line.isFieldValue {
        fields.append(HeaderField(name: name, value: String(line)))
      }
    }
    let place = fields.firstIndex { $0.key == "content-type" }
    if place == nil, let type, type.isFieldValue, type.contains("/") {
      fields.append(HeaderField(name: "Content-Type", value: type))
    }
    if isUTF8, let place {
      fields[place] = HeaderField(
        name: fields[place].name, value: fields[place].value.namingUTF8)
    }
    return fields
  }

  /// The time from sending to the last byte where the phases are known, else the whole time; zero
  /// if unknown.
  private static func latency(of entry: JSONValue) -> Duration {
    func time(_ value: JSONValue?) -> Double? {
      guard let time = value?.number?.double, time.isFinite, time >= 0 else { return nil }
      return min(time, 86_400_000)
    }
    let timings = entry["timings"]
    let phases = ["send", "wait", "receive"].map { time(timings?[$0]) }
    let known = phases.compactMap(\.self)
    let sum = known.count == phases.count ? known.reduce(0, +) : time(entry["time"])
    return .microseconds(Int64(clamping: (sum ?? 0) * 1_000))
  }
}

extension UInt8 {
  /// Whether it is in a token of RFC 9110.
  fileprivate var isInFieldName: Bool {
    isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
  }
}

extension StringProtocol {
  fileprivate var isFieldValue: Bool {
    utf8.allSatisfy { $0 == .tab || $0 >= 0x20 && $0 != .delete }
  }
}

extension String {
  /// A media type whose charset, if it has one, is UTF-8.
  fileprivate var namingUTF8: String {
    var parts = split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices.dropFirst() {
      let pair = parts[index].split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].lowercased().filter({ !$0.isWhitespace }) == "charset",
        let charset = pair[1].split(whereSeparator: { $0 == "\"" || $0.isWhitespace }).first,
        !["utf-8", "utf8"].contains(where: charset.lowercased().hasPrefix)
      else { continue }
      parts[index].replaceSubrange(charset.startIndex..<charset.endIndex, with: "utf-8")
    }
    return parts.joined(separator: ";")
  }
}
