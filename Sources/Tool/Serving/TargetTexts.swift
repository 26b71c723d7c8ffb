import UnderstudyFakeServer

/// The printed forms of request targets: clients repeat them, and masking one takes longer than
/// responding to its request.
struct TargetTexts {
  struct Text {
    let bytes: [UInt8]
    /// In characters.
    let width: Int
  }

  private struct Entry {
    let target: [UInt8]
    let text: Text
  }

  /// Where two targets have one place, the later stays.
  private static let placeCount = 1024

  private var entries: [Entry?] = Array(repeating: nil, count: placeCount)

  /// The form of this target, made if it is not among the last ones.
  mutating func text(of target: ArraySlice<UInt8>, _ make: () -> Text) -> Text {
    let hash = target.reduce(14_695_981_039_346_656_037) { (hash: UInt64, byte) in
      (hash ^ UInt64(byte)) &* 1_099_511_628_211
    }
    let place = Int(truncatingIfNeeded: (hash ^ hash >> 32) % UInt64(Self.placeCount))
    if let entry = entries[place], entry.target.elementsEqual(target) { return entry.text }
    let text = make()
    entries[place] = Entry(target: Array(target), text: text)
    return text
  }
}
