import UnderstudyContractModel
import UnderstudyCore

/// The parts of a case's response that do not depend on the request.
struct ResponseRecipe: Sendable {
  private let status: Int
  /// The status line and the case's headers, each with its line end.
  private(set) var lines: ByteTemplate
  /// The body before compression.
  let content: ByteTemplate
  /// The events of the body, if it is sent as such.
  let events: [EventRecipe]?
  /// `nil` for a response that is always sent whole.
  let conditions: ResponseConditions?
  let coding: ContentCoding
  let names: [UInt8]
  let isHTTP10: Bool
  private let framing: Response.Framing
  private let lengthDifference: Int
  private let fault: Fault?
  /// Whether a value in the response is random or counted.
  let drawsValues: Bool

  init(
    _ served: Case, _ response: Response, of contract: Contract,
    rewriting addresses: LiveAddresses?
  ) {
    status = response.status
    isHTTP10 = response.version == .http10
    fault = served.fault
    names = Array(
      "Understudy-Contract: \(contract.id)\r\nUnderstudy-Case: \(served.name)\r\n".utf8)
    let hasNoBody = Self.hasNoBody(status)
    switch served.malformation {
    case _ where hasNoBody: coding = .identity
    case .gzip(let mutation): coding = .brokenGzip(mutation)
    case .empty: coding = .identity
    default: coding = response.encoding == .gzip ? .gzip : .identity
    }
    switch served.malformation {
    case .contentLengthOff(let difference):
      (framing, lengthDifference) = (.length, difference)
    case .empty: (framing, lengthDifference) = (.length, 0)
    default: (framing, lengthDifference) = (response.framing, 0)
    }
    let writer = Writer(
      response: response, malformation: served.malformation, upstreamName: contract.upstreamName,
      addresses: addresses)
    events = hasNoBody ? nil : served.events.map(writer.events)
    content = hasNoBody || events != nil ? ByteTemplate() : writer.content(served.bodyBytes)
    lines = writer.lines(
      isCompressed: coding != .identity, isBroken: served.fault == .malformedHeader)
    conditions = ResponseConditions(response, method: contract.request.method)
    drawsValues =
      lines.drawsValues || content.drawsValues || events?.contains { $0.drawsValues } ?? false
    if let conditions, let bytes = content.fixedBytes {
      lines.append(conditions.lines(for: coding.encode(bytes)))
    }
  }

  /// Statuses whose responses never have a body (RFC 9112, section 6.3).
  private static func hasNoBody(_ status: Int) -> Bool {
    status < 200 || status == 204 || status == 304
  }

  func framing(of bodyLength: Int, for clientVersion: Response.Version) -> ResponseFraming {
    if fault == .malformedResponseChunk { return .chunked }
    if Self.hasNoBody(status) { return .none }
    switch framing {
    case .length: return .length(max(0, bodyLength + lengthDifference))
    case .close: return .untilClose
    case .chunked:
      guard isHTTP10 || clientVersion == .http10 else { return .chunked }
      // HTTP/1.0 has no chunks, and without a length a missing half would go unnoticed.
      return fault == .connectionClosedInBody ? .length(bodyLength) : .untilClose
    }
  }

  /// Whether the head declares that the connection ends with this response. A fault that cuts an
  /// response short does not announce itself.
  var announcesClose: Bool {
    // After an interim status the client would wait for a final one that never comes.
    lengthDifference != 0 || fault == .malformedHeader || status < 200
  }
}

extension ResponseRecipe {
  /// Writes the parts of a response that come from the contract.
  private struct Writer {
    let response: Response
    let malformation: Malformation?
    let upstreamName: String
    let addresses: LiveAddresses?

    func lines(isCompressed: Bool, isBroken: Bool) -> ByteTemplate {
      var lines = ByteTemplate()
      let reason = ReasonPhrase.text(of: response.status)
      lines.append("HTTP/\(response.version.rawValue) \(response.status) \(reason)\r\n".utf8)
      if isBroken { lines.append(FaultBytes.headerLineWithoutColon) }
      for header in headers {
        lines.append("\(header.name): ".utf8)
        lines.append(template(in: Array(header.value.utf8), .headerValue, of: .headers))
        lines.append("\r\n".utf8)
      }
      if isCompressed { lines.append("Content-Encoding: gzip\r\n".utf8) }
      return lines
    }

    private var headers: [HeaderField] {
      let type: String
      switch malformation {
      case .html: type = "text/html"
      case .contentType(let other): type = other
      default: return response.sentHeaders
      }
      let isType = { (header: HeaderField) in header.key == "content-type" }
      var headers = response.sentHeaders
      let index = headers.firstIndex(where: isType) ?? headers.endIndex
      headers.removeAll(where: isType)
      headers.insert(HeaderField(name: "Content-Type", value: type), at: index)
      return headers
    }

