import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON
import UnderstudySecrets

/// A request and its response, of which a stub is made.
struct RecordedEvent {
  let number: UInt64
  /// As the client sent it.
  let request: Request
  let status: Int
  let headers: [HeaderField]
  let body: [UInt8]

  init(_ exchange: RelayedExchange) {
    number = exchange.sequence
    request = exchange.request
    (status, headers) = (exchange.response.status, exchange.response.headers)
    body = exchange.response.body
  }

  init(_ entry: JournalEntry, status: Int, headers: [HeaderField], body: [UInt8]) {
    number = entry.sequence
    request = entry.request
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  private var exchange: RecordedExchange {
    RecordedExchange(
      request,
      responses: [LiveResponse(status: status, headers: headers, body: body, latency: .zero)])
  }

  /// `GET /users`, for messages.
  func title(_ mask: SecretMask) -> String { exchange.title(mask) }

  /// Why no stub is made of it.
  func refusal(_ mask: SecretMask) -> Failure? { exchange.refusal(mask) }

  /// The credentials in it, which no stub has.
  var secrets: [String] {
    exchange.secrets
      + request.headers.filter { SecretNames.standard.hides($0.name) }.flatMap {
        SecretMask.parts(of: $0.value, inHeader: $0.name)
      }
  }
}

/// A stub that responds as another server has responded, without its secrets.
struct RecordedStub {
  let id = StubID.random()
  let name: String
  /// The `request` of the stub.
  let request: JSONText
  let event: RecordedEvent
  /// The body that belongs into a file of its own, with its name.
  let file: (name: String, bytes: [UInt8])?
  /// Whether the request had a secret in its body, so that any body matches.
  let takesAnyBody: Bool
  private let response: JSONText
  private var scenario: (name: String, required: String, new: String?)?

  init(_ event: RecordedEvent, _ spec: RecordSpec, _ mask: SecretMask) {
    self.event = event
    name = Self.name(of: event.request.path)
    (request, takesAnyBody) = Self.request(event.request, spec, mask)
    let type = event.headers.value(of: "Content-Type")
    let body = mask.masked(event.body, of: type ?? "")
    let kind = MediaKind(of: type, missing: .binary)
    let text =
      kind == .json || kind == .text
      ? String(validating: body, as: UTF8.self) : nil
    let limit = text == nil ? spec.binaryBytesMax : spec.textBytesMax
    let isExtracted = limit.map { body.count > $0 } ?? false
    file = isExtracted ? ("\(name)-\(id).\(Self.suffix(of: type, text != nil))", body) : nil
    let fields = Self.headers(event.headers, mask)
    response = .object([
      ("status", .int(event.status)),
      ("bodyFileName", file.map { .string($0.name) }),
      ("body", isExtracted || body.isEmpty ? nil : text.map { .string($0) }),
      (
        "base64Body",
        isExtracted || body.isEmpty || text != nil ? nil : .string(Base64.encode(body))
      ),
      ("headers", fields.isEmpty ? nil : .object(fields)),
    ])
  }

  /// The stub's text.
  ///
  /// - Parameter isPersistent: whether it is saved in the folder.
  func text(isPersistent: Bool) -> JSONText {
    .object([
      ("id", .string(id)), ("name", .string(name)), ("request", request), ("response", response),
      ("uuid", .string(id)), ("persistent", isPersistent ? .bool(true) : nil),
      ("scenarioName", scenario.map { .string($0.name) }),
      ("requiredScenarioState", scenario.map { .string($0.required) }),
      ("newScenarioState", scenario.flatMap(\.new).map { .string($0) }),
    ])
  }

  // MARK: - Several stubs for one request

  /// Stubs for equal requests, in order, respond in turn or, without scenarios, the first alone.
  static func ordered(_ stubs: [RecordedStub], hasScenarios: Bool) -> [RecordedStub] {
    let groups = Dictionary(grouping: stubs.indices) { stubs[$0].request }
    guard hasScenarios else {
      return stubs.indices.filter { groups[stubs[$0].request]?.first == $0 }.map { stubs[$0] }
    }
    var stubs = stubs
    var scenarioCount = 0
    for first in stubs.indices {
      guard let group = groups[stubs[first].request], group.first == first, group.count > 1 else {
        continue
      }
      scenarioCount += 1
      let path = stubs[first].event.request.path.split(separator: "/").joined(separator: "-")
      let name = "scenario-\(scenarioCount)-\(path)"
      for (turn, index) in group.enumerated() {
        stubs[index].scenario = (
          name, turn == 0 ? "Started" : "\(name)-\(turn + 1)",
          turn + 1 < group.count ? "\(name)-\(turn + 2)" : nil
        )
      }
    }
    return stubs
  }

