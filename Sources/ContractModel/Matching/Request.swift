package import UnderstudyJSON

/// A request as matching sees it.
package struct Request: Sendable {
  package var method: String
  /// Without the query, percent-encoded as sent.
  package var path: String
  /// Without the question mark, percent-encoded as sent.
  package var query: String?
  package var headers: [HeaderField]
  package var body: [UInt8]

  package init(
    _ method: String, _ target: String, headers: [HeaderField] = [], body: [UInt8] = []
  ) {
    let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    self.method = method
    self.path = String(target[..<(mark ?? target.endIndex)])
    self.query = mark.map { String(target[target.index(after: $0)...]) }
    self.headers = headers
    self.body = body
  }

  /// The first line of this name, which is in small letters.
  package func headerValue(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }
}

/// A request taken apart once, so that many contracts can be held against it.
package final class RequestParts {
  let method: String
  /// After percent-decoding; a segment that cannot be decoded stays as it was sent.
  let segments: [String]
  let body: RequestBody
  private let request: Request
  private lazy var query: [String: [String]] = Self.query(request.query ?? "")
  /// The names in small letters.
  private lazy var headers = request.headers.map { (name: $0.name.lowercased(), value: $0.value) }

  package init(_ request: Request) {
    self.request = request
    method = request.method
    segments = Self.segments(of: request.path)
    body = RequestBody(request.body)
  }

  /// What is between the slashes, decoded. `/` has no segments, `/a/` has an empty last one.
  static func segments(of path: String) -> [String] {
    guard path != "/" else { return [] }
    guard path.hasPrefix("/") else { return [path] }
    return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      PercentEncoding.decode($0) ?? String($0)
    }
  }

  private static func query(_ text: String) -> [String: [String]] {
    var values: [String: [String]] = [:]
    for pair in text.split(separator: "&") {
      let name = pair.prefix { $0 != "=" }
      let value = pair[name.endIndex...].dropFirst()
      let decoded = PercentEncoding.decode(name, plusIsSpace: true) ?? String(name)
      values[decoded, default: []].append(
        PercentEncoding.decode(value, plusIsSpace: true) ?? String(value))
    }
    return values
  }

  /// Every value of a query parameter or header; of a path parameter the one bound by `template`.
  func values(of condition: Condition, in template: PathTemplate) -> [String] {
    switch condition.part {
    case .query: return query[condition.name] ?? []
    case .header: return headerValues(condition.lookupName)
    case .path:
      guard let index = template.segments.firstIndex(of: .parameter(condition.name)),
        segments.indices.contains(index)
      else { return [] }
      return [segments[index]]
    }
  }

  /// Whether the condition holds. One on a parameter of another of the contract's paths asks nothing.
  func meets(_ condition: Condition, in template: PathTemplate) -> Bool {
    let values = values(of: condition, in: template)
    return values.isEmpty && condition.part == .path || condition.accepts(all: values)
  }

  func meets(_ pattern: RequestPattern, in template: PathTemplate) -> Bool {
    pattern.parameters.allSatisfy { meets($0, in: template) }
      && pattern.body?.firstFailure(in: body) == nil
  }
}

extension RequestParts {
  /// Whether the request is one of those a case belongs to.
  package func meets(_ trigger: Trigger, in template: PathTemplate) -> Bool {
    trigger.request.allSatisfy { meets($0, in: template) }
      && trigger.body?.firstFailure(in: body) == nil
  }

  /// What stands in the path for a parameter, decoded.
  package func pathValue(_ name: String, in template: PathTemplate) -> String? {
    template.segments.firstIndex(of: .parameter(name)).flatMap {
      segments.indices.contains($0) ? segments[$0] : nil
    }
  }

  package func queryValues(_ name: String) -> [String] { query[name] ?? [] }

  /// `name` is in small letters.
  package func headerValues(_ name: String) -> [String] {
    headers.filter { $0.name == name }.map(\.value)
  }

  /// The body as JSON, if it is any.
  package var json: JSONValue? { body.json }
}
