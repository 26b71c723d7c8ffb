public import UnderstudyClient
public import UnderstudyJSON

/// What a consumer is called with.
public struct ConsumerCall: Sendable {
  /// Reaches nobody but the upstreams of the contracts, be they the fake or live. To the fake, each
  /// request goes out once, over a connection of its own, and keeps the contract's time-out.
  public let transport: any HTTPTransport
  /// How long each request may take, for a client with a transport of its own.
  public let timeout: Duration?
  /// As the contract has them; `nil` for none.
  package let arguments: JSONValue?
  /// Records what is read of the answers, if the consumer decodes with `decode` or `decoder`.
  package var recorder: ReadPaths?
  private let baseURLs: [String: String]

  /// - Parameter baseURLs: by the name of the upstream.
  package init(
    transport: any HTTPTransport, baseURLs: [String: String], arguments: JSONValue? = nil,
    timeout: Duration? = nil
  ) {
    self.transport = transport
    self.baseURLs = baseURLs
    self.arguments = arguments
    self.timeout = timeout
  }

  /// Where an upstream is now, without a slash at the end.
  public func baseURL(of upstream: String) throws(ConsumerError) -> String {
    guard let url = baseURLs[upstream] else {
      throw ConsumerError("unknownUpstream", message: "there are no contracts of \"\(upstream)\"")
    }
    return url
  }

  public func string(_ name: String) throws(ConsumerError) -> String {
    guard let text = arguments?[name]?.string else { throw .missing("string", name) }
    return text
  }

  public func int(_ name: String) throws(ConsumerError) -> Int {
    guard let int = arguments?[name]?.int else { throw .missing("whole number", name) }
    return int
  }

  /// Decodes an answer, and records which of its values the type reads.
  ///
  /// Understudy then knows which changes of an API concern the consumer. One that decodes in another
  /// way counts as reading everything.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from answer: HTTPResponse
  ) throws(JSONDecodingError) -> Value {
    try decoder.decode(type, from: answer.body)
  }

  /// Does the same for a client that does its own decoding.
  public var decoder: JSONTreeDecoder { JSONTreeDecoder(recorder: recorder) }

  /// All arguments as one JSON object, for a decoder.
  public var argumentsJSON: [UInt8] { arguments?.compact ?? Array("{}".utf8) }
}

/// Why a consumer has no value, in the words of `consumers.json`.
public struct ConsumerError: Error, Hashable, Sendable {
  public let name: String
  /// Its payload as JSON: `404`, `null`, `{"until":1}`.
  public let payload: String?
  /// What went wrong beneath, if it was a request that failed.
  public let transport: TransportError?
  /// For people.
  public let message: String

  public init(
    _ name: String, payload: String? = nil, transport: TransportError? = nil, message: String = ""
  ) {
    self.name = name
    self.payload = payload
    self.transport = transport
    self.message = message
  }

  fileprivate static func missing(_ kind: String, _ name: String) -> Self {
    Self("missingArgument", message: "the contract gives no \(kind) \"\(name)\"")
  }
}
