package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyJSON
package import UnderstudySecrets

/// A request to a live API and its responses, several if it was repeated.
///
/// The folder has what was observed, before there is any contract. Read this file and
/// `LiveResponse`; then `PathGuess` and `SlugGuess`, which find the parameters in paths;
/// `GraphQLOperation` and `SentForm`, which look into bodies; and `RequestHeaders` and
/// `HeaderRule`, which say which headers matter. `Drift` compares responses by the `HeaderRule`
/// that recording uses, so that a case does not drift as soon as it is recorded.
///
/// Credentials in request headers are dropped when an exchange is made. Those in its query and in
/// bodies stay, so whoever shows or writes an exchange masks them first, with a mask that knows its
/// `secrets`.
package struct RecordedExchange: Sendable {
  package let method: String
  /// Relative to the upstream's base URL, percent-encoded as sent; never empty.
  package let path: String
  /// As sent, without the question mark.
  package let query: String?
  /// The request headers that a response can depend on, sorted by name; no secrets.
  package let headers: [HeaderField]
  /// The names of headers that carried credentials, in lower case, sorted.
  package let secretHeaders: [String]
  package let body: [UInt8]
  /// Whether the body is a form. The boundary of one in several parts is always the same here.
  let form: SentForm?
  /// Never empty, except for requests that are not recorded.
  package let responses: [LiveResponse]

  /// `headers` are all headers sent; those that no response depends on are dropped.
  package init(
    method: String, path: String, query: String? = nil, headers: [HeaderField] = [],
    body: [UInt8] = [], responses: [LiveResponse]
  ) {
    self.method = method
    self.path = path
    self.query = query
    let heeded = RequestHeaders.heeded(headers)
    self.headers = heeded.filter { !SecretNames.standard.hides($0.name) }
    secretHeaders = Set(
      heeded.filter { SecretNames.standard.hides($0.name) }.map { $0.name.lowercased() }
    ).sorted()
    form = headers.first { $0.key == "content-type" }.flatMap {
      SentForm(body, contentType: $0.value)
    }
    self.body = form == .parts ? SentForm.withUsualBoundary(body) : body
    self.responses = responses
  }

  /// A request as received by a server; its path is relative to the base URL.
  package init(_ request: Request, responses: [LiveResponse]) {
    self.init(
      method: request.method, path: request.path, query: request.query, headers: request.headers,
      body: request.body, responses: responses)
  }

  /// Whether both requests are identical.
  package func asksAs(_ other: RecordedExchange) -> Bool {
    method == other.method && path == other.path && query == other.query && body == other.body
      && headers == other.headers && secretHeaders == other.secretHeaders
  }

  /// A key that is equal for identical requests, within one run of the program.
  package var requestKey: Int {
    var hasher = Hasher()
    hasher.combine(method)
    hasher.combine(path)
    hasher.combine(query)
    hasher.combine(headers)
    hasher.combine(secretHeaders)
    hasher.combine(body)
    return hasher.finalize()
  }

  /// `GET /users?page=2`, safe to show.
  package func title(_ mask: SecretMask) -> String {
    let target = query.map { "\(path)?\($0)" } ?? path
    return "\(method) \(mask.masked(target: target))"
  }

  /// Its credentials: those in cookies, and parameters, form fields and body members with secret
  /// names.
  package var secrets: [String] {
    var secrets = parameters.flatMap { parameter in
      parameter.values.filter {
        SecretNames.standard.hides(parameter.name, $0, in: .parameter)
      }
    }
    if let document = try? JSONDocument(parsing: body) {
      secrets += Self.secrets(in: document.root)
    } else if form == .parts {
      secrets += BodyPart.all(in: body).compactMap { part in
        part.name.flatMap {
          SecretNames.standard.hides($0, part.body.text, in: .parameter) ? part.body.text : nil
        }
      }
    } else if let form = String(validating: body, as: UTF8.self), form.contains("=") {
      secrets += PercentEncoding.fields(of: form).filter {
        SecretNames.standard.hides($0.name, $0.value, in: .parameter)
      }.map(\.value)
    }
    for field in responses.flatMap(\.headers) where field.key == "set-cookie" {
      secrets += SecretMask.parts(of: field.value, inHeader: field.name)
    }
    return secrets
  }

  /// The texts of members with secret names.
  private static func secrets(in body: JSONValue) -> [String] {
    var secrets: [String] = []
    var pending = [(body, false)]
    while let (value, isSecret) = pending.popLast() {
      if isSecret, let text = value.string { secrets.append(text) }
      pending += value.elements.map { ($0, isSecret) }
      pending += value.members.map {
        ($0.value, isSecret || SecretNames.standard.hides($0.key))
      }
    }
    return secrets
  }

  /// Why nothing can be recorded from it. A secret in a path would be in the contract's path, and
  /// secrets in bytes that are not text cannot be masked.
  package func refusal(_ mask: SecretMask) -> Failure? {
    let shown = mask.masked(path)
    let decoded = "/" + segments.joined(separator: "/")
    let isSafe = mask.masked(decoded) == decoded && shown == path
    guard isSafe else {
      return Failure(
        message:
          "\(method) \(shown == path ? SecretMask.mark : shown) has a secret in its path, so it"
          + " is not recorded",
        fix: "write the contract by hand, with a parameter in place of the secret")
    }
    if let name = operation?.name, mask.masked(name) != name {
      return Failure(
        message: "\(method) \(path) has a secret for its operationName, so it is not recorded",
        fix: "write the contract by hand")
    }
    guard !responses.contains(where: { $0.body.plainText == nil && mask.isIn($0.body) }) else {
      return Failure(
        message:
          "the response to \(method) \(path) contains a secret in bytes that are not text, so it is"
          + " not recorded",
        fix: "write the contract by hand, with a body of your own")
    }
    return nil
  }

  /// Whether a response of this status depends on what the client already has.
  func isConditional(_ status: Int) -> Bool {
    let names = Set(headers.map(\.key))
    return switch status {
    case 206, 416: names.contains("range")
    case 304, 412: !names.isDisjoint(with: RequestHeaders.conditional)
    default: false
    }
  }

  /// The size of all bodies.
  package var byteCount: Int { responses.reduce(body.count) { $0 + $1.body.count } }

  /// After percent-decoding; a segment that cannot be decoded stays as it was sent.
  var segments: [String] { Self.segments(of: path) }

  static func segments(of path: String) -> [String] {
    path == "/"
      ? []
      : path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
        PercentEncoding.decode($0) ?? String($0)
      }
  }

  /// Whether a contract can have the path: no segment is empty except the last, and none, decoded,
  /// is `.` or `..`.
  package static func canRecord(path: String) -> Bool {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return !segments.dropLast().contains("") && !climbs(path: path)
  }

  /// Whether the path, once decoded and resolved, leads elsewhere.
  package static func climbs(path: String) -> Bool {
    let decoded = segments(of: path).joined(separator: "/")
    return decoded.split { $0 == "/" || $0 == "\\" }.contains { $0 == "." || $0 == ".." }
  }

  /// The values of each query parameter in their order, decoded.
  var parameters: [(name: String, values: [String])] {
    PercentEncoding.parameters(of: query ?? "")
  }
}
