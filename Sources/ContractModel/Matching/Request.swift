package import UnderstudyCore
package import UnderstudyJSON

/// A request as used for matching.
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

  init(
    method: String, path: String, query: String?, headers: [HeaderField], body: [UInt8]
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The first header of this name.
  package func headerValue(_ name: HeaderName) -> String? {
    headers.first { $0.key == name }?.value
  }

  /// The method that a browser asks for before it sends it to another origin; `nil` of any other
  /// request.
  package var preflightedMethod: String? {
    guard method == "OPTIONS", headerValue("origin") != nil else { return nil }
    return headerValue("access-control-request-method")
  }
}

/// The parts of a request that contracts have conditions on, decoded.
package protocol RequestFields: AnyObject {
  /// Every value of a query parameter.
  func queryValues(_ name: String) -> [String]
  /// The names of all query parameters.
  var queryNames: [String] { get }
  /// `name` must be in lower case.
  func headerValues(_ name: String) -> [String]
  /// The value that a template of the request's path binds to a parameter.
  func pathValue(_ name: String, in template: PathTemplate) -> String?
  var body: RequestBody { get }
  /// When it arrived: what conditions on dates compare with.
  var now: Moment { get }
}

extension RequestFields {
  /// Every value of a query parameter or header, or the value that `template` binds to a path
  /// parameter.
  func values(of condition: Condition, in template: PathTemplate) -> [String] {
    if case .noOthers = condition.test { return queryNames }
    return switch condition.part {
    case .query: queryValues(condition.name)
    case .header: headerValues(condition.lookupName)
    case .path: pathValue(condition.name, in: template).map { [$0] } ?? []
    case .form, .multipart, .state: []
    }
  }

  /// Whether the condition holds. A condition on a parameter of another path of the contract always
  /// does.
  func meets(_ condition: Condition, in template: PathTemplate) -> Bool {
    if !condition.isAsking { return true }
    let values = values(of: condition, in: template)
    return values.isEmpty && condition.part == .path || condition.accepts(all: values, at: now)
  }

  func meets(_ pattern: RequestPattern, in template: PathTemplate) -> Bool {
    pattern.parameters.allSatisfy { meets($0, in: template) }
      && pattern.body?.firstFailure(in: body) == nil
  }

  /// Whether the request meets a case's `when`.
  package func meets(_ when: When, in template: PathTemplate) -> Bool {
    when.request.indices.allSatisfy { meets(when.request[$0], in: template) }
      && when.body?.firstFailure(in: body) == nil
  }

  /// The body as JSON; `nil` when it is not valid JSON.
  package var json: JSONValue? { body.json }
}

/// A request parsed once, to be compared with many contracts.
package final class RequestParts: RequestFields {
  let method: String
  /// After percent-decoding; a segment that cannot be decoded stays as it was sent.
  let segments: [String]
  package let body: RequestBody
  package let now: Moment
  private let request: Request
  /// Made once, and not for every field.
  private static let encodingName: HeaderName = "content-encoding"
  private lazy var query: [String: [String]] = Self.query(request.query ?? "")
  /// With names in lower case.
  private lazy var headers = request.headers.map { (name: $0.name.lowercased(), value: $0.value) }

  package init(_ request: Request, at now: Moment = .now) {
    self.request = request
    self.now = now
    method = request.method
    segments = Self.segments(of: request.path)
    body = RequestBody(
      request.body,
      codings: request.headers.filter { $0.key == Self.encodingName }.map(\.value), at: now)
  }

  /// The decoded text between the slashes. `/` has no segments, `/a/` has an empty last one.
  static func segments(of path: String) -> [String] {
    guard path != "/" else { return [] }
    guard path.utf8.first == UInt8(ascii: "/") else { return [path] }
    // An array of bytes is split many times faster than a string.
    return Array(path.utf8).dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).map { PercentEncoding.decode($0) ?? String(decoding: $0, as: UTF8.self) }
  }

  static func query(_ text: String) -> [String: [String]] {
    var values: [String: [String]] = [:]
    for (name, value) in PercentEncoding.fields(of: text) {
      values[name, default: []].append(value)
    }
    return values
  }

  package func pathValue(_ name: String, in template: PathTemplate) -> String? {
    if template.tail == name {
      return segments.dropFirst(template.segments.count).joined(separator: "/")
    }
    return template.segments.firstIndex(of: .parameter(name)).flatMap {
      segments.indices.contains($0) ? segments[$0] : nil
    }
  }

  package func queryValues(_ name: String) -> [String] { query[name] ?? [] }

  package var queryNames: [String] { query.keys.sorted() }

  package func headerValues(_ name: String) -> [String] {
    headers.filter { $0.name == name }.map(\.value)
  }
}
