import UnderstudyCore
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySystem

/// Translates the response of a stub into the members of a case.
struct WireMockResponse {
  typealias Unusable = WireMockStub.Unusable

  /// A file of the stubs, read by its path beneath `__files`.
  typealias BodyFile = (String) throws(Failure) -> [UInt8]

  /// How large JSON may be in a contract; larger JSON stays in a file.
  private static let inlineByteCountMax = 64 << 10

  private(set) var status = 200
  /// Whether nothing is served but a fault.
  private(set) var isFaultOnly = false
  private(set) var members: JSONObject = [:]
  /// A body to be written as a file of the upstream: its path, and its bytes.
  private(set) var file: (path: String, bytes: [UInt8])?
  private(set) var notes: [(kind: ImportNote.Kind, pointer: String, reason: String)] = []

  private let response: JSONValue
  private let template: WireMockTemplate
  private var isTemplate = false
  private var templatedParts: [String] = []

  /// - Parameter isTemplated: whether all responses have expressions, as with WireMock's
  ///   `--global-response-templating`.
  init(
    _ response: JSONValue, template: WireMockTemplate, isTemplated: Bool, bodyFile: BodyFile
  ) throws(Unusable) {
    self.response = response
    self.template = template
    let transformers = response["transformers"]?.elements.compactMap(\.string) ?? []
    isTemplate = isTemplated || transformers.contains("response-template")
    for name in transformers where name != "response-template" {
      throw Unusable("/response/transformers", "nothing here is transformed by \(name)")
    }
    guard response["proxyBaseUrl"] == nil else {
      throw Unusable("/response/proxyBaseUrl", "a case does not pass requests on")
    }
    let fault = try fault()
    if fault == nil || fault == .malformedResponseChunk {
      try readStatus()
      try readHeaders()
      try readBody(bodyFile)
      if !templatedParts.isEmpty { members["template"] = .strings(templatedParts) }
    }
    if let fault { members["fault"] = .string(fault.rawValue) }
    isFaultOnly = members["status"] == nil
    try readTiming(isBroken: fault != nil)
    noteTheRest()
  }

  /// Adds the requests that follow it.
  mutating func add(_ callbacks: WireMockCallbacks) {
    members["callbacks"] = callbacks.written
    notes += callbacks.notes
  }

  private mutating func note(_ kind: ImportNote.Kind, _ key: String, _ reason: String) {
    notes.append((kind, "/response/\(key)", reason))
  }

  private func fault() throws(Unusable) -> Fault? {
    guard let name = response["fault"]?.string else { return nil }
    guard let fault = Fault(rawValue: name), !fault.needsTLS else {
      throw Unusable("/response/fault", "there is no fault \(name)")
    }
    return fault
  }

  private mutating func readStatus() throws(Unusable) {
    let written = response["status"]
    guard let found = written == nil ? 200 : written?.wholeNumber, 200...599 ~= found else {
      throw Unusable("/response/status", "a case has a status from 200 to 599")
    }
    status = found
    members["status"] = .int(status)
    if let message = response["statusMessage"]?.string, !message.isEmpty {
      note(.leftOut, "statusMessage", "the status decides the reason phrase")
    }
  }

  // MARK: - Headers

  /// Headers that belong to the connection or to the bytes of one response, and are not taken over.
  private static let framing = [
    "content-length", "transfer-encoding", "connection", "date", "content-encoding", "keep-alive",
  ]

  private var contentType: String {
    response["headers"]?.members.first { $0.key.lowercased() == "content-type" }?.value.string ?? ""
  }

  private mutating func readHeaders() throws(Unusable) {
    var written: [(String, JSONText?)] = []
    var hasTemplate = false
    for member in (response["headers"] ?? .null).members {
      let place = "/response/headers/\(member.key.escapedForPointer)"
      if Self.framing.contains(member.key.lowercased()) {
        notes.append((.skipped, place, "the server frames its responses itself"))
        continue
      }
      let values = member.value.kind == .array ? Array(member.value.elements) : [member.value]
      var texts: [String] = []
      for value in values {
        let text = value.string ?? String(decoding: value.compact, as: UTF8.self)
        if isTemplate, WireMockTemplate.isTemplate(text) {
          texts.append(try template.at(place).translated(text))
          hasTemplate = true
        } else {
          texts.append(text)
        }
      }
      written.append((member.key, .oneOrMore(texts)))
    }
    if hasTemplate { templatedParts.append("headers") }
    if !written.isEmpty { members["headers"] = .object(written) }
  }

  // MARK: - Body

  private mutating func readBody(_ bodyFile: BodyFile) throws(Unusable) {
    let written = StubForm.bodyKeys.lazy.compactMap { [response] key in
      response[key].flatMap { $0.isNull ? nil : (key, $0) }
    }
    guard let (key, value) = written.first else { return }
    guard status != 204, status != 304 else {
      note(.leftOut, key, "a response of status \(status) has no body")
      return
    }
    let place = "/response/\(key)"
    switch key {
    case "jsonBody":
      let text = String(decoding: value.compact, as: UTF8.self)
      try add(text: text, as: value, isJSON: true, place)
    case "body":
      let text = value.string ?? String(decoding: value.compact, as: UTF8.self)
      try add(text: text, as: nil, isJSON: contentType.isJSONType, place)
    case "base64Body":
      guard let text = value.string else { throw Unusable(place, "the body is not a string") }
      members["base64"] = .string(text)
    default:
      guard let name = value.string else { throw Unusable(place, "the file has no name") }
      guard !WireMockTemplate.isTemplate(name) else {
        throw Unusable(
          place, "the file it responds with depends on the request, and a case has the same for all"
        )
      }
      let bytes: [UInt8]
      do throws(Failure) {
        bytes = try bodyFile(name)
      } catch {
        throw Unusable(place, error.message)
      }
      try add(file: name, bytes, place)
    }
  }

