import ContractModel
import JSON

/// One status that a request was answered with, on its way to a case of a contract.
struct RecordedCase {
  let name: String
  let status: Int
  let headers: RecordedHeaders
  let body: RecordedBody
  /// What its JSON bodies show, and those of all requests with this status.
  let schema: InferredSchema?
  /// The case that this one is like but for its body.
  var like: String?
  /// The headers of that case.
  var headersOfLike: RecordedHeaders?
  static let bodyKey = "body"

  /// The parameters by which its request differs from the others; of a missing one `nil`. Under
  /// `body` it is the JSON of a condition.
  let when: [(key: String, value: String?)]
  let isLive: Bool

  /// `bodyFile` is where the body goes if it is a file of its own.
  func write(to writer: inout JSONWriter, bodyFile: String) {
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
      case .base64(let text): object.member("base64", text)
      case .file: object.member("file", bodyFile)
      }
      if like == nil, let schema, let document = try? JSONDocument(parsing: schema.json) {
        object.key("schema")
        object.value(document.root)
      }
      writeTrigger(to: &object)
      if isLive {
        object.key("live")
        object.object { _ in }
      }
    }
  }

  /// Beside the case it is like, what differs from there.
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

  private func writeTrigger(to object: inout JSONWriter) {
    guard !when.isEmpty else { return }
    object.key("when")
    object.object { trigger in
      trigger.key("request")
      trigger.object { request in
        for (key, value) in when {
          request.key(key)
          if key == Self.bodyKey, let condition = try? JSONDocument(parsing: value ?? "{}") {
            request.value(condition.root)
          } else if let value {
            request.string(value)
          } else {
            request.object { absent in
              absent.key("absent")
              absent.bool(true)
            }
          }
        }
      }
    }
  }

  /// What people call a status.
  static func stem(of status: Int) -> String {
    switch status {
    case 200: "ok"
    case 201: "created"
    case 202: "accepted"
    case 204: "no-content"
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
