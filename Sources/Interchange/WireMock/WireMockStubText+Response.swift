import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySystem

extension WireMockStubText {
  private static let faults: Set<Fault> = [
    .emptyResponse, .malformedResponseChunk, .randomDataThenClose, .connectionResetByPeer,
  ]

  func response() throws(Unusable) -> JSONText {
    var members: [(String, JSONText?)] = []
    if let fault = served.fault {
      guard Self.faults.contains(fault) else {
        throw Unusable(reason: "WireMock has no fault \(fault.rawValue)")
      }
      members.append(("fault", .string(fault.rawValue)))
    } else {
      members += try headAndBody()
    }
    members += try timing()
    return .object(members)
  }

  private func headAndBody() throws(Unusable) -> [(String, JSONText?)] {
    guard let response = served.response else {
      throw Unusable(reason: "the case has no response")
    }
    if served.stall != nil { throw Unusable(reason: "WireMock does not stall") }
    switch served.malformation {
    case .contentLengthOff, .gzip: throw Unusable(reason: "WireMock does not mutate the framing")
    default: break
    }
    var names: [String] = []
    for header in response.headers where !names.contains(header.name) { names.append(header.name) }
    let isTemplated = !response.templatedParts.isEmpty
    var headers: [(String, JSONText?)] = []
    for name in names {
      var values: [JSONText] = []
      for header in response.headers where header.name == name {
        values.append(
          .string(
            response.templatedParts.contains(.headers) ? try handlebars(header.value) : header.value
          ))
      }
      headers.append((name, values.count == 1 ? values[0] : .array(values)))
    }
    var members: [(String, JSONText?)] = [
      ("status", .int(response.status)), ("headers", headers.isEmpty ? nil : .object(headers)),
    ]
    members += try body(response)
    if isTemplated { members.append(("transformers", .strings(["response-template"]))) }
    return members
  }

  private func body(_ response: Response) throws(Unusable) -> [(String, JSONText?)] {
    guard !served.bodyBytes.isEmpty else { return [] }
    if case .file(let path) = response.body, served.malformation == nil {
      return [("bodyFileName", .string(path))]
    }
    guard let text = String(validating: served.bodyBytes, as: UTF8.self) else {
      return [("base64Body", .string(Base64.encode(served.bodyBytes)))]
    }
    if response.templatedParts.contains(.body) {
      let isJSON = if case .json = response.body { true } else { false }
      return [("body", .string(try handlebars(text, isJSON: isJSON)))]
    }
    if case .json(let json) = response.body, served.malformation == nil {
      return [("jsonBody", .value(json))]
    }
    return [("body", .string(text))]
  }

  /// - Parameter isJSON: whether a string that is nothing but `{… as json}` loses its quotes.
  private func handlebars(_ text: String, isJSON: Bool = false) throws(Unusable) -> String {
    let pieces = Template(text).pieces
    var output = ""
    var isUnquoted = false
    for (place, piece) in pieces.enumerated() {
      switch piece {
      case .text(let text):
        // Braces of JSON behind an expression would be read as its end.
        output += isUnquoted ? " \(text.dropFirst())" : text
        isUnquoted = false
      case .expression(.json(let value)):
        guard case .text(let next)? = pieces.dropFirst(place + 1).first, isJSON, next.first == "\"",
          output.last == "\""
        else {
          output += try handlebars(value)
          continue
        }
        isUnquoted = value.isNumber
        guard isUnquoted else {
          throw Unusable(reason: "WireMock cannot insert a value with its JSON type")
        }
        output.removeLast()
        output += try handlebars(value)
      case .expression(let expression): output += try handlebars(expression)
      }
    }
    return output
  }

  private func handlebars(_ expression: Template.Expression) throws(Unusable) -> String {
    switch expression {
    case .baseURL(upstream: nil): return "{{request.requestLine.baseUrl}}\(upstream.basePath)"
    case .path(let name):
      guard let index = path.segments.firstIndex(of: .parameter(name)) else {
        throw Unusable(reason: "WireMock has no expression for a tail")
      }
      let start = upstream.basePath.split(separator: "/").count
      return "{{request.requestLine.pathSegments.[\(start + index)]}}"
    case .query(let name): return "{{request.query.\(name)}}"
    case .header(let name): return "{{request.headers.[\(name)]}}"
    case .body(""): return "{{{request.body}}}"
    case .body(let pointer):
      let tokens = JSONPointer(parsing: pointer)?.tokens ?? []
      return "{{jsonPath request.body '$\(tokens.map { "['\($0)']" }.joined())'}}"
    case .uuid: return "{{randomValue type='UUID'}}"
    case .random(let range):
      let (end, isTooLarge) = range.upperBound.addingReportingOverflow(1)
      guard !isTooLarge else {
        throw Unusable(reason: "WireMock has no random number as large as \(range.upperBound)")
      }
      return "{{randomInt lower=\(range.lowerBound) upper=\(end)}}"
    case .now(let time): return "{{\(try WireMockDate(time).expression())}}"
    case .baseURL, .state, .states, .counter, .json:
      throw Unusable(reason: "WireMock has no such expression")
    }
  }

