import Diagnostics
import Synchronization

/// What all values of a document share: its text and its tape. Immutable.
final class JSONStorage: Sendable {
  let source: [UInt8]
  let tape: Tape
  let limits: JSONLimits
  private let placesWhenAsked = AtomicLazyReference<SourcePlaces>()

  init(parsing bytes: consuming [UInt8], limits: JSONLimits) throws(JSONError) {
    var text = bytes
    let count = text.count
    guard count <= min(limits.bytesMax, TapeWord.fieldMax) else {
      throw JSONError.tooLarge(text, bytesMax: limits.bytesMax)
    }
    text.reserveCapacity(count + JSONParser.paddingCount)
    text.append(contentsOf: repeatElement(0, count: JSONParser.paddingCount))
    let depthMax = min(limits.depthMax, JSONLimits.depthCeiling)
    let outcome = Self.tape(of: text, count: count, depthMax: depthMax)
    text.removeLast(JSONParser.paddingCount)
    switch consume outcome {
    case .success(let parsed): tape = parsed
    case .failure(let failure):
      throw JSONDiagnosis(of: text, failure, depthMax: depthMax).error
    }
    source = text
    self.limits = limits
  }

  /// Where a text went wrong, in offsets.
  struct Failure {
    let reason: JSONParser.Stop.Reason
    let offset: Int
    let opening: Int?
  }

  private enum Outcome: ~Copyable {
    case success(Tape)
    case failure(Failure)
  }

  private static func tape(of text: [UInt8], count: Int, depthMax: Int) -> Outcome {
    // SAFETY: the pointer is used within the closure only and `count` excludes the padding.
    text.span.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("padding was appended") }
      do throws(JSONParser.Stop) {
        return .success(try JSONParser.parse(base, count: count, depthMax: depthMax))
      } catch {
        return .failure(
          Failure(reason: error.reason, offset: error.place - base, opening: error.opening))
      }
    }
  }

  func position(ofByte offset: Int) -> SourcePosition {
    let places =
      placesWhenAsked.load() ?? placesWhenAsked.storeIfNil(SourcePlaces(of: source))
    return places.position(ofByte: offset, in: source)
  }
}
