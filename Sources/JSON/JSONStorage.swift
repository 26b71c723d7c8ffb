import Synchronization
import UnderstudyCore

/// What all values of a document share: its text and its tape. Immutable.
final class JSONStorage: Sendable {
  let source: [UInt8]
  let tape: Tape
  let limits: JSONLimits
  private let placesWhenAsked = AtomicLazyReference<SourcePlaces>()

  init(parsing bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
    let bytesMax = min(limits.bytesMax, TapeWord.fieldMax)
    guard bytes.count <= bytesMax else { throw JSONError.tooLarge(bytes, bytesMax: bytesMax) }
    let depthMax = min(limits.depthMax, JSONLimits.depthCeiling)
    // A text that fails to parse in place is parsed again with padding: this copies it but makes
    // the position of the failure exact.
    if let guardPlace = Self.guardPlace(in: bytes),
      case .success(let parsed) = Self.parse(
        bytes, count: guardPlace + 1, paddingCount: 0, depthMax: depthMax)
    {
      tape = parsed
    } else {
      let padded = bytes + repeatElement(0, count: JSONParser.paddingCount)
      switch Self.parse(
        padded, count: bytes.count, paddingCount: JSONParser.paddingCount, depthMax: depthMax)
      {
      case .success(let parsed): tape = parsed
      case .failure(let failure):
        throw JSONDiagnosis(of: bytes, failure, depthMax: depthMax).error
      }
    }
    source = bytes
    self.limits = limits
  }

  private enum Outcome: ~Copyable {
    case success(Tape)
    case failure(JSONDiagnosis.Failure)
  }

  /// The last bracket of a text that is long enough for vector reads, if it ends with one.
  private static func guardPlace(in bytes: [UInt8]) -> Int? {
    guard let last = bytes.lastIndex(where: { !$0.isWhitespace }),
      let first = bytes.first(where: { !$0.isWhitespace }), last >= JSONParser.paddingCount,
      first == .openBrace || first == .openBracket,
      bytes[last] == .closeBrace || bytes[last] == .closeBracket
    else { return nil }
    return last
  }

  private static func parse(
    _ bytes: [UInt8], count: Int, paddingCount: Int, depthMax: Int
  ) -> Outcome {
    // SAFETY: the pointer is used only within the closure, and the buffer has `count` bytes and the
    // padding.
    bytes.span.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("never empty") }
      do throws(JSONParser.Stop) {
        let text = JSONParser.Text(base, count: count, paddingCount: paddingCount)
        return .success(try JSONParser.parse(text, depthMax: depthMax))
      } catch {
        return .failure(
          JSONDiagnosis.Failure(
            reason: error.reason, offset: error.place - base, opening: error.opening))
      }
    }
  }

  func position(ofByte offset: Int) -> SourcePosition {
    let places =
      placesWhenAsked.load() ?? placesWhenAsked.storeIfNil(SourcePlaces(of: source))
    return places.position(ofByte: offset, in: source)
  }
}
