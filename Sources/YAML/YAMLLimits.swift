/// The limits beyond which the reader refuses a text.
package struct YAMLLimits: Sendable {
  /// How deeply collections may be nested; values above 1,024 have no effect, as in `JSONLimits`.
  package var depthMax = 512
  /// How long a text may be; values above 256 MiB have no effect: the JSON made from it may be
  /// three times as long, and that has a limit of its own.
  package var bytesMax = 64 << 20
  /// How much JSON aliases may copy; values above 192 MiB have no effect.
  package var aliasBytesMax = 64 << 20

  package init() {}

  var depthAllowed: Int { min(depthMax, 1_024) }
  var bytesAllowed: Int { min(bytesMax, 256 << 20) }
  var aliasBytesAllowed: Int { min(aliasBytesMax, 192 << 20) }
}
