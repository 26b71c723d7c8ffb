/// Why a text is no pattern, or none that can be matched in linear time.
package struct PatternError: Error, Hashable, Sendable {
  /// Where in the source, in Unicode scalars from its start.
  package let offset: Int
  /// One sentence without a full stop: `found "(" without its ")"`.
  package let message: String
  /// What to do about it, as an instruction.
  package let fix: String?

  init(at offset: Int, _ message: String, fix: String? = nil) {
    self.offset = offset
    self.message = message
    self.fix = fix
  }
}

extension PatternError: CustomStringConvertible {
  package var description: String {
    let complaint = "at offset \(offset): \(message)"
    return fix.map { "\(complaint)\n  fix: \($0)" } ?? complaint
  }
}
