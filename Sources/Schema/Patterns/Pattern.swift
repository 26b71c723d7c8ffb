/// A regular expression that responds yes or no in time linear in the text.
///
/// The language is ECMA-262's with the `u` flag, as JSON Schema asks: unanchored unless `^` or `$`
/// say otherwise, one Unicode scalar at a time, and with unknown escapes refused. Whatever a
/// pattern says, a match costs at most the pattern's length times the text's. Look-arounds are
/// matched as in "Linear Matching of JavaScript Regular Expressions" (2024).
///
/// Left out, each with an error that names the place:
/// - backreferences, because no linear time is known for them;
/// - flags, also inside a pattern, because JSON has no place for them outside one;
/// - `Script_Extensions`, `Extended_Pictographic` and the rarer scripts, because the standard
///   library has no data for them.
///
/// Text in bytes that is not UTF-8 is read as `String` would: each mistake is one U+FFFD.
///
/// `Syntax` parses a pattern, `Engine` matches it, `Unicode` has the sets of scalars that a pattern
/// may name, and `PatternCache` compiles equal sources once. A pattern never changes, and any
/// thread may use it.
package struct Pattern: Sendable {
  package let source: String
  private let engine: Engine

  package init(_ source: String) throws(PatternError) {
    self.source = source
    let syntax = try Parser.parse(source)
    if let refusal = syntax.refusal { throw refusal }
    engine = Engine(try Program(syntax))
  }

  /// The error that ECMA-262 itself finds in a pattern, for `format: regex`. Unlike `init` it
  /// accepts patterns that are valid but not linear, such as backreferences.
  package static func syntaxError(in source: String) -> PatternError? {
    do throws(PatternError) {
      _ = try Parser.parse(source)
      return nil
    } catch {
      return error
    }
  }

  /// What a pattern looks at beside the text that it takes.
  package struct Looks {
    package let ahead: Bool
    package let behind: Bool
    /// Java refuses to look behind as far as the text goes.
    package let behindWithoutLimit: Bool
  }

  package var looks: Looks {
    let all = (try? Parser.parse(source))?.looks ?? []
    return Looks(
      ahead: all.contains { !$0.isBehind }, behind: all.contains(where: \.isBehind),
      behindWithoutLimit: all.contains { $0.isBehind && !$0.body.isBounded })
  }

  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { engine.matches($0.span) }
  }

  /// Whether a text matches; `nil` when that would take more than the remaining steps; steps taken
  /// are subtracted.
  ///
  /// Each byte looked up in a state table is a step; without a table, each visited place of the
  /// pattern is.
  package func matches(utf8 text: Span<UInt8>, stepsLeft: inout Int) -> Bool? {
    engine.matches(text, stepsLeft: &stepsLeft)
  }

  package func matches(_ text: Substring) -> Bool {
    var text = text
    return text.withUTF8 { engine.matches($0.span) }
  }

  package func matches(utf8 text: Span<UInt8>) -> Bool {
    engine.matches(text)
  }
}

extension Pattern: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    left.source == right.source
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(source)
  }
}

extension Pattern: CustomStringConvertible {
  package var description: String { source }
}