  private mutating func add(
    text: String, as value: JSONValue?, isJSON: Bool, _ place: String
  ) throws(Unusable) {
    var (text, value) = (text, value)
    if isTemplate, WireMockTemplate.isTemplate(text) {
      if text.utf8.contains(bytes: "request.url".utf8) {
        notes.append(
          (.narrowed, place, "a URL in the response has only the query that the stub names"))
      }
      text = try template.at(place).translated(text)
      templatedParts.append("body")
      value = nil
    }
    if text.isEmpty { return }
    if isJSON, let json = value ?? (try? JSONDocument(parsing: text))?.root {
      members["body"] = .value(json)
    } else {
      members["text"] = .string(text)
    }
  }

  private mutating func add(file name: String, _ bytes: [UInt8], _ place: String) throws(Unusable) {
    let text = String(validating: bytes, as: UTF8.self)
    if let text, bytes.count <= Self.inlineByteCountMax,
      contentType.isJSONType || name.hasSuffix(".json")
        || isTemplate && WireMockTemplate.isTemplate(text)
    {
      let isJSON = contentType.isJSONType || name.hasSuffix(".json")
      try add(text: text, as: nil, isJSON: isJSON, place)
      return
    }
    let path = "files/" + name.split(separator: "/").joined(separator: "/")
    guard !RecordedExchange.climbs(path: "/\(path)") else {
      throw Unusable(place, "the file is outside of __files")
    }
    file = (path, bytes)
    members["file"] = .string(path)
  }

  // MARK: - Timing

  private mutating func readTiming(isBroken: Bool) throws(Unusable) {
    if let distribution = response["delayDistribution"] {
      if let delay = try Self.delay(WireMockTimes(distribution, at: "/response/delayDistribution"))
      {
        members["delay"] = .object([delay])
      }
    } else if let time = try WireMockTimes(response, at: "/response")["fixedDelayMilliseconds"],
      time > 0
    {
      members["delay"] = ["fixed": .milliseconds(time)]
    }
    guard let dribble = response["chunkedDribbleDelay"], !isBroken else { return }
    let times = WireMockTimes(dribble, at: "/response/chunkedDribbleDelay")
    guard let count = dribble["numberOfChunks"]?.wholeNumber, 1...100_000 ~= count,
      let total = try times["totalDuration"]
    else { throw times.unusable("the pieces have no number up to 100000, or no time") }
    members["pace"] = ["chunks": .int(count), "over": .milliseconds(total)]
  }

  /// `nil` for a distribution that never waits.
  static func delay(_ times: WireMockTimes) throws(Unusable) -> (key: String, value: JSONText?)? {
    switch times.value["type"]?.string {
    case "lognormal":
      guard let median = try times["median"], let sigma = times.value["sigma"]?.number?.double,
        sigma > 0, sigma <= 10
      else { throw times.unusable("the delay has no median, or no sigma above 0 and up to 10") }
      // Without a limit, a delay is cut where one of three million is longer.
      let longest = min(median * CLibrary.exponential(5 * sigma), 3_600_000).rounded(.up)
      let limit = try times["maxValue"] ?? max(median, longest)
      guard limit > 0 else { return nil }
      let shape: [(String, JSONText?)] = [
        ("median", .milliseconds(min(median, limit))), ("sigma", .double(sigma)),
        ("max", .milliseconds(limit)),
      ]
      return ("lognormal", .object(shape))
    case "uniform":
      let (lower, upper) = (try times["lower"] ?? 0, try times["upper"] ?? 0)
      guard max(lower, upper) > 0 else { return nil }
      return (
        "uniform", .array([.milliseconds(lower), .milliseconds(max(lower, upper))])
      )
    case "fixed":
      guard let time = try times["milliseconds"], time > 0 else { return nil }
      return ("fixed", .milliseconds(time))
    default:
      throw times.unusable("the distribution is unknown")
    }
  }

  private mutating func noteTheRest() {
    for (key, reason) in [
      ("additionalProxyRequestHeaders", "a case does not pass requests on"),
      ("fromConfiguredStub", "it has no meaning"),
    ] where response[key] != nil {
      note(.skipped, key, reason)
    }
  }
}

extension WireMockResponse {
  /// The name of a case: that of the stub, `not-found`, or that of its fault.
  func stem(of stub: WireMockStub) -> String {
    let name = String((stub.name?.slug ?? "").prefix(60))
    if !name.isEmpty { return name }
    guard isFaultOnly, let fault = response["fault"]?.string else {
      return RecordedCase.stem(of: status)
    }
    return fault.slug
  }

  func draft(of candidate: WireMockCandidate, named name: String, when: JSONText?) -> CaseDraft {
    let stub = candidate.stub
    let origin: JSONText = [
      "id": stub.id.map { .string($0) }, "metadata": stub.value["metadata"].map { .value($0) },
    ]
    var members: JSONObject = [
      "summary": stub.name.map { .string($0) }, "when": when, "then": candidate.change,
    ]
    members = members + self.members
    members["x-wiremock"] = origin == .emptyObject ? nil : origin
    return CaseDraft(name, status: isFaultOnly ? nil : status, members)
  }
}

extension WireMockTemplate {
  func at(_ pointer: String) -> Self {
    WireMockTemplate(
      path: path, shown: shown, method: method, query: query, pointer: pointer,
      parameters: parameters)
  }
}

extension String {
  fileprivate var isJSONType: Bool { MediaType(self).isJSON }
}
