public import UnderstudyClient
public import UnderstudyJSON

/// A call of a consumer: where the upstreams are, and the arguments the contract gives.
public struct ConsumerCall: Sendable {
  /// Reaches only the upstreams of the contracts, fake or live. To the fake, each request is sent
  /// once, over a connection of its own, with the time-out of the contract.
  public let transport: any Transport
  /// The time limit of each request, for a client with its own transport.
  public let timeout: Duration?
  /// As in the contract; `nil` for none.
  package let arguments: JSONValue?
  /// Records which parts of the responses are read, if the consumer decodes with `decode` or
  /// `decoder`.
  package var recorder: ReadPaths?
  private let knownURL: @Sendable (_ upstream: String) -> String?

  /// - Parameter baseURL: the address of an upstream of this name; `nil` for an unknown one.
  package init(
    transport: any Transport, baseURL: @escaping @Sendable (_ upstream: String) -> String?,
    arguments: JSONValue? = nil, timeout: Duration? = nil
  ) {
    self.transport = transport
    knownURL = baseURL
    self.arguments = arguments
    self.timeout = timeout
  }

  /// The address of an upstream for this call, without a slash at the end.
  public func baseURL(of upstream: String) throws(ConsumerError) -> String {
    guard let url = knownURL(upstream) else {
      throw ConsumerError("unknownUpstream", message: "unknown upstream \"\(upstream)\"")
    }
    return url
  }

  /// An argument that is a string; throws if the contract gives none.
  public func string(_ name: String) throws(ConsumerError) -> String {
    guard let text = arguments?[name]?.string else { throw .missing("string", name) }
    return text
  }

  /// An argument that is a whole number; throws if the contract gives none.
  public func int(_ name: String) throws(ConsumerError) -> Int {
    guard let int = arguments?[name]?.int else { throw .missing("whole number", name) }
    return int
  }

  /// Decodes a response and records which of its values the type reads.
  ///
  /// Understudy then knows which changes of an API affect the consumer. A consumer that decodes in
  /// another way counts as reading everything.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from response: ClientResponse
  ) throws(JSONDecodingError) -> Value {
    try decoder.decode(type, from: response.body)
  }

  /// A decoder that records the same, for a client that decodes by itself.
  public var decoder: JSONTreeDecoder { JSONTreeDecoder(recorder: recorder) }

  /// All arguments as one JSON object.
  public var argumentsJSON: [UInt8] { arguments?.compact ?? Array("{}".utf8) }
}

/// Why a consumer has no value, by a name that `consumers.json` declares.
public struct ConsumerError: Error, Hashable, Sendable {
  /// As `consumers.json` has it: `unexpectedStatus`.
  public let name: String
  /// The payload as JSON: `404`, `null`, `{"until":1}`.
  public let payload: String?
  /// The failure of the request beneath, if there was one.
  public let transport: TransportError?
  /// The reason in words, for reports.
  public let message: String

  /// Makes an error that a contract can expect by its name.
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
