import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyFindings
package import UnderstudyJSON
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

  /// `bodyFile` is the path of the body if it is a file of its own.
  package func write(to writer: inout JSONWriter, bodyFile: String) {
    writer.object { object in
      if let like { object.member("like", like) } else { object.member("status", status) }
      writeHeaders(to: &object)
      if headers.hasTemplates, like == nil { object.member("template", ["headers"]) }
      switch body {
      case .none: break
      case .json(let document):
        object.key("body")
        object.value(document.root)
      case .text(let text): object.member("text", text)
      case .events(let events): object.list("events", events) { Self.write($1, to: &$0) }
      case .base64(let bytes): object.member("base64", Base64.encode(bytes))
      case .file: object.member("file", bodyFile)
      }
      if let schema, let document = try? JSONDocument(parsing: schema.json) {
        object.key("schema")
        object.value(document.root)
      }
      writeWhen(to: &object)
      if isLive {
        object.key("live")
        object.object { live in
          if let latencyMax { live.member("latency", "\(latencyMax.nanoseconds / 1_000_000)ms") }
          guard !liveHeaders.isEmpty else { return }
          live.key("parameters")
          live.object { parameters in
            for field in liveHeaders { parameters.member("header.\(field.name)", field.value) }
          }
        }
      }
    }
  }

  private static func write(_ event: ServerEvent, to writer: inout JSONWriter) {
    writer.object { object in
      if let name = event.event { object.member("event", name) }
      if let id = event.id { object.member("id", id) }
      if let retry = event.retryMilliseconds { object.member("retry", "\(retry)ms") }
      guard let data = event.data else { return }
      if event.isJSON, let document = try? JSONDocument(parsing: data) {
        object.key("data")
        object.value(document.root)
      } else {
        object.member("data", data)
      }
    }
  }

  /// With `like`, writes only the differences.
  private func writeHeaders(to object: inout JSONWriter) {
    let known = headersOfLike?.fields ?? []
    let changed = headers.fields.filter { field in
      !known.contains { $0.name == field.name && $0.values == field.values }
    }
    let gone = known.filter { field in !headers.fields.contains { $0.name == field.name } }
    guard !changed.isEmpty || !gone.isEmpty else { return }
    object.key("headers")
    object.object { headers in
      for (name, values) in changed {
        if values.count == 1 {
          headers.member(name, values[0])
        } else {
          headers.member(name, values)
        }
      }
      for (name, _) in gone { headers.member(name, nil as String?) }
    }
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

extension JSONWriter {
  /// Writes a single value alone, unless an array is required.
  mutating func strings(_ values: [String], isArray: Bool) {
    guard isArray || values.count != 1 else { return string(values[0]) }
    array { array in for value in values { array.string(value) } }
  }
}
