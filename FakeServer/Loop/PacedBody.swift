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