  /// The webhooks of the case; `nil` where it has none, or some that no stub can express.
  var listeners: JSONText? {
    guard !served.callbacks.isEmpty else { return nil }
    var listeners: [JSONText] = []
    for callback in served.callbacks {
      guard let parameters = try? parameters(of: callback) else { return nil }
      listeners.append(["name": "webhook", "parameters": parameters])
    }
    return .array(listeners)
  }

  private func parameters(of callback: Callback) throws(Unusable) -> JSONText {
    func text(_ text: String, isTemplate: Bool) throws(Unusable) -> String {
      guard isTemplate else { return text }
      // A webhook draws values of its own, and its response has others.
      guard !Template(text).expressions.contains(where: { $0.plain == .uuid }) else {
        throw Unusable(reason: "WireMock's webhooks have no values of their responses")
      }
      return try handlebars(text).replacing("{{request.", with: "{{originalRequest.")
        .replacing("{{{request.", with: "{{{originalRequest.")
        .replacing("{{jsonPath request.", with: "{{jsonPath originalRequest.")
    }
    guard !callback.templatedParts.contains(.body) || !callback.isJSON else {
      throw Unusable(reason: "WireMock's webhooks have no templates of JSON")
    }
    var headers: [(String, JSONText?)] = []
    for header in callback.headers {
      guard !headers.contains(where: { $0.0 == header.name }) else {
        throw Unusable(reason: "WireMock's webhooks have each header once")
      }
      let isTemplate = callback.templatedParts.contains(.headers)
      headers.append((header.name, .string(try text(header.value, isTemplate: isTemplate))))
    }
    var members: [(String, JSONText?)] = [
      ("method", .string(callback.method)),
      ("url", .string(try text(callback.url, isTemplate: true))),
      ("headers", headers.isEmpty ? nil : .object(headers)),
    ]
    if let body = String(validating: callback.bodyBytes, as: UTF8.self) {
      let isTemplate = callback.templatedParts.contains(.body)
      if !body.isEmpty { members.append(("body", .string(try text(body, isTemplate: isTemplate)))) }
    } else {
      members.append(("base64Body", .string(Base64.encode(callback.bodyBytes))))
    }
    switch callback.delay {
    case nil: break
    case .fixed(let time):
      members.append(("delay", ["type": "fixed", "milliseconds": .int(time.wholeMilliseconds)]))
    case let delay?: members.append(("delay", Self.distribution(delay)))
    }
    return .object(members)
  }

  private static func distribution(_ delay: Delay) -> JSONText? {
    switch delay {
    case .fixed: nil
    case .uniform(let range):
      [
        "type": "uniform", "lower": .int(range.lowerBound.wholeMilliseconds),
        "upper": .int(range.upperBound.wholeMilliseconds),
      ]
    case .lognormal(let median, let sigma, let max):
      [
        "type": "lognormal", "median": .int(median.wholeMilliseconds), "sigma": .double(sigma),
        "maxValue": .int(max.wholeMilliseconds),
      ]
    }
  }

  private func timing() throws(Unusable) -> [(String, JSONText?)] {
    var members: [(String, JSONText?)] = []
    switch served.delay {
    case nil: break
    case .fixed(let time): members.append(("fixedDelayMilliseconds", .int(time.wholeMilliseconds)))
    case let delay?: members.append(("delayDistribution", Self.distribution(delay)))
    }
    switch served.pace {
    case nil: break
    case .chunks(let count, let time):
      members.append(
        (
          "chunkedDribbleDelay",
          ["numberOfChunks": .int(count), "totalDuration": .int(time.wholeMilliseconds)]
        ))
    case .bytesPerSecond: throw Unusable(reason: "WireMock has no pace in bytes")
    }
    return members
  }
}

extension Template.Expression {
  /// Whether it always stands for a number.
  fileprivate var isNumber: Bool {
    switch self {
    case .random: true
    case .now(let time): time.format == .unix || time.format == .unixMilliseconds
    default: false
    }
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int { Int(clamping: self / .milliseconds(1)) }
}
