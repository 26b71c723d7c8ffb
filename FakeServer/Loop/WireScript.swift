/// The steps for sending one response.
///
/// Steps are created on demand, so a slow response in many pieces takes no more memory than a fast
/// one.
struct WireScript: Sendable, Sequence, IteratorProtocol {
  enum Step: Hashable, Sendable {
    case send(ArraySlice<UInt8>)
    case pause(Duration)
    /// A piece of the body that comes over time is due: the loop takes it from `pieces`.
    case piece
    /// Nothing more is sent, and the connection stays open until the client leaves.
    case stall
  }

  /// What happens to the connection after all steps.
  enum End: Hashable, Sendable {
    case keepOpen
    /// Writing is shut down, and further input is discarded.
    case close
    /// Like `close`, without TLS's notice that nothing follows.
    case closeSilently
    /// With linger 0, so that the client gets a reset.
    case reset
    /// The connection is given away.
    case handOver(Passage)
  }

  /// The delay after the complete request, before any time scale.
  let delayConfigured: Duration
  let end: End
  /// For the handler, if it was unknown when the request came; 0 for none.
  var status: Int?
  /// For the handler: what became of a request that was forwarded, if nobody responded to it.
  var problem: String?
  /// The handler's number of the case, if it is another than when the request came.
  var caseNumber: Int32?
  /// Whether a fault ends it, so that the client cannot have the whole response.
  var breaksOff = false
  /// Where the rest of the body comes from, if it comes over time; `nil` once it is complete.
  var pieces: PieceStream?
  private var head: [UInt8]
  private var body: PacedBody
  private var isStalling: Bool

  init(
    delayConfigured: Duration, head: [UInt8] = [], body: PacedBody = PacedBody(),
    isStalling: Bool = false,
    end: End
  ) {
    self.delayConfigured = delayConfigured
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
    if pieces != nil { return .piece }
    if let step = body.next() { return step }
    guard isStalling else { return nil }
    isStalling = false
    return .stall
  }

  private static let joinedByteCountMax = 16_384

  /// The next step. Steps without a pause between are joined unless large: a head is sent with its
  /// body.
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
