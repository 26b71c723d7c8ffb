/// A collection that is open, or the document itself.
struct Frame {
  enum Kind: UInt8 {
    case document, blockSequence, blockMapping, flowSequence, flowMapping
    /// A mapping without brackets as an entry of a flow sequence: `[a: b]`.
    case flowPair
  }

  enum State: UInt8 {
    /// A block has its value, or no entry yet; in flow, an entry or the end comes next.
    case entry
    /// A value comes next, or nothing: then it is null.
    case value
    /// After `?`: a key comes next, or nothing.
    case explicitKey
    /// The key has been written; in a block only if it was an explicit one.
    case colon
    /// In flow: a comma or the end comes next.
    case separator
  }

  let kind: Kind
  var state: State
  /// Whether a comma goes before the next entry.
  var hasEntries = false
  /// Whether the last key was quoted, so that a colon may touch what follows.
  var isKeyQuoted = false
  /// The column of a block's entries; in flow, that of the block around it.
  let indentation: Int
  /// Where it begins in the source.
  let offset: Int
  /// The number of its anchor, or -1.
  let anchor: Int
  /// How many keys were open before its own.
  let keysBefore: Int

  var isMapping: Bool { kind == .blockMapping || kind == .flowMapping || kind == .flowPair }
  var isFlow: Bool { kind.rawValue >= Kind.flowSequence.rawValue }
}