    func content(_ bytes: [UInt8]) -> ByteTemplate {
      template(in: bytes, syntax, of: .body)
    }

    func events(_ events: [ServerEvent]) -> [EventRecipe] {
      events.map { EventRecipe($0) { template(in: $0, $1, of: .body) } }
    }

    private func template(
      in bytes: [UInt8], _ syntax: ByteTemplate.Syntax, of part: Response.TemplatedPart
    ) -> ByteTemplate {
      let rewritten = part == .headers || isText(bytes) ? addresses : nil
      guard response.templatedParts.contains(part) else {
        return ByteTemplate(bytes, syntax, rewriting: rewritten)
      }
      return ByteTemplate(
        templateIn: bytes, syntax, upstreamName: upstreamName, rewriting: rewritten)
    }

    private var syntax: ByteTemplate.Syntax {
      if case .html = malformation { return .text }
      if case .json = response.body { return .json }
      return .text
    }

    /// Whether URLs may be replaced: images must not change.
    private func isText(_ bytes: [UInt8]) -> Bool {
      switch response.body {
      case .bytes, .file: addresses != nil && String(validating: bytes, as: UTF8.self) != nil
      default: true
      }
    }
  }
}

extension ResponseRecipe {
  /// A response to one request.
  struct Prepared {
    let status: Int
    let head: ResponseHead
    let framing: ResponseFraming
    let content: ArraySlice<UInt8>
  }

  func prepared(
    for context: ServingContext, _ request: RequestFacts,
    using generator: inout ValueGenerator
  ) -> Prepared {
    var values = request.drawn
    var lines = lines.filled(from: request, at: context.now, &values, using: &generator)
    let content = coding.encode(
      content.filled(from: request, at: context.now, &values, using: &generator))
    if let conditions {
      if self.content.fixedBytes == nil { lines += conditions.lines(for: content) }
      if let part = conditions.part(
        of: lines, byteCount: content.count, for: request, isHead: context.isHead)
      {
        let framing = part.framing ?? framing(of: part.range.count, for: context.clientVersion)
        return Prepared(
          status: part.status, head: head(part.lines, framing), framing: framing,
          content: content[part.range])
      }
    }
    let framing = framing(of: content.count, for: context.clientVersion)
    return Prepared(
      status: status, head: head(lines, framing), framing: framing, content: content[...])
  }

  /// Prepares the head and the events of a response for one request.
  func prepared(
    _ events: [EventRecipe], for context: ServingContext, _ request: RequestFacts,
    using generator: inout ValueGenerator
  ) -> (head: ResponseHead, isChunked: Bool, stream: EventStream) {
    var values = request.drawn
    let lines = lines.filled(from: request, at: context.now, &values, using: &generator)
    let stream = EventStream(events, after: request.headerValue("Last-Event-ID")) {
      $0.filled(from: request, at: context.now, &values, using: &generator)
    }
    let framing = framing(of: stream.bytes.count, for: context.clientVersion)
    return (head(lines, framing), framing == .chunked, stream)
  }

  /// Whether the body is not copied to be sent at once, but sent in pieces.
  var isLarge: Bool { content.fixedByteCount > PacedBody.pieceLengthMax }

  /// The whole response, if no part of it depends on the request and it is not large.
  var staticResponse: StaticResponse? {
    guard !isLarge, events == nil, conditions == nil, let lines = lines.fixedBytes,
      let plain = content.fixedBytes
    else { return nil }
    let content = coding.encode(plain)
    let framing = framing(of: content.count, for: .http11)
    var body = PacedBody(content[...], isChunked: framing == .chunked)
    var framed: [UInt8] = []
    while case .send(let bytes) = body.next() { framed += bytes }
    return StaticResponse(
      head: head(lines, framing), framedBody: framed, isChunked: framing == .chunked)
  }

  private func head(_ lines: [UInt8], _ framing: ResponseFraming) -> ResponseHead {
    ResponseHead(
      lines: lines, framing: framing, names: names, isHTTP10: isHTTP10, mustClose: announcesClose)
  }
}

/// The bytes sent where a response is not valid HTTP.
enum FaultBytes {
  /// Starts like a status line, so a client has to read on to notice that it is not one.
  static let statusLine = Array("HTTP/1.1 no status line\r\n\r\n".utf8)
  static let headerLineWithoutColon = Array("This line is not a header\r\n".utf8)
  /// No byte before the line break is a hexadecimal digit, unlike a chunk's size.
  static let chunk = Array("no such thing\r\n".utf8)
  static let noiseCount = 256
}
