import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// What a case sends, if that does not depend on the request.
struct ArchivedResponse {
  let headers: [HeaderField]
  let body: [UInt8]

  init?(_ served: Case, _ mask: SecretMask) {
    guard let response = served.response, served.malformation == nil,
      response.templatedParts.isEmpty
    else { return nil }
    headers = mask.masked(response.headers)
    body = mask.masked(served.bodyBytes, of: response.headers.value(of: "content-type") ?? "")
  }
}

/// A journal entry as one of a HAR.
struct ArchivedEntry {
  let entry: JournalEntry
  let response: ArchivedResponse?
  /// The host and port of the server, for requests that name none.
  let authority: String

  func write(to object: inout JSONWriter) {
    object.member("startedDateTime", entry.receivedAt.exactRFC3339)
    object.key("time")
    object.double(milliseconds)
    object.key("request")
    object.object { writeRequest(to: &$0) }
    object.key("response")
    object.object { writeResponse(to: &$0) }
    object.key("cache")
    object.object { _ in }
    object.key("timings")
    object.object { timings in
      timings.member("send", 0)
      timings.key("wait")
      timings.double(milliseconds)
      timings.member("receive", 0)
    }
    object.member("_contract", entry.contract)
    object.member("_case", entry.caseName)
    object.member("_reason", entry.reason?.rawValue)
    object.member("_session", entry.session)
    object.member("_outcome", entry.outcome.rawValue)
  }

  /// Rounded to microseconds.
  private var milliseconds: Double { Double(entry.delayActual.nanoseconds / 1_000) / 1_000 }

  private func writeRequest(to object: inout JSONWriter) {
    let host = entry.headers.value(of: "host") ?? authority
    object.member("method", entry.method)
    let origin = Origin(isSecure: entry.record.isSecure, authority: host)
    // A client of the proxy may have asked for another host.
    let start = entry.path.hasPrefix("/") ? "\(origin)" : entry.path.contains("/") ? "" : "https://"
    object.member("url", "\(start)\(entry.path)\(entry.query.map { "?\($0)" } ?? "")")
    object.member("httpVersion", "HTTP/1.1")
    object.list("cookies", [String]()) { $0.string($1) }
    object.fields("headers", entry.headers)
    object.fields("queryString", entry.parameters)
    object.member("headersSize", -1)
    object.member("bodySize", entry.bodyByteCount)
    guard entry.bodyByteCount > 0 else { return }
    object.key("postData")
    object.object { data in
      data.member("mimeType", entry.headers.value(of: "content-type") ?? "")
      data.text(of: entry.body)
      if entry.body.count < entry.bodyByteCount {
        data.member("comment", "The request log keeps only the beginning.")
      }
    }
  }

  private func writeResponse(to object: inout JSONWriter) {
    let status = entry.status ?? 0
    object.member("status", status)
    object.member("statusText", ReasonPhrase.text(of: status))
    object.member("httpVersion", "HTTP/1.1")
    object.list("cookies", [String]()) { $0.string($1) }
    object.fields("headers", response?.headers ?? [])
    object.key("content")
    object.object { content in
      let type = response?.headers.value(of: "content-type")
      content.member("size", response?.body.count ?? entry.sentByteCount)
      content.member("mimeType", type ?? "x-unknown")
      if let response, !response.body.isEmpty {
        content.text(of: response.body)
      } else if response == nil, entry.sentByteCount > 0 {
        content.member("comment", "The request log does not keep this response.")
      }
    }
    object.member("redirectURL", response?.headers.value(of: "location") ?? "")
    object.member("headersSize", -1)
    object.member("bodySize", response?.body.count ?? -1)
    if entry.status == nil { object.member("_error", entry.outcome.rawValue) }
  }
}

extension JournalEntry {
  /// The query's parameters, decoded.
  fileprivate var parameters: [HeaderField] {
    PercentEncoding.fields(of: request.query ?? "").map {
      HeaderField(name: $0.name, value: $0.value)
    }
  }
}

extension [HeaderField] {
  fileprivate func value(of name: String) -> String? {
    first { $0.key == HeaderName(name) }?.value
  }
}

extension JSONWriter {
  fileprivate mutating func fields(_ key: String, _ fields: [HeaderField]) {
    list(key, fields) { writer, field in
      writer.object {
        $0.member("name", field.name)
        $0.member("value", field.value)
      }
    }
  }

  /// Bytes that are not text are written in Base64.
  fileprivate mutating func text(of bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) {
      member("text", text)
    } else {
      member("text", Base64.encode(bytes))
      member("encoding", "base64")
    }
  }
}
