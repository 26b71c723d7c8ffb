/// Size limits for messages; anything larger is refused.
public struct MessageLimits: Sendable {
  public var targetBytesMax = 8_192
  /// From the first byte of the request line to the empty line, inclusive.
  public var headBytesMax = 32_768
  public var fieldsMax = 100
  /// Without the transfer coding.
  public var bodyBytesMax = 16 << 20
  /// For all chunk extensions of one body together, and for all its trailers.
  public var chunkExtensionBytesMax = 4_096
  public var trailerBytesMax = 8_192
  /// How much is read and discarded after the last response, to keep it from being lost to a reset.
  public var drainBytesMax = 64 << 20

  public init() {}
}
