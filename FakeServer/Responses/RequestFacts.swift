import UnderstudyContractModel
import UnderstudyHTTP
import UnderstudyJSON

/// A request as used by contracts and templates.
struct RequestFacts {
  let fields: any RequestFields
  let candidate: RequestIndex.Candidate
  let now: ResponseTime
  /// Whether it may be the live request of a case other than the default.
  let mayServeLiveCase: Bool
  private let baseURL: @Sendable (_ upstreamName: String) -> String?
  private var state = UpstreamState()
  /// What was drawn for this response already.
  private(set) var drawn = ByteTemplate.ResponseValues()

  init(
    _ fields: any RequestFields, _ candidate: RequestIndex.Candidate, at now: ResponseTime,
    mayServeLiveCase: Bool = true,
    baseURL: @escaping @Sendable (_ upstreamName: String) -> String?
  ) {
    self.fields = fields
    self.candidate = candidate
    self.now = now
    self.mayServeLiveCase = mayServeLiveCase
    self.baseURL = baseURL
  }

  /// This request, as the templates of a response see it: with these values of the state, and these
  /// drawn ones.
  func responded(
    with state: UpstreamState, _ drawn: ByteTemplate.ResponseValues
  ) -> RequestFacts {
    var copy = self
    copy.state = state
    copy.drawn = drawn
    return copy
  }

  // MARK: - Values for templates; `nil` for missing ones

  /// The value of a path parameter, percent-decoded.
  func pathValue(_ name: String) -> String? { fields.pathValue(name, in: candidate.template) }

  /// The first of several values, percent-decoded.
  func queryValue(_ name: String) -> String? { fields.queryValues(name).first }

  /// The first of several values; the name may be in any case.
  func headerValue(_ name: String) -> String? { headerValues(name).first }

  /// All values, one a line of the head; the name may be in any case.
  func headerValues(_ name: String) -> [String] { fields.headerValues(name.lowercased()) }

  /// The whole body; invalid UTF-8 becomes U+FFFD.
  var bodyText: String { fields.body.text }

  /// A named string of the upstream's state.
  func stateValue(_ name: String) -> String? { state[name] }

  /// The strings of the state whose names begin so, the oldest first.
  func stateValues(beginningWith prefix: String) -> [String] {
    state.texts(beginningWith: prefix)
  }

  /// Also `nil` when the body is not valid JSON.
  func bodyValue(_ pointer: JSONPointer) -> JSONValue? {
    fields.json?.value(at: pointer)
  }

  /// The base URL by which the client reaches an upstream, without a trailing slash.
  func baseURL(ofUpstream name: String) -> String? { baseURL(name) }
}

extension Request {
  /// Copies the parts that matching uses out of the received bytes.
  init(
    head bytes: UnsafeRawBufferPointer, _ head: borrowing RequestHead, body: UnsafeRawBufferPointer
  ) {
    // SAFETY: the ranges come from a head parsed from these bytes, which are not kept.
    var headers: [HeaderField] = []
    headers.reserveCapacity(head.fieldCount)
    for index in 0..<head.fieldCount {
      let field = head.field(at: index)
      headers.append(
        HeaderField(name: bytes.text(field.name), value: bytes.text(field.value)))
    }
    self.init(
      bytes.text(head.method), head.path.isEmpty ? "/" : bytes.text(head.path), headers: headers,
      body: Array(body))
    query = head.query.map { bytes.text($0) }
  }

  /// Removes the session from the path and returns it: `worker-3` for `/~worker-3/dog-ceo`, empty
  /// for the main session. Some clients encode the tilde.
  mutating func removeSession() -> String {
    guard let mark = ["/~", "/%7E", "/%7e"].first(where: path.hasPrefix) else { return "" }
    let name = Substring(path.utf8.dropFirst(mark.utf8.count).prefix { $0 != UInt8(ascii: "/") })
    let rest = path[name.endIndex...]
    path = rest.isEmpty ? "/" : String(rest)
    return PercentEncoding.decode(name) ?? String(name)
  }
}
