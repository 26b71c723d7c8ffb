/// What a message may measure; whatever is beyond is refused.
public struct MessageLimits: Sendable {
  public var targetBytesMax = 8_192
  /// From the first byte of the request line to the empty line, both included.
  public var headBytesMax = 32_768
  public var fieldsMax = 100
  /// After the transfer coding is taken off.
  public var bodyBytesMax = 16 << 20
  /// Of all chunk extensions of one body together, and of all its trailers.
  public var chunkExtensionBytesMax = 4_096
  public var trailerBytesMax = 8_192
  /// What is read and thrown away after the last answer, so that the answer is not lost to a reset.
  public var drainBytesMax = 64 << 20

  public init() {}
}
