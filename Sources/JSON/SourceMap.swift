import Synchronization
package import UnderstudyCore

/// Where the keys and values of a text were written in another text, from which it was translated.
package struct SourceMap: Sendable {
  private let origin: OriginalText
  private let notes: [UInt64]

  /// A note has an offset in the JSON text in its upper half, and in the lower one the offset that
  /// it came from; notes are sorted. Plain words, since other modules write many of them.
  package init(to origin: OriginalText, notes: [UInt64]) {
    self.origin = origin
    self.notes = notes
  }

  /// The offset in the other text of the key or value that is at this one, or that begins last
  /// before it.
  package func origin(ofByte offset: Int) -> Int {
    var (low, high) = (0, notes.count)
    while low < high {
      let middle = (low + high) / 2
      if notes[middle] >> 32 <= UInt64(offset) { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : Int(notes[low - 1] & 0xFFFF_FFFF)
  }

  func position(ofByte offset: Int) -> SourcePosition {
    origin.position(ofByte: origin(ofByte: offset))
  }
}

/// A text that one or more documents were made from; its lines are counted once, on demand.
package final class OriginalText: Sendable {
  package let bytes: [UInt8]
  private let placesWhenAsked = AtomicLazyReference<SourcePlaces>()

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func position(ofByte offset: Int) -> SourcePosition {
    let places = placesWhenAsked.load() ?? placesWhenAsked.storeIfNil(SourcePlaces(of: bytes))
    return places.position(ofByte: offset, in: bytes)
  }
}
