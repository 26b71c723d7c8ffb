import UnderstudyContractModel

/// A body cut into the pieces in which it is sent, as chunks if it is framed so.
///
/// A pause comes before its piece: a body over two seconds is complete two seconds after the head.
struct PacedBody: Sendable {
  private enum Pacing {
    /// All that is there, in pieces only because something has to be done to each.
    case none(pieceLengthMax: Int)
    case pieces(count: Int, over: Duration)
    case rate(bytesPerSecond: Int, pieceLength: Int)
  }

  /// How much of an unpaced body goes into a chunk.
  private static let chunkLengthMax = 16_384
  /// 20 pieces a second are one each 50 ms; a rate below 20 bytes a second sends single bytes.
  private static let piecesPerSecond = 20

  private let bytes: ArraySlice<UInt8>
  private let sentCount: Int
  private let isChunked: Bool
  private let pacing: Pacing
  private var offset = 0
  private var pieceIndex = 0
  private var elapsed = Duration.zero
  private var owesLastChunk: Bool

  /// `sentCount` is how many bytes are sent when that is fewer than there are; the body is then
  /// left without its end.
  init(
    _ bytes: ArraySlice<UInt8> = [], isChunked: Bool = false, pace: Pace? = nil,
    sentCount: Int? = nil
  ) {
    self.bytes = bytes
    self.sentCount = min(sentCount ?? bytes.count, bytes.count)
    self.isChunked = isChunked
    owesLastChunk = isChunked && sentCount == nil
    pacing =
      switch pace {
      case nil: .none(pieceLengthMax: isChunked ? Self.chunkLengthMax : max(1, bytes.count))
      // A piece has at least one byte: an empty chunk would be the last.
      case .chunks(let count, let over):
        .pieces(count: min(max(1, count), max(1, bytes.count)), over: over)
      case .bytesPerSecond(let rate):
        .rate(bytesPerSecond: max(1, rate), pieceLength: max(1, rate / Self.piecesPerSecond))
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
    switch pacing {
    case .none(let length): offset + length
    case .pieces(let count, _): bytes.count * (pieceIndex + 1) / count
    case .rate(_, let length): offset + length
    }
  }

  private func time(ofPieceEndingAt end: Int) -> Duration {
    switch pacing {
    case .none: .zero
    case .pieces(let count, let over): over * (pieceIndex + 1) / count
    case .rate(let bytesPerSecond, _): .seconds(1) * end / bytesPerSecond
    }
  }

  /// The last chunk goes out with the piece before it, as a server does that knows its end.
  private mutating func chunk(of piece: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var framed = Array("\(String(piece.count, radix: 16))\r\n".utf8)
    framed.reserveCapacity(framed.count + piece.count + 7)
    framed += piece
    framed += "\r\n".utf8
    if offset == sentCount, owesLastChunk {
      framed += "0\r\n\r\n".utf8
      owesLastChunk = false
    }
    return framed[...]
  }
}
