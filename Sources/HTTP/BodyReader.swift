import UnderstudyCore

/// Reads a request's body from the bytes after its head, however they are split.
///
/// Nothing is copied and no byte is read twice: data is returned as ranges of the given bytes.
/// Chunk extensions and trailers are checked and discarded.
package struct BodyReader: Sendable {
  /// What a call of `next` found.
  package enum Step: Hashable, Sendable {
    /// All bytes are consumed, and the body continues.
    case needsMore
    /// A piece of the body; call again for the rest.
    case data(Range<Int>)
    /// Any further bytes belong to the next request.
    case complete
    case malformed(Refusal)
  }

  private enum State: Sendable {
    case content, complete
    case malformed(Refusal)
    case sizeStart, size, beforeExtension, sizeLineFeed
    case extensions(ChunkExtensions)
    case chunk, chunkEnd, chunkLineFeed
    case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed
  }

  private static let sizeDigitsMax = 16

  private var state: State
  /// What is left of the chunk, or of a body that is not chunked.
  private var bytesLeft: UInt64 = 0
  private var sizeDigitCount: UInt8 = 0
  // The remainder of the limits.
  private var chunkBytesLeft: UInt64
  private var extensionBytesLeft: Int
  private var trailerBytesLeft: Int

  /// A body whose declared length is too large is malformed before its first byte.
  package init(_ framing: BodyFraming, limits: MessageLimits) {
    chunkBytesLeft = UInt64(max(limits.bodyBytesMax, 0))
    extensionBytesLeft = limits.chunkExtensionBytesMax
    trailerBytesLeft = limits.trailerBytesMax
    switch framing {
    case .none, .length(0): state = .complete
    case .length(let count):
      state = count > limits.bodyBytesMax ? .malformed(.bodyTooLarge) : .content
      bytesLeft = UInt64(max(count, 0))
    case .chunked: state = .sizeStart
    }
  }

  // SAFETY: bytes are read only within their bounds, and none are kept.

  /// Continues at `offset`, and moves it past what was consumed.
  package mutating func next(_ bytes: UnsafeRawBufferPointer, from offset: inout Int) -> Step {
    while true {
      switch state {
      case .complete: return .complete
      case .malformed(let refusal): return .malformed(refusal)
      case .content, .chunk:
        if let data = takeData(bytes, from: &offset) { return .data(data) }
        return .needsMore
      default:
        guard offset < bytes.count else { return .needsMore }
        take(bytes[offset])
        offset += 1
      }
    }
  }

  private mutating func takeData(
    _ bytes: UnsafeRawBufferPointer, from offset: inout Int
  ) -> Range<Int>? {
    let count = Int(min(UInt64(bytes.count - offset), bytesLeft))
    guard count > 0 else { return nil }
    bytesLeft -= UInt64(count)
    if bytesLeft == 0 {
      if case .chunk = state { state = .chunkEnd } else { state = .complete }
    }
    defer { offset += count }
    return offset..<offset + count
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .sizeStart, .size, .beforeExtension, .extensions, .sizeLineFeed: takeOfSizeLine(byte)
    case .chunkEnd:
      state = byte == .carriageReturn ? .chunkLineFeed : .malformed(.chunkEndMissing)
    case .chunkLineFeed: state = byte == .newline ? .sizeStart : .malformed(.chunkEndMissing)
    case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed, .lastLineFeed:
      takeOfTrailers(byte)
    case .content, .chunk, .complete, .malformed: break
    }
  }

  // MARK: - Chunk sizes

  private mutating func takeOfSizeLine(_ byte: UInt8) {
    switch state {
    case .sizeStart, .size:
      if let digit = byte.hexadecimalValue {
        takeSizeDigit(UInt64(digit))
      } else if case .sizeStart = state {
        state = .malformed(.chunkSizeInvalid)
      } else {
        endSize(byte)
      }
    case .beforeExtension:
      guard mayTakeExtension() else { return state = .malformed(.chunkExtensionsTooLarge) }
      if byte == .semicolon {
        state = .extensions(ChunkExtensions())
      } else if !byte.isBlank {
        state = .malformed(.chunkSizeInvalid)
      }
    case .extensions(var extensions):
      guard mayTakeExtension() else { return state = .malformed(.chunkExtensionsTooLarge) }
      switch extensions.take(byte) {
      case .more: state = .extensions(extensions)
      case .lineEnd: state = .sizeLineFeed
      case .malformed: state = .malformed(.chunkExtensionInvalid)
      }
    default:
      guard byte == .newline else { return state = .malformed(.chunkSizeInvalid) }
      beginChunk()
    }
  }

  private mutating func takeSizeDigit(_ digit: UInt64) {
    if case .sizeStart = state {
      (bytesLeft, sizeDigitCount) = (0, 0)
      state = .size
    }
    sizeDigitCount += 1
    guard sizeDigitCount <= Self.sizeDigitsMax else { return state = .malformed(.chunkSizeInvalid) }
    bytesLeft = bytesLeft << 4 | digit
  }

  private mutating func endSize(_ byte: UInt8) {
    switch byte {
    case .carriageReturn: state = .sizeLineFeed
    case .semicolon: state = .extensions(ChunkExtensions())
    case .space, .tab: state = .beforeExtension
    default: state = .malformed(.chunkSizeInvalid)
    }
  }

  private mutating func mayTakeExtension() -> Bool {
    extensionBytesLeft -= 1
    return extensionBytesLeft >= 0
  }

  private mutating func beginChunk() {
    guard bytesLeft > 0 else { return state = .trailerStart }
    guard bytesLeft <= chunkBytesLeft else { return state = .malformed(.bodyTooLarge) }
    chunkBytesLeft -= bytesLeft
    state = .chunk
  }

  // MARK: - Trailers

  private mutating func takeOfTrailers(_ byte: UInt8) {
    trailerBytesLeft -= 1
    guard trailerBytesLeft >= 0 else { return state = .malformed(.trailersTooLarge) }
    switch (state, byte) {
    case (.trailerStart, .carriageReturn): state = .lastLineFeed
    case (.trailerStart, _) where byte.isToken: state = .trailerName
    case (.trailerName, .colon): state = .trailerValue
    case (.trailerName, _) where byte.isToken: break
    case (.trailerValue, .carriageReturn): state = .trailerLineFeed
    case (.trailerValue, _) where byte.isFieldValue: break
    case (.trailerLineFeed, .newline): state = .trailerStart
    case (.lastLineFeed, .newline): state = .complete
    default: state = .malformed(.trailerInvalid)
    }
  }
}