  // MARK: - Parts

  private static let nameCountMax = 200
  private static let anyValue: JSONText = ["matches": ".+"]

  /// `a_b-c` for `/a/b%20c`.
  private static func name(of path: String) -> String {
    let decoded = PercentEncoding.decode(path.drop { $0 == "/" }) ?? path
    let name = decoded.lowercased().compactMap { letter -> Character? in
      switch letter {
      case "/": "_"
      case " ": "-"
      case "a"..."z", "0"..."9", "_", "-": letter
      default: nil
      }
    }
    return String(name.prefix(nameCountMax))
  }

  /// What the stub asks for: credentials have any value.
  private static func request(
    _ request: Request, _ spec: RecordSpec, _ mask: SecretMask
  ) -> (JSONText, takesAnyBody: Bool) {
    var members: [(key: String, value: JSONText?)] = []
    let query = request.query ?? ""
    if mask.masked(query: query) == query {
      members.append(
        ("url", .string(request.query.map { "\(request.path)?\($0)" } ?? request.path)))
    } else {
      members.append(("urlPath", .string(request.path)))
      members.append(("queryParameters", .object(parameters(of: query, mask))))
    }
    members.append(("method", .string(request.method)))
    let headers = spec.capturedHeaders.compactMap { captured -> (String, JSONText?)? in
      guard let value = request.headers.value(of: captured.name) else { return nil }
      guard mask.masked(value, of: captured.name) == value else { return (captured.name, anyValue) }
      return (
        captured.name,
        .object([
          ("equalTo", .string(value)),
          ("caseInsensitive", captured.isCaseInsensitive.flatMap { $0 ? .bool(true) : nil }),
        ])
      )
    }
    if !headers.isEmpty { members.append(("headers", .object(headers))) }
    guard !request.body.isEmpty else { return (.object(members), false) }
    let type = request.headers.value(of: "Content-Type")
    let isMasked = mask.masked(request.body, of: type ?? "") != request.body
    let pattern: JSONText =
      isMasked
      ? ["anything": "anything"]
      : spec.bodyForm.pattern(for: request.body, of: MediaKind(of: type, missing: .text))
    members.append(("bodyPatterns", [pattern]))
    return (.object(members), isMasked)
  }

  private static func parameters(
    of query: String, _ mask: SecretMask
  ) -> [(key: String, value: JSONText?)] {
    PercentEncoding.parameters(of: query).map { name, values in
      let isSecret = values.contains { value in
        mask.names.hides(name, value, in: .parameter) || mask.masked(value) != value
      }
      if isSecret { return (name, anyValue) }
      let equal = values.map { ["equalTo": .string($0)] as JSONText }
      return (name, equal.count == 1 ? equal[0] : ["hasExactly": .array(equal)])
    }
  }

  /// A text for each name, or an array of those that came more than once.
  private static func headers(
    _ fields: [HeaderField], _ mask: SecretMask
  ) -> [(key: String, value: JSONText?)] {
    var names: [(name: String, values: [String])] = []
    for field in fields where field.key != "matched-stub-name" {
      let value = masked(field, mask)
      if let place = names.firstIndex(where: { HeaderName($0.name) == field.key }) {
        names[place].values.append(value)
      } else {
        names.append((field.name, [value]))
      }
    }
    return names.map { ($0.name, .oneOrMore($0.values)) }
  }

  /// Cookies keep their names and attributes.
  private static func masked(_ field: HeaderField, _ mask: SecretMask) -> String {
    guard field.key == "set-cookie" else { return mask.masked(field.value, of: field.name) }
    let secrets = SecretMask.parts(of: field.value, inHeader: field.name)
    return mask.masked(secrets.reduce(field.value) { $0.replacing($1, with: SecretMask.mark) })
  }

  private static let suffixes = [
    ("json", "json"), ("html", "html"), ("xml", "xml"), ("javascript", "js"), ("css", "css"),
    ("csv", "csv"), ("png", "png"), ("jpeg", "jpeg"), ("gif", "gif"), ("pdf", "pdf"),
    ("zip", "zip"),
  ]

  private static func suffix(of contentType: String?, _ isText: Bool) -> String {
    let type = (contentType ?? "").prefix { $0 != ";" }.lowercased()
    return suffixes.first { type.contains($0.0) }?.1 ?? (isText ? "txt" : "bin")
  }
}
