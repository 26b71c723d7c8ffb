import Synchronization
import UnderstudyCore

/// What all values of a document share: its text and its tape. Immutable.
final class JSONStorage: Sendable {
  let source: [UInt8]
  let tape: Tape
  let limits: JSONLimits
  /// Where the values were written, if the source is a translation.
  private let map: SourceMap?
  private let placesWhenAsked = AtomicLazyReference<SourcePlaces>()

  private init(
    _ source: [UInt8], _ tape: consuming Tape, _ limits: JSONLimits, _ map: SourceMap? = nil
  ) {
    self.source = source
    self.tape = tape
    self.limits = limits
    self.map = map
  }

  static let null: JSONStorage = {
    guard let storage = parsed(Array("null".utf8), limits: JSONLimits()) else {
      preconditionFailure("null is JSON")
    }
    return storage
  }()

  /// `nil`, without a search for the reason, when the text is not valid.
  static func parsed(_ bytes: [UInt8], limits: JSONLimits) -> JSONStorage? {
    guard bytes.count <= limits.bytesAllowed else { return nil }
    return switch outcome(of: bytes, depthMax: limits.depthAllowed) {
    case .success(let tape): JSONStorage(bytes, tape, limits)
    case .failure: nil
    }
  }

  convenience init(
    parsing bytes: [UInt8], limits: JSONLimits, map: SourceMap? = nil
  ) throws(JSONError) {
    let bytesMax = limits.bytesAllowed
    guard bytes.count <= bytesMax else { throw JSONError.tooLarge(bytes, bytesMax: bytesMax) }
    let depthMax = limits.depthAllowed
    switch Self.outcome(of: bytes, depthMax: depthMax) {
    case .success(let tape): self.init(bytes, tape, limits, map)
    case .failure(let failure): throw JSONDiagnosis(of: bytes, failure, depthMax: depthMax).error
    }
  }

  /// A text that fails to parse in place is parsed again with padding: this copies it but makes
  /// the position of the failure exact.
  private static func outcome(of bytes: [UInt8], depthMax: Int) -> Outcome {
    if let guardPlace = guardPlace(in: bytes),
      case .success(let tape) = parse(
        bytes, count: guardPlace + 1, paddingCount: 0, depthMax: depthMax)
    {
      return .success(tape)
    }
    let padded = bytes + repeatElement(0, count: JSONParser.paddingCount)
    return parse(
      padded, count: bytes.count, paddingCount: JSONParser.paddingCount, depthMax: depthMax)
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
    let bytes = bytes[...]
    return bytes.span.withUnsafeBufferPointer { buffer in
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
    if let map { return map.position(ofByte: offset) }
    let places =
      placesWhenAsked.load() ?? placesWhenAsked.storeIfNil(SourcePlaces(of: source))
    return places.position(ofByte: offset, in: source)
  }
}

extension JSONLimits {
  fileprivate var bytesAllowed: Int { min(bytesMax, TapeWord.fieldMax) }
  fileprivate var depthAllowed: Int { min(depthMax, Self.depthCeiling) }
}
