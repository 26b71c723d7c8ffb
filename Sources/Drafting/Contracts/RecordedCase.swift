package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// One response to a request, to become a case of a contract.
package struct RecordedCase {
  package let name: String
  package let status: Int
  let headers: RecordedHeaders
  package let body: RecordedBody
  /// The schema inferred from its JSON bodies and those of all requests with this status, unless
  /// it is that of the case that this one copies.
  var schema: InferredSchema?
  /// The case that this one copies, except for the body.
  var like: String?
  /// The headers of that case.
  var headersOfLike: RecordedHeaders?
  /// The conditions that distinguish its request from the others.
  let when: [(key: String, trait: RecordedTrait)]
  /// Repeated query parameters, for which all values are listed.
  var repeatedKeys: Set<String> = []
  let isLive: Bool
  /// How long its live response may take.
  var latencyMax: Duration?
  /// Headers that replace the contract's examples in its live request.
  var liveHeaders: [HeaderField] = []

  /// - Parameter bodyFile: the path of its body, if that is a file of its own.
  package func draft(bodyFile: String = "") -> CaseDraft {
    var members: JSONObject = [
      "like": like.map { .string($0) }, "status": like == nil ? .int(status) : nil,
    ]
    members["headers"] = headersText
    if headers.hasTemplates, like == nil { members["template"] = ["headers"] }
    switch body {
    case .none: break
    case .json(let document): members["body"] = .value(document.root)
    case .text(let text): members["text"] = .string(text)
    case .events(let events): members["events"] = .array(events.map(\.json))
    case .base64(let bytes): members["base64"] = .string(Base64.encode(bytes))
    case .file: members["file"] = .string(bodyFile)
    }
    members["schema"] = schema?.text
    members["when"] = condition
    if isLive {
      members["live"] = [
        "latency": latencyMax.map { "\($0.nanoseconds / 1_000_000)ms" },
        "parameters": liveHeaders.isEmpty
          ? nil : .object(liveHeaders.map { ("header.\($0.name)", .string($0.value)) }),
      ]
    }
    return CaseDraft(name, status: status, members)
  }

  /// The headers to write; for a case with `like`, only the differences.
  private var headersText: JSONText? {
    let known = headersOfLike?.fields ?? []
    var members: JSONObject = [:]
    for (name, values) in headers.fields
    where !known.contains(where: { $0.name == name && $0.values == values }) {
      members[name] = .oneOrMore(values)
    }
    for (name, _) in known where !headers.fields.contains(where: { $0.name == name }) {
      members[name] = .null
    }
    return members.isEmpty ? nil : members.text
  }

  /// The case name for a status.
  package static func stem(of status: Int) -> String {
    switch status {
    case 200: "ok"
    case 201: "created"
    case 202: "accepted"
    case 204: "no-content"
    case 206: "partial-content"
    case 301, 302, 303, 307, 308: "moved"
    case 304: "not-modified"
    case 400: "bad-request"
    case 401: "unauthorized"
    case 403: "forbidden"
    case 404: "not-found"
    case 409: "conflict"
    case 410: "gone"
    case 422: "invalid"
    case 429: "rate-limited"
    case 500: "server-error"
    case 503: "unavailable"
    default: "status-\(status)"
    }
  }
}

extension RecordedCase {
  /// Makes a case of a response without secrets. It is not live.
  package init(named name: String, of response: LiveResponse, baseURL: WebURL?) {
    let mask = SecretMask(secrets: [])
    self.init(
      name: name, status: response.status,
      headers: RecordedHeaders(of: [response], baseURL: baseURL, mask: mask),
      body: RecordedBody(of: response, mask: mask), schema: nil, when: [], isLive: false)
  }
}

extension ServerEvent {
  fileprivate var json: JSONText {
    [
      "event": event.map { .string($0) }, "id": id.map { .string($0) },
      "retry": retryMilliseconds.map { "\($0)ms" },
      "data": data.map { isJSON ? JSONText(unchecked: $0) : .string($0) },
    ]
  }
}
