/// The body of a response whose pieces come over time.
///
/// The loop takes a piece when the client has room for it, so a source knows how far each client is
/// behind, and decides itself how much of that it keeps.
protocol PieceSource: AnyObject, Sendable {
  /// Sent after this much silence, so that the server notices a client that has left.
  var filler: (bytes: [UInt8], after: Duration) { get }

  /// The next piece, taken on the loop's thread. If there is none yet, `wake` is called once when
  /// there is, or when the body has ended, from any thread.
  func next(wake: @escaping @Sendable () -> Void) -> Piece
}

/// A piece of a body.
enum Piece {
  case bytes([UInt8])
  /// There is none yet.
  case later
  /// The body is complete.
  case end
}

/// The pieces of a response's body, as they are framed.
struct PieceStream: Sendable {
  let source: any PieceSource
  let isChunked: Bool

  func framed(_ piece: [UInt8]) -> ArraySlice<UInt8> {
    isChunked ? PacedBody.chunk(piece[...])[...] : piece[...]
  }
}
