package import UnderstudyCore
package import UnderstudyJSON
package import UnderstudySchema

/// A response as a case describes it, including what `like` copies.
package final class Response: Sendable {
  /// The body by the key that gives it. Its bytes as sent are the case's `bodyBytes`.
  package enum Body: Sendable {
    case none
    case json(JSONValue)
    case text(String)
    case bytes
    /// JSON if the case has a schema.
    case file(path: String)
    /// A stream of events, each sent after its time.
    case events([ServerEvent])
  }

  /// The version of HTTP in the status line, by its text in a contract.
  package enum Version: String, Sendable, CaseIterable {
    case http10 = "1.0"
    case http11 = "1.1"
  }

  /// How the response says where its body ends.
  package enum Framing: String, Sendable, CaseIterable {
    case length, chunked, close
  }

  /// How the body is compressed before it is framed.
  package enum Encoding: String, Sendable, CaseIterable {
    case gzip
  }

  /// The parts of a response whose expressions can be filled in, if the contract asks for it.
  package enum TemplatedPart: String, Sendable, CaseIterable {
    case headers, body
  }

  package let status: Int
  package let headers: [HeaderField]
  package let body: Body
  /// The body before `malform` and `encoding`; JSON without white space between tokens.
  package let bodyBytes: [UInt8]
  package let schema: BodySchema?
  package let version: Version
  package let framing: Framing
  package let encoding: Encoding?
  /// Whether requests for parts of the body are served with just those.
  package let hasRanges: Bool
  /// Whether it has a tag by which requests can ask for what has changed.
  package let hasTag: Bool
  package let templatedParts: Set<TemplatedPart>

  init(
    status: Int, headers: [HeaderField], body: Body, bodyBytes: [UInt8], schema: BodySchema?,
    version: Version, framing: Framing, encoding: Encoding?, hasRanges: Bool, hasTag: Bool,
    templatedParts: Set<TemplatedPart>
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.bodyBytes = bodyBytes
    self.schema = schema
    self.version = version
    self.framing = framing
    self.encoding = encoding
    self.hasRanges = hasRanges
    self.hasTag = hasTag
    self.templatedParts = templatedParts
  }

  /// The body if it is JSON. A file is parsed again each time, so that a large one takes no memory
  /// beyond its bytes while it is served.
  package var json: JSONValue? {
    switch body {
    case .json(let value): value
    case .file where schema != nil: JSONDocument(valid: bodyBytes)?.root
    default: nil
    }
  }

  /// The headers of the case, and the type of events.
  package var sentHeaders: [HeaderField] {
    guard case .events = body, !headers.contains(where: { $0.key == "content-type" }) else {
      return headers
    }
    return [HeaderField(name: "Content-Type", value: "text/event-stream")] + headers
  }

  /// Whether HTTP allows a body with this status.
  var allowsBody: Bool { status != 204 && status != 304 }
}

/// The schema of a case's body, and where it is written.
///
/// Compiled for a fixed time. For live responses, whose dates are compared with the clock, `source`
/// is compiled again.
package struct BodySchema: Sendable {
  /// 2030-01-01 00:00 UTC, the reference time for dates in a contract, so that results do not
  /// depend on the day or the machine.
  package static let moment = Moment(unixSeconds: 1_893_456_000)

  package let schema: Schema
  package let source: JSONValue
}

/// One header line.
package struct HeaderField: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// The name for comparing: its case does not matter.
  package var key: HeaderName { HeaderName(name) }
}
