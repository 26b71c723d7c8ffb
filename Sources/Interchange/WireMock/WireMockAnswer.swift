import UnderstudyCore
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySystem

/// Translates the response of a stub into the members of a case.
struct WireMockAnswer {
  typealias Unusable = WireMockStub.Unusable

  /// A file of the stubs, read by its path beneath `__files`.
  typealias BodyFile = (String) throws(Failure) -> [UInt8]

  /// Larger JSON stays in a file.
  private static let inlineByteCountMax = 64 << 10

  private(set) var status = 200
  /// Whether nothing is answered but a fault.
  private(set) var isFaultOnly = false
  private(set) var members: [(key: String, value: JSONText)] = []
  /// A body to be written as a file of the upstream: its path, and its bytes.
  private(set) var file: (path: String, bytes: [UInt8])?
  private(set) var notes: [(kind: ImportNote.Kind, pointer: String, reason: String)] = []

  private let response: JSONValue
  private let template: WireMockTemplate
  private var isTemplate = false
  private var templatedParts: [String] = []

  /// - Parameter isTemplated: whether all answers have expressions, as with WireMock's
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
      if !templatedParts.isEmpty { members.append(("template", .strings(templatedParts))) }
    }
    if let fault { members.append(("fault", .string(fault.rawValue))) }
    isFaultOnly = !members.contains { $0.key == "status" }
    try readTiming(isBroken: fault != nil)
    noteTheRest()
  }

  private mutating func note(_ kind: ImportNote.Kind, _ key: String, _ reason: String) {
    notes.append((kind, "/response/\(key)", reason))
  }

  private func fault() throws(Unusable) -> Fault? {
    guard let name = response["fault"]?.string else { return nil }
    guard let fault = Fault(rawValue: name) else {
      throw Unusable("/response/fault", "there is no fault \(name)")
    }
    return fault
  }

  private mutating func readStatus() throws(Unusable) {
    status = response["status"]?.wholeNumber ?? 200
    guard 200...599 ~= status else {
      throw Unusable("/response/status", "a case has a status from 200 to 599")
    }
    members.append(("status", .int(status)))
    if let message = response["statusMessage"]?.string, !message.isEmpty {
      note(.leftOut, "statusMessage", "the reason phrase is that of the status")
    }
  }

  // MARK: - Headers

  /// Those that belong to the connection, or to the bytes of one answer.
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
        notes.append((.skipped, place, "the server frames its answers itself"))
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
      written.append((member.key, texts.count == 1 ? .string(texts[0]) : .strings(texts)))
    }
    if hasTemplate { templatedParts.append("headers") }
    if !written.isEmpty { members.append(("headers", .object(written))) }
  }

  // MARK: - Body

  private mutating func readBody(_ bodyFile: BodyFile) throws(Unusable) {
    let written = StubForm.bodyKeys.lazy.compactMap { [response] key in
      response[key].flatMap { $0.isNull ? nil : (key, $0) }
    }
    guard let (key, value) = written.first else { return }
    guard status != 204, status != 304 else {
      note(.leftOut, key, "an answer of status \(status) has no body")
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
      guard let text = value.string else { throw Unusable(place, "the body is no text") }
      members.append(("base64", .string(text)))
    default:
      guard let name = value.string else { throw Unusable(place, "the file has no name") }
      guard !WireMockTemplate.isTemplate(name) else {
        throw Unusable(place, "the file of a case has one name")
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
          (.narrowed, place, "a URL in the answer has only the query that the stub names"))
      }
      text = try template.at(place).translated(text)
      templatedParts.append("body")
      value = nil
    }
    if text.isEmpty { return }
    if isJSON, let json = value ?? (try? JSONDocument(parsing: text))?.root {
      members.append(("body", .value(json)))
    } else {
      members.append(("text", .string(text)))
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
    members.append(("file", .string(path)))
  }

  // MARK: - Timing

  private mutating func readTiming(isBroken: Bool) throws(Unusable) {
    if let delay = response["delayDistribution"] {
      switch delay["type"]?.string {
      case "lognormal":
        guard let median = delay["median"]?.number?.double,
          let sigma = delay["sigma"]?.number?.double
        else { throw Unusable("/response/delayDistribution", "the delay has no median or sigma") }
        members.append(
          (
            "delay",
            .object([
              (
                "lognormal",
                .object([
                  ("median", .string("\(Int(median.rounded()))ms")), ("sigma", .double(sigma)),
                  (
                    "max",
                    .string("\(delay["maxValue"]?.wholeNumber ?? Self.longest(median, sigma))ms")
                  ),
                ])
              )
            ])
          ))
      case "uniform":
        let (lower, upper) = (delay["lower"]?.wholeNumber ?? 0, delay["upper"]?.wholeNumber ?? 0)
        members.append(
          (
            "delay",
            .object([("uniform", .strings(["\(lower)ms", "\(max(lower, upper))ms"]))])
          ))
      case "fixed": addFixed(delay["milliseconds"]?.wholeNumber ?? 0)
      default:
        throw Unusable("/response/delayDistribution", "the distribution is unknown")
      }
    } else if let milliseconds = response["fixedDelayMilliseconds"]?.wholeNumber {
      addFixed(milliseconds)
    }
    guard let dribble = response["chunkedDribbleDelay"], !isBroken else { return }
    guard let count = dribble["numberOfChunks"]?.wholeNumber,
      let total = dribble["totalDuration"]?.wholeNumber,
      count > 0
    else { throw Unusable("/response/chunkedDribbleDelay", "the pieces have no number or time") }
    members.append(
      ("pace", .object([("chunks", .int(count)), ("over", .string("\(max(0, total))ms"))])))
  }

  /// Where a distribution without a limit is cut: one delay of three million is longer.
  private static func longest(_ median: Double, _ sigma: Double) -> Int {
    Int(min(median * CLibrary.exponential(5 * sigma), 3_600_000).rounded(.up))
  }

  private mutating func addFixed(_ milliseconds: Int) {
    guard milliseconds > 0 else { return }
    members.append(("delay", .object([("fixed", .string("\(milliseconds)ms"))])))
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

extension WireMockAnswer {
  /// The name of its case: `not-found`, or that of its fault.
  var stem: String {
    guard isFaultOnly, let fault = response["fault"]?.string else {
      return RecordedCase.stem(of: status)
    }
    return fault.slug
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
