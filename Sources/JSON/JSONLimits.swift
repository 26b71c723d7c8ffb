/// The limits beyond which the parser refuses a text.
package struct JSONLimits: Sendable {
  /// How deeply arrays and objects may be nested; values above 1,024 have no effect: code that
  /// walks a value recursively relies on it for its stack.
  package var depthMax = 512
  /// How long a text may be; values above 1 GiB - 1 have no effect: a tape word has 30 bits for it.
  package var bytesMax = TapeWord.fieldMax

  package init() {}

  static let depthCeiling = 1_024
}
