/// What a text may ask of the parser before it is refused.
package struct JSONLimits: Sendable {
  /// How many arrays and objects may stand inside one another, at most 1,024 whatever is asked:
  /// code that walks a value recursively relies on it for its stack.
  package var depthMax = 512
  /// How long a text may be, at most 1 GiB - 1 whatever is asked: a tape word has 30 bits for it.
  package var bytesMax = TapeWord.fieldMax

  package init() {}

  static let depthCeiling = 1_024
}
