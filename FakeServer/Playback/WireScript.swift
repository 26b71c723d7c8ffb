/// One answer as the connection's owner has to play it, step by step.
///
/// Steps are made one at a time as they are asked for, so a slow answer of many pieces costs no
/// more memory than a fast one.
struct WireScript: Sendable, Sequence, IteratorProtocol {
  enum Step: Hashable, Sendable {
    case send(ArraySlice<UInt8>)
    case pause(Duration)
    /// Nothing more is sent, and the connection stays open until the client leaves.
    case stall
  }

  /// What becomes of the connection when all steps are done.
  enum End: Hashable, Sendable {
    case keepOpen
    /// Writing is shut down and what the client still sends is drained.
    case close
    /// With linger 0, so that the client meets a reset.
    case reset
  }

  /// How long the answer waits once the request is complete, before any time scale.
  let delayAsked: Duration
  let end: End
  /// Whether a fault ends it, so that the client cannot have all of an answer.
  var breaksOff = false
  private var head: [UInt8]
  private var body: PacedBody
  private var isStalling: Bool

  init(
    delayAsked: Duration, head: [UInt8] = [], body: PacedBody = PacedBody(),
    isStalling: Bool = false,
    end: End
  ) {
    self.delayAsked = delayAsked
    self.end = end
    self.head = head
    self.body = body
    self.isStalling = isStalling
  }

  mutating func next() -> Step? {
    if !head.isEmpty {
      defer { head = [] }
      return .send(head[...])
    }
    if let step = body.next() { return step }
    guard isStalling else { return nil }
    isStalling = false
    return .stall
  }

  private static let joinedByteCountMax = 16_384

  /// The next step; what is sent without a pause between is one, unless it is large: a head leaves
  /// with its body.
  mutating func nextJoined() -> Step? {
    let step = next()
    guard case .send(var bytes)? = step else { return step }
    var ahead = self
    while case .send(let more)? = ahead.next(),
      bytes.count + more.count <= Self.joinedByteCountMax
    {
      bytes += more
      self = ahead
    }
    return .send(bytes)
  }
}
