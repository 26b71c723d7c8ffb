import UnderstudyCore

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
    /// With linger 0, so that the client gets a reset.
    case reset
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

/// A body cut into the pieces to send, as chunks if it is chunked.
///
/// A pause precedes its piece: a body over two seconds is complete two seconds after the head.
struct PacedBody: Sendable {
  enum Pace {
    case pieces(count: Int, over: Duration)
    case bytesPerSecond(Int)
    /// Pieces that end there, each sent at its time.
    case events(ends: [Int], dueTimes: [Duration])
  }

  /// How much of an unpaced body is sent at once: as much may have to be copied for a connection
  /// that takes no more.
  static let pieceLengthMax = 256 << 10
  /// How much of it goes into a chunk.
  private static let chunkLengthMax = 16_384
  /// 20 pieces a second are one each 50 ms; a rate below 20 bytes a second sends single bytes.
  private static let piecesPerSecond = 20

  private let bytes: ArraySlice<UInt8>
  private let sentCount: Int
  private let isChunked: Bool
  /// `nil` to send everything as fast as possible.
  private let pace: Pace?
  private var offset = 0
  private var pieceIndex = 0
  private var elapsed = Duration.zero
  private var owesLastChunk: Bool

  /// `sentCount` is the number of bytes to send if the body is cut short; the body then has no end.
  init(
    _ bytes: ArraySlice<UInt8> = [], isChunked: Bool = false, pace: Pace? = nil,
    sentCount: Int? = nil
  ) {
    self.bytes = bytes
    self.sentCount = min(sentCount ?? bytes.count, bytes.count)
    self.isChunked = isChunked
    owesLastChunk = isChunked && sentCount == nil
    self.pace =
      switch pace {
      case nil: nil
      // A piece has at least one byte: an empty chunk would be the last.
      case .pieces(let count, let over):
        .pieces(count: min(max(1, count), max(1, bytes.count)), over: over)
      case .bytesPerSecond(let rate): .bytesPerSecond(max(1, rate))
      case .events: pace
      }
  }

  mutating func next() -> WireScript.Step? {
    guard offset < sentCount else {
      defer { owesLastChunk = false }
      return owesLastChunk ? .send(ArraySlice("0\r\n\r\n".utf8)) : nil
    }
    let end = min(endOfPiece, sentCount)
    let pause = time(ofPieceEndingAt: end) - elapsed
    if pause > .zero {
      elapsed += pause
      return .pause(pause)
    }
    let piece = bytes.dropFirst(offset).prefix(end - offset)
    offset = end
    pieceIndex += 1
    return .send(isChunked ? chunk(of: piece) : piece)
  }

  private var endOfPiece: Int {
    switch pace {
    case nil: offset + (isChunked ? Self.chunkLengthMax : Self.pieceLengthMax)
    case .pieces(let count, _): bytes.count * (pieceIndex + 1) / count
    case .bytesPerSecond(let rate): offset + max(1, rate / Self.piecesPerSecond)
    case .events(let ends, _): ends[pieceIndex]
    }
  }

  private func time(ofPieceEndingAt end: Int) -> Duration {
    switch pace {
    case nil: .zero
    case .pieces(let count, let over): over * (pieceIndex + 1) / count
    case .bytesPerSecond(let rate): .seconds(1) * end / rate
    case .events(_, let dueTimes): dueTimes[pieceIndex]
    }
  }

  static func chunk(_ piece: ArraySlice<UInt8>) -> [UInt8] {
    var framed = Array("\(String(piece.count, radix: 16))\r\n".utf8)
    framed.reserveCapacity(framed.count + piece.count + 7)
    framed += piece
    framed += "\r\n".utf8
    return framed
  }

  /// The last chunk is sent with the piece before it, as by a server that knows the end.
  private mutating func chunk(of piece: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var framed = Self.chunk(piece)
    if offset == sentCount, owesLastChunk {
      framed += "0\r\n\r\n".utf8
      owesLastChunk = false
    }
    return framed[...]
  }
}
